import Values
import WebMarkup

/// Tags and texts of HTML that nobody would call well-formed, as a row of tokens.
struct HTMLTokens: ~Copyable {
  enum Token {
    /// Names in lower case; the values of attributes without entities.
    case tag(String, attributes: [String: String])
    /// `/name`
    case endTag(String)
    case text([UInt8])
  }

  private let stream: ByteStream
  private var at = 0
  /// What stands between the brackets of the tag that was given last.
  private(set) var tagBytes: [UInt8] = []

  /// More than any title or value is long that is read; longer ones, which are pictures, are cut.
  private static let tokenByteCountMax = 1 << 20

  /// More than any tag is long: what lacks its end is not read on and on.
  private static let tagByteCountMax = 8 << 20

  init(_ stream: ByteStream) { self.stream = stream }

  private mutating func peek() throws(CairnError) -> UInt8? {
    try stream.fill(&at) ? stream.chunk[at] : nil
  }

  mutating func next() throws(CairnError) -> Token? {
    guard let first = try peek() else { return nil }
    if first == UInt8(ascii: "<") {
      at += 1
      // Before anything but a name, an end, a comment or an instruction it is a letter: 1 < 2.
      let next = try peek() ?? 0
      let isTag = (0x61...0x7A).contains(next | 0x20) || "/!?".utf8.contains(next)
      return isTag ? try tag() : .text([first])
    }
    var text: [UInt8] = []
    while let byte = try peek(), byte != UInt8(ascii: "<") {
      if text.count < Self.tokenByteCountMax { text.append(byte) }
      at += 1
    }
    return .text(text)
  }

  private mutating func tag() throws(CairnError) -> Token? {
    var bytes: [UInt8] = []
    var quote: UInt8?
    var (byteCount, valueByteCount) = (0, 0)
    var hasEnd = false
    while !hasEnd {
      // What came before the cut is a part of a URL or of a time, and looks like a whole one.
      guard let byte = try peek() else {
        throw CairnError(.malformed, "the file ends in the middle of a tag")
      }
      at += 1
      byteCount += 1
      if bytes.starts(with: [0x21, 0x2D, 0x2D]) {
        // A comment ends with two dashes and the bracket.
        hasEnd = byte == UInt8(ascii: ">") && bytes.suffix(2) == [0x2D, 0x2D] && bytes.count >= 5
        if bytes.count >= Self.tokenByteCountMax { bytes.removeSubrange(3..<bytes.count - 2) }
        if !hasEnd { bytes.append(byte) }
        continue
      }
      guard byteCount <= Self.tagByteCountMax else {
        throw CairnError(.malformed, "a tag is longer than \(Self.tagByteCountMax >> 20) MiB")
      }
      if let open = quote {
        if byte == open { quote = nil }
        valueByteCount += 1
        guard quote == nil || valueByteCount <= Self.tokenByteCountMax else { continue }
      } else if byte == UInt8(ascii: ">") {
        hasEnd = true
        continue
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), bytes.last == 0x3D {
        quote = byte
        valueByteCount = 0
      }
      bytes.append(byte)
    }
    guard !bytes.starts(with: [0x21]) else { return .text([]) }
    tagBytes = bytes
    var parser = TagParser(bytes: bytes)
    return parser.token()
  }

  /// The name and attributes of a tag, from what stands between its brackets.
  private struct TagParser {
    var bytes: [UInt8]
    var at = 0

    mutating func token() -> Token {
      let isEnd = bytes.first == UInt8(ascii: "/")
      if isEnd { at = 1 }
      let name = word(until: [0x2F])
      if isEnd { return .endTag(name.lowercased()) }
      var attributes: [String: String] = [:]
      while true {
        skipSpace()
        guard at < bytes.count else { break }
        let key = word(until: [0x3D]).lowercased()
        skipSpace()
        guard at < bytes.count, bytes[at] == 0x3D else {
          if key.isEmpty { at += 1 } else { attributes[key] = "" }
          continue
        }
        at += 1
        skipSpace()
        attributes[key] = HTMLText.decode(value(), inAttribute: true)
      }
      return .tag(name.lowercased(), attributes: attributes)
    }

    private mutating func skipSpace() {
      while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
    }

    private mutating func word(until stops: Set<UInt8>) -> String {
      let start = at
      while at < bytes.count, bytes[at] > 0x20, !stops.contains(bytes[at]) { at += 1 }
      return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func value() -> [UInt8] {
      guard at < bytes.count else { return [] }
      let quote = bytes[at]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        let start = at
        while at < bytes.count, bytes[at] > 0x20 { at += 1 }
        return Array(bytes[start..<at])
      }
      let start = at + 1
      at = bytes[start...].firstIndex(of: quote) ?? bytes.count
      let value = Array(bytes[start..<at])
      at += 1
      return value
    }
  }
}

enum HTMLText {
  /// Bytes as text without entities: UTF-8, else Windows-1252.
  static func decode(_ bytes: [UInt8], inAttribute: Bool = false) -> String {
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(bytes.map { CharacterReferences.scalar(UInt32($0)) })
    return withoutEntities(text, inAttribute: inAttribute)
  }

  /// The text with its entities replaced; those that nobody knows stay.
  private static func withoutEntities(_ text: String, inAttribute: Bool = false) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    let bytes = CharacterReferences.replaced(in: Array(text.utf8), inAttribute: inAttribute)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text of a piece of HTML: tags out, every run of white space one blank.
  static func plain(_ html: String) -> String {
    var text = String.UnicodeScalarView()
    // By scalars: a mark at the beginning of a text would be one character with the bracket before.
    var rest = html.unicodeScalars[...]
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      text += rest[..<open]
      let tag = String(rest[open..<close].dropFirst()).lowercased()
      if tag.hasPrefix("br") || tag.hasPrefix("/p") { text.append(" ") }
      rest = rest[close...].dropFirst()
    }
    let words = withoutEntities(String(text + rest)).unicodeScalars
      .split { $0.properties.isWhitespace }
    return words.map { String($0) }.joined(separator: " ")
  }
}
