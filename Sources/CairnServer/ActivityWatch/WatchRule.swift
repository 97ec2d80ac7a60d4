import ActivityWatch
import Cairn
import Rows

/// What is never written, or written otherwise: asked before anything touches the disk.
struct WatchRule: Sendable, Hashable {
  enum Action: String, Sendable, CaseIterable { case drop, redact }

  /// The beginning of the names of the buckets that it is for; nil for all events.
  var bucket: String?
  /// A member of what was seen: `title`, `url`, `app`, `incognito` or another one.
  var field: String
  /// A regular expression that the field's text has to match somewhere.
  var match: String
  var action: Action
  /// What stands in place of a redacted text.
  var replacement = ""

  /// What browsers' private windows show is nobody's history.
  static let first = WatchRule(field: "incognito", match: "^true$", action: .drop)

  /// What a client may say of one.
  static let members = [
    Parameter("bucket", .text), Parameter("field", .text, required: true),
    Parameter(
      "match", .text, required: true, "A regular expression that the field has to match somewhere"
    ),
    Parameter(
      "action", .choice(Action.allCases.map(\.rawValue)), required: true,
      "Whether the event is left out, or the field's text replaced"),
    Parameter("with", .text),
  ]
}

extension WatchRule {
  /// A rule as a client writes it.
  /// - Throws: 400 with the member that is wrong.
  init(_ value: JSONValue) throws(Refusal) {
    guard case .object(let members) = value else {
      throw Refusal(400, "malformed", "a rule is an object", place: "rules")
    }
    guard let field = try members.text("field"), !field.isEmpty else {
      throw .parameter("field", "names what the rule looks at")
    }
    guard let match = try members.text("match") else { throw .parameter("match", "is missing") }
    guard let action = try members.text("action").flatMap(Action.init(rawValue:)) else {
      throw .parameter("action", "takes drop or redact")
    }
    do { _ = try ActivityPattern(match, ignoresCase: false) } catch {
      throw .parameter("match", "is no regular expression")
    }
    try Parameters.check(members, of: Self.members)
    self.init(
      bucket: try members.text("bucket"), field: field, match: match, action: action,
      replacement: try members.text("with") ?? "")
  }

  /// Whether it is for what was seen in a bucket; no bucket where an event is just appended.
  func concerns(_ bucket: String?) -> Bool {
    guard let prefix = self.bucket else { return true }
    return bucket?.hasPrefix(prefix) ?? false
  }

  /// Whether the field of what was seen matches.
  ///
  /// A pattern that takes too long counts as matching: nothing is kept by mistake.
  func matches(_ data: JSONObject) -> Bool { data[field].map { matches($0) } ?? false }

  /// Whether a value matches; of several, one.
  func matches(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .object: return false
    case .array(let values): return values.contains { matches($0) }
    case .bool(let value): return matches(text: value ? "true" : "false")
    case .number(let text), .string(let text): return matches(text: text)
    }
  }

  private func matches(text: String) -> Bool {
    // One that cannot be read was refused before; here, too, nothing is kept by mistake.
    guard let pattern = try? ActivityPattern(match, ignoresCase: false) else { return true }
    // It takes too long: as said above.
    return (try? pattern.isFound(in: text)) ?? true
  }
}

extension JSONLine {
  mutating func fields(of rule: WatchRule) {
    if let bucket = rule.bucket { field("bucket", bucket) }
    field("field", rule.field)
    field("match", rule.match)
    field("action", rule.action.rawValue)
    if rule.action == .redact { field("with", rule.replacement) }
  }
}
