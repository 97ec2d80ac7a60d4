import Cairn
import Values

/// An event that programs append, as rules see it.
///
/// A watcher has one `url`. Events say where something is in several ways: by their item, by what
/// was shown, and by attributes; a rule for `url` is for each of them.
struct RuledEvent {
  private(set) var members: JSONObject

  init(_ members: JSONObject) { self.members = members }

  private var attributes: JSONObject { members["attributes"]?.object ?? [:] }

  /// What a watcher saw, as its event keeps it.
  private var seen: JSONObject { members["activitywatch"]?.object?["data"]?.object ?? [:] }

  func shows(_ rule: WatchRule) -> Bool {
    [members, attributes, seen].contains { !keys(in: $0, rule).isEmpty }
  }

  /// Puts the rule's text in place of what it found.
  /// - Returns: False where nothing is left that could be recorded.
  mutating func redact(_ rule: WatchRule) -> Bool {
    let replacement = JSONValue.string(rule.replacement)
    var attributes = attributes
    var seen = seen
    // Item and domain are made of these: nothing is left without them.
    if ["app", "file"].contains(rule.field), !keys(in: seen, rule).isEmpty { return false }
    let hidden = redact(&attributes, rule) + redact(&seen, rule)
    if !attributes.isEmpty { members["attributes"] = .object(attributes) }
    if !seen.isEmpty, case .object(var kept)? = members["activitywatch"] {
      kept["data"] = .object(seen)
      members["activitywatch"] = .object(kept)
    }
    for text in hidden { redactItem(of: text, rule) }
    for key in keys(in: members, rule) {
      if key == "item", rule.replacement.isEmpty { return false }
      if key == "shown", let shown = members[key]?.array {
        let left = shown.map { rule.matches($0) ? replacement : $0 }
        members[key] = .array(left.filter { $0 != .string("") })
      } else {
        members[key] = replacement
      }
    }
    return true
  }

  /// Puts the rule's text in place of what it found in an object.
  /// - Returns: The texts that it found.
  private func redact(_ object: inout JSONObject, _ rule: WatchRule) -> [String] {
    var found: [String] = []
    for key in keys(in: object, rule) {
      if let text = object[key]?.string { found.append(text) }
      object[key] = .string(rule.replacement)
    }
    return found
  }

  /// Puts the rule's text at the end of an item that was made of one which it found, such as
  /// `window:PROGRAM/TITLE`.
  private mutating func redactItem(of text: String, _ rule: WatchRule) {
    let end = PercentEncoding.encode(text)
    guard !end.isEmpty, let item = members["item"]?.string, !item.contains("://"),
      item.hasSuffix(end)
    else { return }
    let rest = item.dropLast(end.count)
    guard rest.hasSuffix("/") || rest.hasSuffix(":") else { return }
    members["item"] = .string("\(rest)\(PercentEncoding.encode(rule.replacement))")
  }

  private func keys(in object: JSONObject, _ rule: WatchRule) -> [String] {
    object.filter { member in
      rule.concerns(member: member.key, member.value) && rule.matches(member.value)
    }.map(\.key)
  }
}

extension WatchRule {
  var isForURLs: Bool { field == "url" }

  /// What an event that names a URL holds: a key's end, or what is in every URL, also as JSON may
  /// write it.
  static let signsOfURLs = ["URL", "elatedUniqueIdentifier", "web_deepLink", "://", ":\\/"]

  /// Whether it looks at a member of an event or of its attributes.
  fileprivate func concerns(member key: String, _ value: JSONValue) -> Bool {
    if key == field { return true }
    guard isForURLs else { return false }
    if key == "item" || key == "shown" { return Self.holdsURL(value) }
    return key.hasSuffix("URL") || key.hasSuffix("elatedUniqueIdentifier") || key == "web_deepLink"
  }

  private static func holdsURL(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): text.contains("://")
    case .array(let values): values.contains { holdsURL($0) }
    default: false
    }
  }
}
