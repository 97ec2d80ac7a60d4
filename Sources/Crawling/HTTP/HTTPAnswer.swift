internal import WebMarkup

/// An answer of a web server, its transfer coding undone.
package struct HTTPAnswer: Sendable {
  package var status: Int
  /// Fields with their names in lower case, in order.
  package var headers: [(name: String, value: String)]
  /// The body as it came, content codings and all.
  package var body: [UInt8]

  /// The first field of a name in lower case, the last one of types.
  package subscript(name: String) -> String? { headers.field(name) }

  /// The content codings of the body, in the order in which they were applied, with commas between.
  package var contentCodings: String { elements("content-encoding").joined(separator: ",") }

  /// The elements of a list, in lower case: lines of one name are one list (RFC 9110, section 5.3).
  package func elements(_ name: String) -> [String] {
    var elements: [String] = []
    for header in headers where header.name == name {
      for element in header.value.split(separator: ",") {
        let words = element.split { $0 == " " || $0 == "\t" }
        if !words.isEmpty { elements.append(words.joined(separator: " ").lowercased()) }
      }
    }
    return elements
  }
}

/// Reads an answer piece by piece (RFC 9112).
struct AnswerReader: ~Copyable {
  private let limit: Int
  private let isCut: Bool
  private let receive: () throws(FetchFault) -> [UInt8]
  private var buffer: [UInt8] = []
  private var at = 0
  private var isKept = false
  private(set) var hasBegun = false

  /// Whether another request can be sent on the connection; what came behind the answer would be
  /// taken for the next one.
  var isReusable: Bool { isKept && at == buffer.count }

  private static let headByteCountMax = 1 << 16

  /// Reads bodies of up to `limit` bytes, of longer ones the beginning where they may be cut;
  /// `receive` gives the next ones, and none at the end.
  init(limit: Int, isCut: Bool = false, receive: @escaping () throws(FetchFault) -> [UInt8]) {
    self.limit = limit
    self.isCut = isCut
    self.receive = receive
  }

  /// The next answer that is not provisional.
  mutating func answer() throws(FetchFault) -> HTTPAnswer {
    while true {
      let (version, status, headers) = try head()
      if (100..<200).contains(status) { continue }
      var answer = HTTPAnswer(status: status, headers: headers, body: [])
      let options = answer.elements("connection")
      isKept = options.isEmpty ? version != "HTTP/1.0" : !options.contains("close")
      if status == 204 || status == 304 { return answer }
      let codings = answer.elements("transfer-encoding").filter { $0 != "identity" }
      let lengths = Set(answer.elements("content-length"))
      if !codings.isEmpty {
        // No other one is asked for.
        guard codings.allSatisfy({ $0 == "chunked" }) else { throw Self.malformed }
        answer.body = try chunks()
      } else if let text = lengths.first {
        guard lengths.count == 1, text.allSatisfy({ ("0"..."9").contains($0) }) else {
          throw Self.malformed
        }
        let length = Int(text) ?? .max
        if length > limit { try cut() }
        answer.body = try bytes(min(length, limit))
      } else {
        isKept = false
        answer.body = try rest()
      }
      return answer
    }
  }

  /// A body goes on behind the limit: what comes then is no other answer.
  private mutating func cut() throws(FetchFault) {
    guard isCut else { throw FetchFault(.tooLarge, "is larger than \(limit) bytes") }
    isKept = false
  }

  private static let truncated = FetchFault(.unanswered, "the answer ends too early")
  private static let malformed = FetchFault(.unanswered, "the answer is not HTTP/1.1")

  private mutating func fill() throws(FetchFault) -> Bool {
    let piece = try receive()
    guard !piece.isEmpty else { return false }
    hasBegun = true
    if at > 0 {
      buffer.removeSubrange(..<at)
      at = 0
    }
    buffer += piece
    return true
  }

  private mutating func line() throws(FetchFault) -> [UInt8] {
    var searched = 0
    while true {
      if let end = buffer[(at + searched)...].firstIndex(of: 0x0A) {
        var line = Array(buffer[at..<end])
        at = end + 1
        if line.last == 0x0D { line.removeLast() }
        return line
      }
      searched = buffer.count - at
      guard searched <= Self.headByteCountMax else { throw Self.malformed }
      guard try fill() else { throw Self.truncated }
    }
  }

  private mutating func head() throws(FetchFault) -> (
    version: String, status: Int, headers: [(name: String, value: String)]
  ) {
    let words = String(decoding: try line(), as: UTF8.self).split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]),
      (100..<600).contains(status)
    else { throw Self.malformed }
    var headers: [(name: String, value: String)] = []
    var size = 0
    while true {
      let line = try line()
      if line.isEmpty { return (String(words[0]), status, headers) }
      size += line.count
      guard size <= Self.headByteCountMax else { throw Self.malformed }
      if line[0] == 0x20 || line[0] == 0x09 {
        // It goes on with the field before (RFC 9112, section 5.2).
        if let last = headers.indices.last { headers[last].value += " " + Self.text(line[...]) }
        continue
      }
      guard let colon = line.firstIndex(of: 0x3A) else { continue }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      let value = line[(colon + 1)...]
      headers.append((name, Self.text(name == "location" ? Self.escaped(value)[...] : value)))
    }
  }

  /// A URL whose octets nobody says the encoding of: they are the same to the server that wrote
  /// them.
  private static func escaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      byte < 0x80 ? [byte] : Array("%\(String(byte, radix: 16, uppercase: true))".utf8)
    }
  }

  /// Without blanks at the ends.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let value = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    let end = value.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? value.startIndex
    return String(decoding: value[..<end], as: UTF8.self)
  }

  private mutating func bytes(_ count: Int) throws(FetchFault) -> [UInt8] {
    while buffer.count - at < count {
      guard try fill() else { throw Self.truncated }
    }
    at += count
    return Array(buffer[(at - count)..<at])
  }

  private mutating func rest() throws(FetchFault) -> [UInt8] {
    while buffer.count - at <= limit, try fill() {}
    if buffer.count - at > limit { try cut() }
    return Array(buffer[at...].prefix(limit))
  }

  private mutating func chunks() throws(FetchFault) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let digits = try line().prefix { $0 != 0x3B && $0 != 0x20 && $0 != 0x09 }
      guard digits.drop(while: { $0 == 0x30 }).count <= 8,
        let count = Int(String(decoding: digits, as: UTF8.self), radix: 16), count >= 0
      else { throw Self.malformed }
      if count == 0 {
        while try !line().isEmpty {}
        return body
      }
      if body.count + count > limit {
        try cut()
        return body + (try bytes(limit - body.count))
      }
      body += try bytes(count)
      guard try line().isEmpty else { throw Self.malformed }
    }
  }
}
