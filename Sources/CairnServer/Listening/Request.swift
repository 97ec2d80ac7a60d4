package struct Header: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether it goes by a name in lower case; names have ASCII only.
  fileprivate func isNamed(_ other: String) -> Bool {
    name.utf8.count == other.utf8.count
      && zip(name.utf8, other.utf8).allSatisfy { own, other in
        own == other || (0x41...0x5A).contains(own) && own | 0x20 == other
      }
  }
}

/// A request as it came, before anything was decided about it.
package struct Request: Sendable {
  /// Who sent it, as far as the connection tells.
  package enum Peer: Sendable {
    case network
    /// A process of the user that the server runs as, over a Unix socket.
    case sameUser
  }

  package var method: String
  /// Path and query as they came.
  package var target: String
  package var headers: [Header]
  package var peer: Peer
  /// In the log and in `X-Request-Id`.
  package var id: String
  package var hasBody: Bool
  package var arrived = ContinuousClock.now

  /// The values of a header, whose name is compared without case.
  package func values(_ name: String) -> [String] {
    headers.filter { $0.isNamed(name) }.map(\.value)
  }

  /// The value of a header that came once; nil when it is missing or came twice.
  package func value(_ name: String) -> String? {
    var found: String?
    for header in headers where header.isNamed(name) {
      guard found == nil else { return nil }
      found = header.value
    }
    return found
  }

  var declaredCount: Int? { value("content-length").flatMap { Int($0) } }

  /// The values of the cookies of a name (RFC 6265 §4.2).
  func cookies(_ name: String) -> [String] {
    values("cookie").flatMap { $0.split(separator: ";") }.compactMap { (pair) -> String? in
      let text = pair.trimmingPrefix(while: \.isWhitespace)
      return text.hasPrefix("\(name)=") ? String(text.dropFirst(name.count + 1)) : nil
    }
  }
}
