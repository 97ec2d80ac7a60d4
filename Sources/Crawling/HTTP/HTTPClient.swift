package import WebMarkup

/// Gets pages by HTTP/1.1, plain or by TLS.
///
/// The address that was checked is the one connected to: a name that leads elsewhere a moment
/// later changes nothing. No credentials are sent, no cookies kept. A connection is used again for
/// the same origin, one after the other.
package struct HTTPClient: ~Copyable {
  /// What a request says about who asks.
  private let userAgent: String
  private let allowsPrivate: Bool
  private let timeout: Duration
  private var idle: (origin: String, connection: Connection)?

  /// A client.
  /// - Parameters:
  ///   - userAgent: The field `User-Agent`.
  ///   - allowsPrivate: Whether addresses that are not on the public network are asked too.
  ///   - timeout: How long a whole answer may take, redirects each for themselves.
  package init(userAgent: String, allowsPrivate: Bool, timeout: Duration) {
    self.userAgent = userAgent
    self.allowsPrivate = allowsPrivate
    self.timeout = timeout
  }

  /// Asks for a URL once, following nothing.
  ///
  /// A body of more than `limit` bytes on the wire is a fault, or cut there.
  /// - Throws: ``FetchFault`` where there is no answer, or none that is taken.
  package mutating func get(
    _ url: WebURL, headers: [(name: String, value: String)] = [], limit: Int, isCut: Bool = false
  ) throws(FetchFault) -> HTTPAnswer {
    guard url.isHTTP, let host = url.host, !host.isEmpty else {
      throw FetchFault(.unfit, "only http and https URLs can be fetched")
    }
    let deadline = ContinuousClock.now + timeout
    let origin = Self.origin(of: url)
    let request = self.request(url, host, headers)
    if let kept = idle, kept.origin == origin, kept.connection.isQuiet {
      idle = nil
      var reader = kept.connection.reader(limit: limit, isCut: isCut, until: deadline)
      do throws(FetchFault) {
        try kept.connection.send(request, until: deadline)
        let answer = try reader.answer()
        if reader.isReusable { idle = kept }
        return answer
      } catch {
        // The server may have closed it meanwhile; an answer that began is none to ask for twice.
        guard error.kind == .unanswered, !reader.hasBegun, deadline > .now else { throw error }
      }
    }
    idle = nil
    let port = url.port ?? (url.scheme == "https" ? 443 : 80)
    let addresses = try HostAddress.of(host, port: port, allowsPrivate: allowsPrivate)
    let connection = try Connection(
      addresses, tlsName: url.scheme == "https" ? host : nil, until: deadline)
    try connection.send(request, until: deadline)
    var reader = connection.reader(limit: limit, isCut: isCut, until: deadline)
    let answer = try reader.answer()
    if reader.isReusable { idle = (origin, connection) }
    return answer
  }

  /// Scheme, host and port.
  package static func origin(of url: WebURL) -> String {
    "\(url.scheme)://\(url.host ?? "")" + (url.port.map { ":\($0)" } ?? "")
  }

  private func request(
    _ url: WebURL, _ host: String, _ headers: [(name: String, value: String)]
  ) -> [UInt8] {
    let path = url.path.isEmpty ? "/" : url.path
    var text = "GET \(path)" + (url.query.map { "?\($0)" } ?? "") + " HTTP/1.1\r\n"
    text += "Host: \(host)" + (url.port.map { ":\($0)" } ?? "") + "\r\n"
    text += "User-Agent: \(userAgent)\r\nAccept-Encoding: gzip\r\n"
    text += "Accept: text/html, application/xhtml+xml, application/xml;q=0.8, */*;q=0.5\r\n"
    for (name, value) in headers where !value.contains(where: \.isNewline) {
      text += "\(name): \(value)\r\n"
    }
    return Array((text + "\r\n").utf8)
  }
}

extension Connection {
  fileprivate func reader(limit: Int, isCut: Bool, until deadline: ContinuousClock.Instant)
    -> AnswerReader
  {
    AnswerReader(limit: limit, isCut: isCut) { () throws(FetchFault) in
      try self.receive(until: deadline)
    }
  }
}
