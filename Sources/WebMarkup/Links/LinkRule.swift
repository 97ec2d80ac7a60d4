import Values

/// One rule of an association file: what a URL has to be like.
struct LinkRule {
  /// As it is shown to people.
  let pattern: String
  let excludes: Bool
  private let path: LinkPattern?
  private let query: LinkPattern?
  private let items: [(name: String, pattern: LinkPattern)]
  private let fragment: LinkPattern?
  private let isPercentEncoded: Bool
  /// Whether it is a rule at all.
  private let isSound: Bool
  private(set) var warnings: [String] = []

  /// A rule of `paths`: the path alone.
  init(path text: String) {
    excludes = text.hasPrefix("NOT ")
    pattern = text
    let rest = excludes ? String(text.dropFirst(4)) : text
    path = LinkPattern(rest.strippedSpace, variables: [:], foldsCase: false)
    (query, items, fragment) = (nil, [], nil)
    isPercentEncoded = true
    isSound = true
  }

  /// A rule of `components`.
  init(_ value: JSON, defaults: [JSON], variables: [String: [String]]) {
    func flag(_ name: String) -> Bool {
      for source in [value] + defaults {
        if case .bool(let flag) = source[name] { return flag }
      }
      return true
    }
    let folds = !flag("caseSensitive")
    isPercentEncoded = flag("percentEncoded")
    excludes = value["exclude"] == .bool(true)
    func pattern(_ text: String?) -> LinkPattern? {
      text.map { LinkPattern($0, variables: variables, foldsCase: folds) }
    }
    path = pattern(value["/"]?.string)
    query = pattern(value["?"]?.string)
    fragment = pattern(value["#"]?.string)
    var items: [(name: String, pattern: LinkPattern)] = []
    var isSound = Self.isObject(value)
    if case .object(let members) = value["?"] {
      for member in members.list {
        if let text = member.value.string, let pattern = pattern(text) {
          items.append((member.key, pattern))
        } else {
          isSound = false
        }
      }
    }
    for key in ["/", "#"] where value[key] != nil && value[key]?.string == nil { isSound = false }
    if value["?"] != nil, query == nil, !Self.isObject(value["?"]) { isSound = false }
    self.items = items
    self.isSound = isSound
    self.pattern = Self.shown(value)
    if !isSound { warnings.append("a rule is no object of texts; it never matches") }
    for part in [path, query, fragment] + items.map(\.pattern) {
      if let name = part?.unknownVariable {
        warnings.append("$(\(name)) is not defined; the rule never matches")
      }
    }
  }

  private static func isObject(_ value: JSON?) -> Bool {
    if case .object = value { true } else { false }
  }

  private static func shown(_ value: JSON) -> String {
    var result = value["/"]?.string ?? "*"
    if let query = value["?"]?.string { result += "?" + query }
    if case .object(let members) = value["?"], !members.list.isEmpty {
      let items = members.list.map { "\($0.key)=\($0.value.string ?? "")" }
      result += "?" + items.joined(separator: "&")
    }
    if let fragment = value["#"]?.string { result += "#" + fragment }
    return result
  }

  func matches(_ url: WebURL) -> Bool {
    guard isSound else { return false }
    let parts = [
      (path, url.path.isEmpty ? "/" : url.path), (query, url.query ?? ""),
      (fragment, url.fragment ?? ""),
    ]
    for (pattern, text) in parts {
      if let pattern, !pattern.matches(plain(text)) { return false }
    }
    guard !items.isEmpty else { return true }
    let given = (url.query ?? "").split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: plain(String(parts[0])), value: parts.count > 1 ? plain(String(parts[1])) : "")
    }
    return items.allSatisfy { item in
      let values = given.filter { $0.name == item.name }.map(\.value)
      return (values.isEmpty ? [""] : values).allSatisfy { item.pattern.matches($0) }
    }
  }

  private func plain(_ text: String) -> String {
    isPercentEncoded
      ? text : String(decoding: PercentEncoding.bytes(Array(text.utf8)[...]), as: UTF8.self)
  }
}
