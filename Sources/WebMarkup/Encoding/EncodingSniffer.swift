/// Finds out which encoding a page is in, as HTML says (13.2.3).
enum EncodingSniffer {
  /// The encoding, and how many bytes of byte order mark to leave out.
  static func encoding(of bytes: [UInt8], contentType: String?) -> (TextEncoding, skip: Int) {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return (.utf8, 3) }
    if bytes.starts(with: [0xfe, 0xff]) { return (utf16(isBig: true), 2) }
    if bytes.starts(with: [0xff, 0xfe]) { return (utf16(isBig: false), 2) }
    if let contentType, let charset = charset(in: Array(contentType.utf8)) { return (charset, 0) }
    if let declared = prescan(bytes.prefix(1024)) { return (declared, 0) }
    return (isUTF8(bytes[...]) ? .utf8 : .windows1252, 0)
  }

  private static func utf16(isBig: Bool) -> TextEncoding {
    let name = isBig ? "UTF-16BE" : "UTF-16LE"
    return TextEncoding(name: name, converter: name)
  }

  static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      return true
    } catch { return false }
  }

  /// The encoding named behind `charset=`.
  static func charset(in text: [UInt8]) -> TextEncoding? {
    let word = Array("charset".utf8)
    var position = 0
    while position + word.count <= text.count {
      guard text[position..<position + word.count].map(\.lowered) == word else {
        position += 1
        continue
      }
      position += word.count
      while position < text.count, text[position].isSpace { position += 1 }
      guard position < text.count, text[position] == UInt8(ascii: "=") else { continue }
      position += 1
      while position < text.count, text[position].isSpace { position += 1 }
      guard position < text.count else { return nil }
      let quote = text[position]
      if quote == 0x22 || quote == 0x27 {
        guard let end = text[(position + 1)...].firstIndex(of: quote) else { return nil }
        return TextEncoding(label: text[(position + 1)..<end])
      }
      let end = text[position...].firstIndex { $0.isSpace || $0 == UInt8(ascii: ";") } ?? text.count
      return TextEncoding(label: text[position..<end])
    }
    return nil
  }

  /// What a `meta` in the first bytes declares, else the declaration of XML that they begin with.
  private static func prescan(_ bytes: ArraySlice<UInt8>) -> TextEncoding? {
    if bytes.starts(with: [0x3c, 0x00, 0x3f, 0x00, 0x78, 0x00]) { return utf16(isBig: false) }
    if bytes.starts(with: [0x00, 0x3c, 0x00, 0x3f, 0x00, 0x78]) { return utf16(isBig: true) }
    var scan = MetaScan(bytes: Array(bytes))
    guard let found = scan.run() ?? declared(bytes) else { return nil }
    if found.name.hasPrefix("UTF-16") { return .utf8 }
    return found.name == "x-user-defined" ? .windows1252 : found
  }

  /// The encoding in the declaration of XML at the beginning (HTML's "get an XML encoding").
  private static func declared(_ bytes: ArraySlice<UInt8>) -> TextEncoding? {
    guard bytes.starts(with: "<?xml".utf8), let end = bytes.firstIndex(of: 0x3e),
      let word = bytes[..<end].firstRange(of: "encoding".utf8)
    else { return nil }
    var rest = bytes[word.upperBound..<end].drop { $0 <= 0x20 }
    guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
    rest = rest.drop { $0 <= 0x20 }
    guard let quote = rest.popFirst(), quote == 0x22 || quote == 0x27,
      let close = rest.firstIndex(of: quote), rest[..<close].allSatisfy({ $0 > 0x20 })
    else { return nil }
    return TextEncoding(label: rest[..<close])
  }
}

/// The prescan of HTML 13.2.3.3.
private struct MetaScan {
  let bytes: [UInt8]
  var position = 0

  mutating func run() -> TextEncoding? {
    while position < bytes.count {
      if has("<!--") {
        position += 2
        while position < bytes.count, !has("-->") { position += 1 }
        position += 3
      } else if has("<meta"), position + 5 < bytes.count,
        bytes[position + 5].isSpace || bytes[position + 5] == 0x2f
      {
        position += 6
        if let found = meta() { return found }
      } else if bytes[position] == 0x3c, position + 1 < bytes.count {
        skipMarkup()
      } else {
        position += 1
      }
    }
    return nil
  }

  private func has(_ word: String) -> Bool {
    bytes[position...].prefix(word.utf8.count).map(\.lowered).elementsEqual(word.utf8)
  }

  private mutating func skipMarkup() {
    let next = bytes[position + 1]
    let isEnd = next == 0x2f && position + 2 < bytes.count && bytes[position + 2].isLetter
    if next.isLetter || isEnd {
      skip { !$0.isSpace && $0 != 0x3e }
      while attribute() != nil {}
    } else if next == 0x21 || next == 0x2f || next == 0x3f {
      skip { $0 != 0x3e }
    } else {
      position += 1
    }
  }

  private mutating func meta() -> TextEncoding? {
    var seen: Set<[UInt8]> = []
    var isPragma = false
    var needsPragma: Bool?
    var found: TextEncoding?
    while let (name, value) = attribute() {
      guard seen.insert(name).inserted else { continue }
      switch String(decoding: name, as: UTF8.self) {
      case "http-equiv": isPragma = value.elementsEqual("content-type".utf8)
      case "content":
        if found == nil, let charset = EncodingSniffer.charset(in: value) {
          (found, needsPragma) = (charset, true)
        }
      case "charset": (found, needsPragma) = (TextEncoding(label: value), false)
      default: break
      }
    }
    guard let needsPragma, !needsPragma || isPragma else { return nil }
    return found
  }

  /// The next attribute in lower case, or nil at the end of the tag.
  private mutating func attribute() -> (name: [UInt8], value: [UInt8])? {
    skip { $0.isSpace || $0 == 0x2f }
    guard position < bytes.count, bytes[position] != 0x3e else { return nil }
    let nameStart = position
    position += 1
    skip { !$0.endsName && $0 != 0x3d }
    let name = bytes[nameStart..<position].map(\.lowered)
    skip { $0.isSpace }
    guard position < bytes.count, bytes[position] == 0x3d else { return (name, []) }
    position += 1
    skip { $0.isSpace }
    guard position < bytes.count else { return (name, []) }
    let quote = bytes[position]
    let isQuoted = quote == 0x22 || quote == 0x27
    if isQuoted { position += 1 }
    let valueStart = position
    skip { isQuoted ? $0 != quote : !$0.isSpace && $0 != 0x3e }
    let value = bytes[valueStart..<position].map(\.lowered)
    if isQuoted { position += 1 }
    return (name, value)
  }

  private mutating func skip(while isPart: (UInt8) -> Bool) {
    while position < bytes.count, isPart(bytes[position]) { position += 1 }
  }
}
