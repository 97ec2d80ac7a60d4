/// One line of a web server's log in the Common or the Combined Log Format
/// (https://httpd.apache.org/docs/2.4/logs.html#accesslog).
struct AccessLogLine: Equatable {
  /// Nil where the log has none.
  var host: String?
  /// Who signed in; nil for nobody.
  var user: String?
  /// Unix seconds.
  var time: Int64
  var method: String
  /// As written in the request line.
  var target: String
  var status: Int

  /// Somebody was shown something: a GET that was answered with content, or with "what you
  /// have is still good".
  var isView: Bool { method == "GET" && [200, 206, 304].contains(status) && !target.isEmpty }

  struct Malformed: Error, Equatable {
    var reason: String
  }

  /// Reads `host ident user [time] "request" status bytes` and whatever comes after it.
  init(_ line: ArraySlice<UInt8>) throws(Malformed) {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw Malformed(reason: "not UTF-8")
    }
    let space: UInt8 = 0x20
    guard let hostEnd = text.utf8.firstIndex(of: space), hostEnd > text.startIndex else {
      throw Malformed(reason: "no host at the beginning")
    }
    guard let open = text[hostEnd...].firstRange(of: " ["),
      let close = text[open.upperBound...].utf8.firstIndex(of: UInt8(ascii: "]"))
    else { throw Malformed(reason: "no [time] after the host") }
    // `host ident user`: a user's name may hold blanks.
    let front = text[..<open.lowerBound]
    let commaCount = front.utf8.count { $0 == UInt8(ascii: ",") }
    var names = front.split(separator: " ", maxSplits: 3 + commaCount)
    // Debian's vhost_combined has the server and its port before them.
    if names.count > 3, Self.isServer(names[0]) { names.removeFirst() }
    // Servers behind others may write all addresses of the way: `10.0.0.1, 10.9.9.9 - - [`,
    // also without blanks or in quotes.
    let client = (names.first ?? "").prefix { $0 != "," }.filter { $0 != "\"" }
    names.removeFirst(names.prefix { $0.last == "," }.count)
    host = Self.known(client)
    user = Self.known(names.dropFirst(2).joined(separator: " "))
    guard let time = AccessLogTime.unixSeconds(text[open.upperBound..<close]) else {
      throw Malformed(reason: "the time is not like 17/May/2015:10:05:03 +0000")
    }
    self.time = time
    let (request, afterRequest) = try Self.quoted(text[text.utf8.index(after: close)...])
    let parts = Self.splitRequest(request)
    method = parts.method
    target = parts.target
    let fields = afterRequest.split(separator: " ", maxSplits: 2)
    guard fields.count >= 2, fields[0].utf8.count == 3, let status = Int(fields[0]),
      fields[1] == "-" || UInt64(fields[1]) != nil
    else { throw Malformed(reason: "no status and size after the request") }
    self.status = status
  }

  /// A name; nil for what stands for none.
  private static func known(_ name: String) -> String? {
    ["", "-", "\"\""].contains(name) ? nil : name
  }

  /// `name:port`, which no client is: an address of IPv6 has more colons.
  private static func isServer(_ name: Substring) -> Bool {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 && UInt16(parts[1]) != nil
  }

  /// The text between quotes, where `\"` does not end it.
  private static func quoted(_ rest: Substring) throws(Malformed) -> (Substring, rest: Substring) {
    guard rest.hasPrefix(" \"") else { throw Malformed(reason: "no \"request\" after the time") }
    let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
    var index = start
    while index < rest.endIndex {
      switch rest.utf8[index] {
      case UInt8(ascii: "\""): return (rest[start..<index], rest[rest.utf8.index(after: index)...])
      case UInt8(ascii: "\\"):
        index = rest.utf8.index(index, offsetBy: 2, limitedBy: rest.endIndex) ?? rest.endIndex
      default: index = rest.utf8.index(after: index)
      }
    }
    throw Malformed(reason: "the \"request\" does not end")
  }

  /// `GET /a b HTTP/1.1`: the target is what stands between the method and the protocol.
  private static func splitRequest(_ request: Substring) -> (method: String, target: String) {
    guard let first = request.utf8.firstIndex(of: 0x20) else { return (String(request), "") }
    var target = request[request.utf8.index(after: first)...]
    if let last = target.utf8.lastIndex(of: 0x20), target[last...].hasPrefix(" HTTP/") {
      target = target[..<last]
    }
    return (String(request[..<first]), String(target))
  }
}
