package enum ListenAddress: Sendable, Hashable {
  /// An address of this machine and its port; 0 for a free one.
  case ip(host: String, port: Int)
  case unix(path: String)

  /// The address that is listened at where none is named.
  package static let standard = ListenAddress.ip(host: "127.0.0.1", port: 22_476)

  /// Nil for what is no address: `127.0.0.1:P`, `[::1]:P`, `localhost:P` or `unix:PATH`.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      // A socket's path has room for 107 bytes (unix(7)).
      guard !path.isEmpty, path.utf8.count <= 107, !path.utf8.contains(0) else { return nil }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let port = UInt16(digits)
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self = .ip(host: host, port: Int(port))
  }

  /// Whether a browser can go there.
  package var isForBrowsers: Bool {
    switch self {
    case .unix: false
    case .ip: true
    }
  }

  /// Whether only programs of this machine can reach it.
  package var isLocal: Bool {
    switch self {
    case .unix: true
    // By other names of the loopback no client is answered: see `HostRule`.
    case .ip(let host, _): ["127.0.0.1", "::1", "localhost"].contains(host)
    }
  }

  package var url: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .ip(let host, let port):
      host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }
  }
}
