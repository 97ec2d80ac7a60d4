/// An answer of a web server as it is on the wire (RFC 9112).
struct HTTPMessage {
  let status: Int
  private(set) var headers: [(name: String, value: String)] = []
  /// The body with its transfer coding undone.
  let body: [UInt8]

  /// Reads a message; nil where it does not begin as one.
  init?(_ bytes: [UInt8]) {
    let head = MIMEMessage(bytes[...])
    let line = bytes.prefix(256).prefix { $0 != 0x0a && $0 != 0x0d }
    let words = line.split(separator: 0x20, maxSplits: 2)
    guard words.count >= 2, words[0].starts(with: "HTTP/".utf8),
      let status = Int(String(decoding: words[1], as: UTF8.self))
    else { return nil }
    self.status = status
    // The status line is no field: it has no colon before its first blank.
    headers = head.headers.filter { !$0.name.hasPrefix("http/") }
    let isChunked = head["transfer-encoding"]?.loweredASCII.contains("chunked") ?? false
    body = isChunked ? Self.unchunked(head.body) : Array(head.body)
  }

  subscript(name: String) -> String? { headers.field(name) }

  /// The chunks of a body joined; a body that was stored joined already stays as it is.
  private static func unchunked(_ body: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var position = body.startIndex
    while position < body.endIndex {
      let end = body[position...].firstIndex(of: 0x0a) ?? body.endIndex
      let digits = body[position..<end].prefix { $0.isHexDigit }
      guard !digits.isEmpty, digits.count <= 8,
        let count = Int(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return result.isEmpty ? Array(body) : result }
      guard count > 0 else { return result }
      let start = min(end + 1, body.endIndex)
      let stop = min(start + count, body.endIndex)
      result += body[start..<stop]
      let next = body[stop...].firstIndex(of: 0x0a)
      position = next.map { $0 + 1 } ?? body.endIndex
    }
    return result
  }
}
