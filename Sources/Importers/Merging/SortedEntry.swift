package import Events
import Values

/// One event on its way to the store, with what it is sorted by and where it is from.
package struct SortedEntry: Sendable {
  package var event: EncodedEvent
  /// What it is recorded as and sorted by, in microseconds since 1970.
  package var time: Int64
  /// The number of its file, from 0.
  package var file: Int
  package var place: RecordPlace
  /// Whether it is a visit of a page, which other programs may have seen as well.
  package var isPageVisit: Bool
  /// Whether it only led elsewhere.
  package var isRedirect: Bool
  /// What its id is made of, where equal ones of its file are counted.
  var counted: Identity?
}

/// The form of an entry in memory and in scratch files.
enum EntryRow {
  private static let headByteCount = 4 + 8 + 4 + 1 + 1 + 1 + 8 + 16 + 4 + 8

  static func append(_ entry: SortedEntry, to bytes: inout [UInt8]) {
    let counted = countedPart(entry.counted)
    bytes.appendBigEndian(UInt32(headByteCount + counted.count + entry.event.payload.count))
    bytes.appendBigEndian(UInt64(bitPattern: entry.time))
    bytes.appendBigEndian(UInt32(entry.file))
    bytes.append(
      (entry.isPageVisit ? 1 : 0) | (entry.isRedirect ? 2 : 0) | (counted.isEmpty ? 0 : 4))
    bytes.append(entry.event.kind.rawValue)
    bytes.append(entry.place.unit.rawValue)
    bytes.appendBigEndian(UInt64(bitPattern: entry.place.number))
    bytes.appendBigEndian(entry.event.id?.high ?? 0)
    bytes.appendBigEndian(entry.event.id?.low ?? 0)
    bytes.appendBigEndian(UInt32(entry.event.schema))
    bytes.appendBigEndian(UInt64(bitPattern: entry.event.time?.microseconds ?? entry.time))
    bytes += counted
    bytes += entry.event.payload
  }

  /// What it has of a time, the time, the place of the count, and what it is made of.
  private static func countedPart(_ identity: Identity?) -> [UInt8] {
    guard let identity, let countPlace = identity.countPlace else { return [] }
    var bytes: [UInt8] = [(identity.time == nil ? 0 : 1) | (identity.isUntimed ? 2 : 0)]
    bytes.appendBigEndian(UInt64(bitPattern: identity.time ?? 0))
    bytes.appendBigEndian(UInt32(countPlace))
    bytes.appendBigEndian(UInt32(identity.bytes.count))
    return bytes + identity.bytes
  }

  /// How many bytes the row at a place has; nil where it is not all there.
  static func byteCount(_ bytes: [UInt8], at start: Int) -> Int? {
    guard start + headByteCount <= bytes.count else { return nil }
    let count = Int(bytes.rawSpan.loadBigEndian32(at: start))
    return start + count <= bytes.count ? count : nil
  }

  /// The entry at a place where a whole row is; nil for bytes that are none.
  static func entry(_ bytes: [UInt8], at start: Int) -> SortedEntry? {
    guard let count = byteCount(bytes, at: start) else { return nil }
    var reader = ByteReader(bytes.rawSpan.extracting(start..<start + count))
    // A row that ends too early is none.
    return try? entry(&reader)
  }

  private static func entry(_ reader: inout ByteReader) throws(CairnError) -> SortedEntry? {
    _ = try reader.readBigEndian32()
    let time = Int64(bitPattern: try reader.readBigEndian64())
    let file = Int(try reader.readBigEndian32())
    let flags = try reader.readUInt8()
    guard let kind = EventKind(rawValue: try reader.readUInt8()),
      let unit = RecordPlace.Unit(rawValue: try reader.readUInt8())
    else { return nil }
    let place = RecordPlace(unit, Int64(bitPattern: try reader.readBigEndian64()))
    let id = EventID(high: try reader.readBigEndian64(), low: try reader.readBigEndian64())
    let schema = UInt16(truncatingIfNeeded: try reader.readBigEndian32())
    let happened = Int64(bitPattern: try reader.readBigEndian64())
    let counted: Identity? = if flags & 4 != 0 { try identity(&reader) } else { nil }
    let payload = try reader.readBytes(reader.remaining).array()
    let event = EncodedEvent(
      kind: kind, id: id, recorded: Timestamp(microseconds: time),
      time: Timestamp(microseconds: happened), schema: schema, payload: payload)
    return SortedEntry(
      event: event, time: time, file: file, place: place, isPageVisit: flags & 1 != 0,
      isRedirect: flags & 2 != 0, counted: counted)
  }

  private static func identity(_ reader: inout ByteReader) throws(CairnError) -> Identity {
    let flags = try reader.readUInt8()
    let time = Int64(bitPattern: try reader.readBigEndian64())
    let countPlace = Int(try reader.readBigEndian32())
    let byteCount = Int(try reader.readBigEndian32())
    let bytes = try reader.readBytes(byteCount).array()
    return Identity(
      bytes: bytes, countPlace: min(countPlace, byteCount), time: flags & 1 == 0 ? nil : time,
      isUntimed: flags & 2 != 0)
  }
}
