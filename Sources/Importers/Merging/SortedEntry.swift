package import Events

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
  private static let headByteCount = 8 + 4 + 1 + 1 + 1 + 8 + 16 + 2 + 8 + 4

  static func append(_ entry: SortedEntry, to bytes: inout [UInt8]) {
    append(UInt64(bitPattern: entry.time), 8, &bytes)
    append(UInt64(entry.file), 4, &bytes)
    let counted = countedPart(entry.counted)
    bytes.append(
      (entry.isPageVisit ? 1 : 0) | (entry.isRedirect ? 2 : 0) | (counted.isEmpty ? 0 : 4))
    bytes.append(entry.event.kind.rawValue)
    bytes.append(entry.place.unit.rawValue)
    append(UInt64(bitPattern: entry.place.number), 8, &bytes)
    append(entry.event.id?.high ?? 0, 8, &bytes)
    append(entry.event.id?.low ?? 0, 8, &bytes)
    append(UInt64(entry.event.schema), 2, &bytes)
    append(UInt64(bitPattern: entry.event.time?.microseconds ?? entry.time), 8, &bytes)
    append(UInt64(counted.count + entry.event.payload.count), 4, &bytes)
    bytes += counted
    bytes += entry.event.payload
  }

  /// Its length, what it has of a time, the time, the place of the count, and what it is made of.
  private static func countedPart(_ identity: Identity?) -> [UInt8] {
    guard let identity, let countPlace = identity.countPlace else { return [] }
    var bytes: [UInt8] = []
    append(UInt64(identity.bytes.count), 4, &bytes)
    bytes.append((identity.time == nil ? 0 : 1) | (identity.isUntimed ? 2 : 0))
    append(UInt64(bitPattern: identity.time ?? 0), 8, &bytes)
    append(UInt64(countPlace), 4, &bytes)
    return bytes + identity.bytes
  }

  private static let countedHeadByteCount = 4 + 1 + 8 + 4

  private static func counted(_ bytes: [UInt8], at start: Int) -> Identity? {
    let first = start + countedHeadByteCount
    let end = first + Int(number(bytes, start, 4))
    let time = Int64(bitPattern: number(bytes, start + 5, 8))
    let countPlace = Int(number(bytes, start + 13, 4))
    guard end <= bytes.count, countPlace <= end - first else { return nil }
    return Identity(
      bytes: Array(bytes[first..<end]), countPlace: countPlace,
      time: bytes[start + 4] & 1 == 0 ? nil : time, isUntimed: bytes[start + 4] & 2 != 0)
  }

  private static func append(_ value: UInt64, _ count: UInt64, _ bytes: inout [UInt8]) {
    for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (byte * 8))) }
  }

  /// How many bytes the row at a place has; nil where it is not all there.
  static func byteCount(_ bytes: [UInt8], at start: Int) -> Int? {
    guard start + headByteCount <= bytes.count else { return nil }
    let count = headByteCount + Int(number(bytes, start + headByteCount - 4, 4))
    return start + count <= bytes.count ? count : nil
  }

  static func time(_ bytes: [UInt8], at start: Int) -> Int64 {
    Int64(bitPattern: number(bytes, start, 8))
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[start + index]) << UInt64(index * 8) }
    return value
  }

  /// The entry at a place where a whole row is; nil for bytes that are none.
  static func entry(_ bytes: [UInt8], at start: Int) -> SortedEntry? {
    guard let count = byteCount(bytes, at: start),
      let kind = EventKind(rawValue: bytes[start + 13]),
      let unit = RecordPlace.Unit(rawValue: bytes[start + 14])
    else { return nil }
    let time = time(bytes, at: start)
    var payload = start + headByteCount
    var identity: Identity?
    if bytes[start + 12] & 4 != 0 {
      guard count >= headByteCount + countedHeadByteCount,
        let counted = counted(bytes, at: payload)
      else { return nil }
      identity = counted
      payload += countedHeadByteCount + counted.bytes.count
    }
    guard payload <= start + count else { return nil }
    let event = EncodedEvent(
      kind: kind,
      id: EventID(high: number(bytes, start + 23, 8), low: number(bytes, start + 31, 8)),
      recorded: Timestamp(microseconds: time),
      time: Timestamp(microseconds: Int64(bitPattern: number(bytes, start + 41, 8))),
      schema: UInt16(number(bytes, start + 39, 2)),
      payload: Array(bytes[payload..<start + count]))
    return SortedEntry(
      event: event, time: time, file: Int(number(bytes, start + 8, 4)),
      place: RecordPlace(unit, Int64(bitPattern: number(bytes, start + 15, 8))),
      isPageVisit: bytes[start + 12] & 1 != 0, isRedirect: bytes[start + 12] & 2 != 0,
      counted: identity)
  }
}
