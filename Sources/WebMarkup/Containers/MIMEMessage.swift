import Values

/// A message or a part of one (RFC 5322, RFC 2045, RFC 2046).
struct MIMEMessage {
  var headers: [(name: String, value: String)] = []
  let body: ArraySlice<UInt8>

  /// Fields that begin or end beyond so many bytes are none: no page needs them.
  private static let headByteCountMax = 1 << 20

  /// Splits a message into its header fields and its body.
  init(_ bytes: ArraySlice<UInt8>) {
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let end = bytes[position...].firstIndex(of: 0x0a) ?? bytes.endIndex
      var line = bytes[position..<end]
      if line.last == 0x0d { line = line.dropLast() }
      position = min(end + 1, bytes.endIndex)
      if line.isEmpty { break }
      guard position - bytes.startIndex <= Self.headByteCountMax else { continue }
      let text = String(decoding: line, as: UTF8.self)
      if let first = line.first, first == 0x20 || first == 0x09, !headers.isEmpty {
        headers[headers.count - 1].value += " " + text.strippedSpace
      } else if let colon = text.firstIndex(of: ":") {
        headers.append(
          (
            String(text[..<colon]).strippedSpace.loweredASCII,
            String(text[text.index(after: colon)...]).strippedSpace
          ))
      }
    }
    body = bytes[position...]
  }

  /// Whether a file begins with header fields of a message.
  static func isMessage(_ bytes: [UInt8]) -> Bool {
    let message = MIMEMessage(bytes.prefix(16_384))
    return message["mime-version"] != nil || message.isMultipart
  }

  var isMultipart: Bool { self["content-type"]?.loweredASCII.hasPrefix("multipart/") ?? false }

  subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// A parameter of the content type.
  func parameter(_ name: String) -> String? {
    for part in (self["content-type"] ?? "").split(separator: ";").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map { String($0).strippedSpace }
      if pair.count == 2, pair[0].loweredASCII == name {
        return String(pair[1].filter { $0 != "\"" })
      }
    }
    return nil
  }

  /// The body with its transfer encoding undone.
  var content: [UInt8] {
    switch self["content-transfer-encoding"]?.loweredASCII {
    case "quoted-printable": QuotedPrintable.decode(body)
    case "base64": Base64Text.decode(body)
    default: Array(body)
    }
  }

  /// The parts of a multipart body; false where its end is missing.
  func parts() -> (parts: [MIMEMessage], isWhole: Bool) {
    guard let boundary = parameter("boundary") else { return ([], false) }
    let mark = Array("--\(boundary)".utf8)
    var parts: [MIMEMessage] = []
    var start: Int?
    var position = body.startIndex
    while position < body.endIndex {
      let end = body[position...].firstIndex(of: 0x0a).map { $0 + 1 } ?? body.endIndex
      if body[position..<end].starts(with: mark) {
        if let start { parts.append(MIMEMessage(Self.trimmed(body[start..<position]))) }
        if body[(position + mark.count)..<end].starts(with: [0x2d, 0x2d]) { return (parts, true) }
        start = end
      }
      position = end
    }
    if let start { parts.append(MIMEMessage(body[start...])) }
    return (parts, false)
  }

  /// The line end before a boundary belongs to the boundary.
  private static func trimmed(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var part = part
    if part.last == 0x0a { part = part.dropLast() }
    if part.last == 0x0d { part = part.dropLast() }
    return part
  }
}

/// Text of which some bytes are written as `=C3`, and lines are broken behind `=` (RFC 2045,
/// section 6.7).
package enum QuotedPrintable {
  /// The bytes that are meant; what is no code stays.
  package static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      guard bytes[index] == UInt8(ascii: "=") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      if index + 2 < bytes.endIndex, bytes[index + 1].isHexDigit, bytes[index + 2].isHexDigit {
        result.append(bytes[index + 1].hexValue << 4 | bytes[index + 2].hexValue)
        index += 3
      } else if index + 1 < bytes.endIndex, bytes[index + 1] == 0x0a {
        index += 2
      } else if index + 2 < bytes.endIndex, bytes[index + 1] == 0x0d, bytes[index + 2] == 0x0a {
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}

/// Base64 as messages have it: anything else between the digits is left out.
package enum Base64Text {
  /// In the alphabet of URLs as well.
  private static func value(_ byte: UInt8) -> UInt8? {
    byte == 0x2d ? 62 : byte == 0x5f ? 63 : Base64.value(byte)
  }

  /// Whether there is nothing but digits, blanks, and what fills the end.
  static func isValid(_ bytes: some Sequence<UInt8>) -> Bool {
    var count = 0
    for byte in bytes where !byte.isSpace && byte != 0x3d {
      guard value(byte) != nil else { return false }
      count += 1
    }
    return count % 4 != 1
  }

  package static func decode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in bytes {
      if byte == 0x3d { return result }
      guard let value = value(byte) else { continue }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }
}
