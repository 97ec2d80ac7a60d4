import Values

/// The files of a tar archive (POSIX ustar and pax, GNU long names), one after the other.
final class TarReader: ArchiveContent {
  /// When the file that is visited was written.
  private(set) var modified: Int64?
  private let stream: ByteStream
  private var at = 0
  private var left: Int64 = 0
  private var padding = 0

  private static let blockByteCount = 512
  private static let nameByteCountMax: Int64 = 1 << 20

  init(_ stream: ByteStream) { self.stream = stream }

  static func recognises(_ head: [UInt8]) -> Bool {
    // A text may have the word there, but no NUL, which ends the fields before it.
    head.count >= blockByteCount && head[257..<262].elementsEqual("ustar".utf8)
      && head[..<257].contains(0)
  }

  /// Visits the regular files; what the body leaves of one is passed over.
  func forEach(_ body: (String, any ArchiveContent) throws(CairnError) -> Void) throws(CairnError) {
    var longName: String?
    var longSize: Int64?
    var longTime: Int64?
    while let header = try block() {
      guard header.contains(where: { $0 != 0 }) else { return }
      guard header[257..<262].elementsEqual("ustar".utf8), let size = Self.number(header[124..<136])
      else { throw CairnError(.malformed, "is damaged: no header of a file where one should be") }
      left = longSize ?? size
      longSize = nil
      padding = (Self.blockByteCount - Int(left % Int64(Self.blockByteCount))) % Self.blockByteCount
      switch header[156] {
      case UInt8(ascii: "L"): longName = Self.text(try smallContent()[...])
      case UInt8(ascii: "x"):
        let records = try smallContent()
        longName = Self.value(of: "path", inPax: records) ?? longName
        longTime = Self.value(of: "mtime", inPax: records).flatMap { Double($0) }.flatMap {
          Int64(exactly: $0.rounded(.down))
        }
        // Of files of 8 GiB and more.
        longSize = Self.value(of: "size", inPax: records).flatMap { Int64($0) }.map { max(0, $0) }
      case UInt8(ascii: "0"), 0:
        let prefix = Self.text(header[345..<500])
        let short = (prefix.isEmpty ? "" : prefix + "/") + Self.text(header[0..<100])
        let seconds = longTime ?? Self.number(header[136..<148])
        modified = seconds.flatMap { CivilTime.scaled($0, by: 1_000_000) }
        try body(longName ?? short, self)
        (longName, longTime) = (nil, nil)
      default: (longName, longTime) = (nil, nil)
      }
      while try !next().isEmpty {}
      try skip(padding)
    }
  }

  /// The next bytes of the file that is visited; none at its end.
  func next() throws(CairnError) -> [UInt8] {
    guard left > 0 else { return [] }
    guard try stream.fill(&at) else { throw CairnError(.malformed, "ends in the middle of a file") }
    let count = Int(min(left, Int64(stream.chunk.count - at)))
    defer { at += count }
    left -= Int64(count)
    return Array(stream.chunk[at..<at + count])
  }

  private func skip(_ count: Int) throws(CairnError) {
    var count = count
    while count > 0, try stream.fill(&at) {
      let step = min(count, stream.chunk.count - at)
      at += step
      count -= step
    }
  }

  private func block() throws(CairnError) -> [UInt8]? {
    var block: [UInt8] = []
    while block.count < Self.blockByteCount {
      guard try stream.fill(&at) else {
        guard block.isEmpty else { throw CairnError(.malformed, "ends in the middle of a header") }
        return nil
      }
      let count = min(Self.blockByteCount - block.count, stream.chunk.count - at)
      block += stream.chunk[at..<at + count]
      at += count
    }
    return block
  }

  private func smallContent() throws(CairnError) -> [UInt8] {
    guard left <= Self.nameByteCountMax else {
      throw CairnError(.malformed, "is damaged: a name of \(left) bytes")
    }
    var bytes: [UInt8] = []
    while true {
      let piece = try next()
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }

  /// Octal digits, or GNU's base 256.
  private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
    if let first = field.first, first & 0x80 != 0 {
      var value = Int64(first & 0x7F)
      for byte in field.dropFirst() {
        guard value < 1 << 54 else { return nil }
        value = value << 8 | Int64(byte)
      }
      return value
    }
    let digits = field.drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
    return digits.isEmpty ? 0 : Int64(String(decoding: digits, as: UTF8.self), radix: 8)
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// A record of a pax header: `LENGTH path=VALUE`.
  private static func value(of name: String, inPax bytes: [UInt8]) -> String? {
    let key = Array("\(name)=".utf8)
    for line in bytes.split(separator: 0x0A) {
      guard let blank = line.firstIndex(of: 0x20) else { continue }
      let record = line[(blank + 1)...]
      if record.starts(with: key) {
        return String(decoding: record.dropFirst(key.count), as: UTF8.self)
      }
    }
    return nil
  }
}
