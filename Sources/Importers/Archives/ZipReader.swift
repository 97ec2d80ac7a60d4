import Compression
import Files
import Values

/// The files of a zip archive (APPNOTE 6.3.10), those of more than 4 GiB too.
final class ZipReader {
  private struct Entry {
    var name: String
    var flags: UInt64
    var method: UInt64
    var checksum: UInt64
    var packedByteCount: UInt64
    var offset: UInt64
    var modified: Int64?
  }

  private let zone: TimeZone
  private let file: OpenFile
  private let byteCount: UInt64

  private static let listByteCountMax: UInt64 = 512 << 20
  private static let pieceByteCount = 1 << 17

  /// An archive, packed in a zone: times of its files have none.
  init(path: String, zone: TimeZone) throws(CairnError) {
    self.zone = zone
    guard let file = try OpenFile(reading: path) else {
      throw CairnError.system(.missing, "cannot be read")
    }
    byteCount = UInt64(try file.byteCount() ?? 0)
    self.file = file
  }

  static func recognises(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6])
  }

  private static let damaged = CairnError(
    .malformed, "is damaged: its list of files cannot be read")

  /// Visits the files in the order of the list.
  /// - Throws: `CairnError` where some of them cannot be unpacked, after the others.
  func forEach(_ body: (String, any ArchiveContent) throws(CairnError) -> Void) throws(CairnError) {
    var refused: CairnError?
    for entry in try entries() where !entry.name.hasSuffix("/") {
      if entry.flags & 1 != 0 {
        refused = CairnError(
          .malformed, "is encrypted and was passed over; unpack it first", place: entry.name)
      } else if entry.method != 0 && entry.method != 8 {
        refused = CairnError(
          .malformed,
          "is packed by method \(entry.method) and was passed over; unpack it first",
          place: entry.name)
      } else {
        let content = try Content(self, entry)
        do throws(CairnError) { try body(entry.name, content) } catch {
          guard content.isDamaged else { throw error }
          refused = CairnError(
            .malformed, "is damaged and was passed over; get the archive again", place: entry.name)
        }
      }
    }
    if let refused { throw refused }
  }

  private func bytes(at offset: UInt64, _ count: UInt64) throws(CairnError) -> [UInt8] {
    guard offset <= byteCount, count <= byteCount - offset else { throw Self.damaged }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let done = try file.read(into: &bytes, bytes.indices, at: Int(offset))
    guard done == bytes.count else { throw Self.damaged }
    return bytes
  }

  private func number(_ reader: inout BinaryReader, _ count: Int) throws(CairnError) -> UInt64 {
    guard let value = reader.unsigned(count, .little) else { throw Self.damaged }
    return value
  }

  /// Where the list of files is, and how long it is.
  private func list() throws(CairnError) -> (offset: UInt64, count: UInt64) {
    let tailCount = min(byteCount, 65_557)
    let tail = try bytes(at: byteCount - tailCount, tailCount)
    guard
      let end = stride(from: tail.count - 22, through: 0, by: -1).first(where: {
        tail[$0...].starts(with: [0x50, 0x4B, 5, 6])
      })
    else { throw Self.damaged }
    var reader = BinaryReader(Array(tail[(end + 12)...]))
    let count = try number(&reader, 4)
    let offset = try number(&reader, 4)
    guard offset == 0xFFFF_FFFF || count == 0xFFFF_FFFF else { return (offset, count) }
    let place = byteCount - tailCount + UInt64(end)
    guard place >= 20 else { throw Self.damaged }
    var locator = BinaryReader(try bytes(at: place - 20, 20))
    guard try number(&locator, 4) == 0x0706_4B50, locator.skip(4) else { throw Self.damaged }
    var record = BinaryReader(try bytes(at: try number(&locator, 8), 56))
    guard try number(&record, 4) == 0x0606_4B50, record.skip(36) else { throw Self.damaged }
    let longCount = try number(&record, 8)
    return (try number(&record, 8), longCount)
  }

  private func entries() throws(CairnError) -> [Entry] {
    let (offset, count) = try list()
    guard count <= Self.listByteCountMax else { throw Self.damaged }
    var reader = BinaryReader(try bytes(at: offset, count))
    var entries: [Entry] = []
    while reader.left >= 46 {
      guard try number(&reader, 4) == 0x0201_4B50, reader.skip(4) else { throw Self.damaged }
      let flags = try number(&reader, 2)
      let method = try number(&reader, 2)
      let (clock, day) = (try number(&reader, 2), try number(&reader, 2))
      let checksum = try number(&reader, 4)
      var packed = try number(&reader, 4)
      let unpacked = try number(&reader, 4)
      let (nameCount, extraCount) = (try number(&reader, 2), try number(&reader, 2))
      let commentCount = try number(&reader, 2)
      guard reader.skip(8) else { throw Self.damaged }
      var offset = try number(&reader, 4)
      guard let name = reader.bytes(Int(nameCount)), let extra = reader.bytes(Int(extraCount)),
        reader.skip(Int(commentCount))
      else { throw Self.damaged }
      try Self.widen(extra, unpacked, &packed, &offset)
      entries.append(
        Entry(
          name: String(decoding: name, as: UTF8.self), flags: flags, method: method,
          checksum: checksum, packedByteCount: packed, offset: offset,
          modified: Self.universalTime(extra) ?? localTime(day, clock)))
    }
    try Self.requireApart(entries)
    return entries
  }

  /// Files that share bytes of the archive are how few bytes become petabytes (Fifield, 2019).
  private static func requireApart(_ entries: [Entry]) throws(CairnError) {
    var end: UInt64 = 0
    for entry in entries.sorted(by: { $0.offset < $1.offset }) {
      let (next, isTooLong) = entry.offset.addingReportingOverflow(entry.packedByteCount)
      guard entry.offset >= end, !isTooLong else {
        throw CairnError(.malformed, "is damaged: files in it lie over one another")
      }
      end = next
    }
  }

  /// Seconds since 1970 of the extended timestamp (Info-ZIP, field 0x5455), in microseconds.
  private static func universalTime(_ extra: [UInt8]) -> Int64? {
    var reader = BinaryReader(extra)
    while let id = reader.unsigned(2, .little), let size = reader.unsigned(2, .little) {
      guard let field = reader.bytes(Int(size)) else { return nil }
      guard id == 0x5455, (field.first ?? 0) & 1 == 1 else { continue }
      var values = BinaryReader(Array(field.dropFirst()))
      let seconds = values.unsigned(4, .little).map { Int32(truncatingIfNeeded: $0) }
      return seconds.map { Int64($0) * 1_000_000 }
    }
    return nil
  }

  /// The date and time of MS-DOS.
  private func localTime(_ day: UInt64, _ clock: UInt64) -> Int64? {
    CivilTime.utc(
      1980 + Int(day >> 9), Int(day >> 5 & 15), Int(day & 31), Int(clock >> 11),
      Int(clock >> 5 & 63), min(59, Int(clock & 31) * 2)
    ).map { zone.utc(fromLocal: $0) }
  }

  /// Takes the long numbers of field 1 where the short ones have no room for them.
  private static func widen(
    _ extra: [UInt8], _ unpacked: UInt64, _ packed: inout UInt64, _ offset: inout UInt64
  ) throws(CairnError) {
    var reader = BinaryReader(extra)
    while let id = reader.unsigned(2, .little), let size = reader.unsigned(2, .little) {
      guard let field = reader.bytes(Int(size)) else { return }
      guard id == 1 else { continue }
      var values = BinaryReader(field)
      if unpacked == 0xFFFF_FFFF { _ = values.skip(8) }
      if packed == 0xFFFF_FFFF { packed = values.unsigned(8, .little) ?? packed }
      if offset == 0xFFFF_FFFF { offset = values.unsigned(8, .little) ?? offset }
      return
    }
  }

  private final class Content: ArchiveContent {
    let modified: Int64?
    private let reader: ZipReader
    private let offset: UInt64
    /// Where the next bytes are; nil before the first.
    private var position: UInt64?
    private var left: UInt64
    private let unpacker: Unpacker?
    private let wantedChecksum: UInt64
    private var checksum = CRC32()
    /// Whether what is packed is not what the archive says that it is.
    private(set) var isDamaged = false

    init(_ reader: ZipReader, _ entry: Entry) throws(CairnError) {
      self.reader = reader
      offset = entry.offset
      modified = entry.modified
      left = entry.packedByteCount
      wantedChecksum = entry.checksum
      unpacker = entry.method == 8 ? try Unpacker(.deflate) : nil
    }

    func next() throws(CairnError) -> [UInt8] {
      do throws(CairnError) {
        let piece = try nextPiece()
        checksum.add(piece)
        guard !piece.isEmpty || UInt64(checksum.value) == wantedChecksum else {
          throw CairnError(.malformed, "what is packed in it is damaged")
        }
        return piece
      } catch {
        isDamaged = error.code == .malformed
        throw error
      }
    }

    /// Where the bytes begin, behind a header of their own.
    private func start() throws(CairnError) -> UInt64 {
      var head = BinaryReader(try reader.bytes(at: offset, 30))
      guard try reader.number(&head, 4) == 0x0403_4B50, head.skip(22) else {
        throw ZipReader.damaged
      }
      let names = try reader.number(&head, 2) + reader.number(&head, 2)
      return offset + 30 + names
    }

    private func nextPiece() throws(CairnError) -> [UInt8] {
      var place = position ?? 0
      if position == nil { place = try start() }
      position = place
      var piece: [UInt8] = []
      while true {
        if let unpacker {
          if try unpacker.next(into: &piece) { return piece }
          if unpacker.isComplete { return [] }
        }
        let count = min(left, UInt64(ZipReader.pieceByteCount))
        guard count > 0 else {
          guard unpacker == nil else {
            throw CairnError(.malformed, "ends in the middle of what is packed in it")
          }
          return []
        }
        piece = try reader.bytes(at: place, count)
        place += count
        position = place
        left -= count
        guard let unpacker else { return piece }
        unpacker.feed(piece)
      }
    }
  }
}
