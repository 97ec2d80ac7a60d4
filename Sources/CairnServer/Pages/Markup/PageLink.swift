import Values

/// A path of ours with its query: the only kind of address that pages make.
package struct PageLink: Sendable, Hashable {
  package var path: String
  package private(set) var query: [String] = []

  package init(_ path: StaticString, _ query: [(String, String?)] = []) {
    self.init(checked: path.description, query)
  }

  /// A link to a path that is one of ours, as that of the request itself.
  init(checked path: String, _ query: [(String, String?)]) {
    self.path = path
    for (name, value) in query {
      guard let value, !value.isEmpty else { continue }
      self.query.append("\(name)=\(PercentEncoding.encode(value))")
    }
  }

  package var text: String { query.isEmpty ? path : path + "?" + query.joined(separator: "&") }
}

/// An address from the history that may become a link: http, https and mailto only, since others
/// could run or open what nobody looked at.
package struct OutsideLink: Sendable {
  package let text: String

  package init?(_ text: String) {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard ["http", "https", "mailto"].contains(scheme), text.utf8.count > scheme.utf8.count + 1,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return nil }
    self.text = text
  }
}
