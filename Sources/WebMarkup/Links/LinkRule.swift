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
  init(path text: String, variables: [String: [String]], room: inout Int) {
    excludes = text.hasPrefix("NOT ")
    pattern = text
    let rest = excludes ? String(text.dropFirst(4)) : text
    let path = LinkPattern(
      rest.strippedSpace, variables: variables, foldsCase: false, isPath: true, room: &room)
    self.path = path
    (query, items, fragment) = (nil, [], nil)
    isPercentEncoded = true
    isSound = true
    if let fault = path.fault { warnings.append(fault) }
  }

  /// A rule of `components`; `room` is how many more parts of patterns are read.
  init(_ value: JSON, defaults: [JSON], variables: [String: [String]], room: inout Int) {
    func flag(_ name: String) -> Bool {
      for source in [value] + defaults {
        if case .bool(let flag) = source[name] { return flag }
      }
      return true
    }
    let folds = !flag("caseSensitive")
    isPercentEncoded = flag("percentEncoded")
    excludes = value["exclude"] == .bool(true)
    func pattern(_ text: String?, isPath: Bool = false) -> LinkPattern? {
      text.map {
        LinkPattern($0, variables: variables, foldsCase: folds, isPath: isPath, room: &room)
      }
    }
    path = pattern(value["/"]?.string, isPath: true)
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
    for key in ["exclude", "caseSensitive", "percentEncoded"] {
      switch value[key] {
      case nil, .null?, .bool?: continue
      default: warnings.append("\(key) is neither true nor false; it counts for nothing")
      }
    }
    for part in [path, query, fragment] + items.map(\.pattern) {
      if let fault = part?.fault { warnings.append(fault) }
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

  func matches(_ url: WebURL, _ texts: inout LinkTexts) -> Bool {
    guard isSound else { return false }
    let parts = [
      (path, url.path.isEmpty ? "/" : url.path), (query, url.query ?? ""),
      (fragment, url.fragment ?? ""),
    ]
    for (pattern, text) in parts {
      guard let pattern else { continue }
      guard pattern.matches(texts.text(plain(text), foldsCase: pattern.foldsCase)) else {
        return false
      }
    }
    guard !items.isEmpty else { return true }
    let given = (url.query ?? "").split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: plain(String(parts[0])), value: parts.count > 1 ? plain(String(parts[1])) : "")
    }
    for item in items {
      let values = given.filter { $0.name == item.name }.map(\.value)
      for value in values.isEmpty ? [""] : values {
        let text = texts.text(value, foldsCase: item.pattern.foldsCase)
        guard item.pattern.matches(text) else { return false }
      }
    }
    return true
  }

  private func plain(_ text: String) -> String {
    isPercentEncoded
      ? text : String(decoding: PercentEncoding.bytes(Array(text.utf8)[...]), as: UTF8.self)
  }
}
