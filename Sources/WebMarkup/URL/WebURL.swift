/// A URL as the URL Standard (url.spec.whatwg.org) parses and writes it.
package struct WebURL: Hashable, Sendable {
  /// In lower case, without the colon.
  package internal(set) var scheme = "" { didSet { isSpecial = Self.isSpecial(scheme) } }
  /// Whether the standard has rules of its own for the scheme; asked for byte by byte.
  private(set) var isSpecial = false
  var username: [UInt8] = []
  var password: [UInt8] = []
  /// As it is written in the URL; nil where the URL has none.
  package internal(set) var host: String?
  /// Nil for none and for the scheme's own.
  package internal(set) var port: Int?
  /// Each segment behind a slash; an opaque path as it is.
  var pathBytes: [UInt8] = []
  var isOpaque = false
  /// Without the `?`; nil for none.
  var queryBytes: [UInt8]?
  /// Without the `#`; nil for none.
  var fragmentBytes: [UInt8]?

  /// Parses a text, relative to a base where one is given; nil where the standard says failure.
  ///
  /// Grows with the text.
  package init?(_ text: String, base: WebURL? = nil) {
    var parser = WebURLParser(Array(text.utf8), base: base)
    guard parser.run() else { return nil }
    self = parser.url
  }

  /// The same for a URL of HTML, whose query is in the encoding of its page.
  init?(_ text: String, base: WebURL?, encoding: TextEncoding) {
    var parser = WebURLParser(Array(text.utf8), base: base)
    parser.encoding = encoding
    guard parser.run() else { return nil }
    self = parser.url
  }

  init() {}

  package var isHTTP: Bool { scheme == "http" || scheme == "https" }

  /// The path as it is written.
  package var path: String { String(decoding: pathBytes, as: UTF8.self) }

  /// The query without its `?`; nil for none.
  package var query: String? { queryBytes.map { String(decoding: $0, as: UTF8.self) } }

  /// The fragment without its `#`; nil for none.
  var fragment: String? { fragmentBytes.map { String(decoding: $0, as: UTF8.self) } }

  package var withoutFragment: WebURL {
    var result = self
    result.fragmentBytes = nil
    return result
  }

  /// The same without user and password, which say who asks and not what for.
  package var withoutUser: WebURL {
    var result = self
    (result.username, result.password) = ([], [])
    return result
  }

  /// A text as one segment of a path.
  package static func percentEncoded(segment: String) -> String {
    String(decoding: PercentEncodeSet.component.encode(segment.utf8), as: UTF8.self)
  }

  /// Whether it names something within its site: a path, a query or a fragment.
  var isPageSpecific: Bool {
    !(pathBytes.isEmpty || pathBytes == [0x2f]) || !(queryBytes ?? []).isEmpty
      || !(fragmentBytes ?? []).isEmpty
  }

  /// As the standard serialises it.
  package var description: String {
    var result = Array(scheme.utf8) + [0x3a]
    if let host {
      result += [0x2f, 0x2f]
      if !username.isEmpty || !password.isEmpty {
        result += username
        if !password.isEmpty { result += [0x3a] + password }
        result.append(0x40)
      }
      result += host.utf8
      if let port { result += [0x3a] + String(port).utf8 }
    } else if !isOpaque, pathBytes.starts(with: [0x2f, 0x2f]) {
      result += [0x2f, 0x2e]
    }
    result += pathBytes
    if let queryBytes { result += [0x3f] + queryBytes }
    if let fragmentBytes { result += [0x23] + fragmentBytes }
    return String(decoding: result, as: UTF8.self)
  }
}

extension WebURL: CustomStringConvertible {}

extension WebURL {
  /// The special schemes and their ports; `file` has none.
  static func defaultPort(_ scheme: String) -> Int? {
    switch scheme {
    case "http", "ws": 80
    case "https", "wss": 443
    case "ftp": 21
    default: nil
    }
  }

  private static func isSpecial(_ scheme: String) -> Bool {
    scheme == "file" || defaultPort(scheme) != nil
  }
}
