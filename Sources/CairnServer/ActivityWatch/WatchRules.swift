import ActivityWatch
package import Cairn
import Files
import Rows
import Synchronization

/// The rules of a store in their order, and until when nothing is recorded.
package final class WatchRules: Sendable {
  private struct State {
    var rules = [WatchRule.first]
    var pause = Pause.none
  }

  /// Whether watchers are not heard.
  enum Pause: Sendable, Equatable {
    case none
    case forever
    case until(Timestamp)
  }

  private let path: String
  private let state = Mutex(State())

  private static let byteCountMax = 4 << 20

  package init(directory: String) throws(CairnError) {
    path = directory + "/serve.rules"
    guard let bytes = try FileBytes.read(path, limit: Self.byteCountMax) else { return }
    let damage = CairnError(.corrupt, "holds something other than rules", place: path)
    // What is no JSON is damage, like all that holds no rules.
    guard case .object(let members)? = try? JSONValue(parsing: bytes.span),
      case .array(let values)? = members["rules"]
    else { throw damage }
    var read = State(rules: [])
    for value in values {
      // Whatever is wrong with a rule, the file is damaged.
      guard let rule = try? WatchRule(value) else { throw damage }
      read.rules.append(rule)
    }
    switch members["paused"] {
    case .bool(true)?: read.pause = .forever
    case .string(let text)?: read.pause = Timestamp(rfc3339: text).map { .until($0) } ?? .forever
    default: break
    }
    let known = read
    state.withLock { $0 = known }
  }

  var rules: [WatchRule] { state.withLock { $0.rules } }

  /// Whether what watchers send is not stored now.
  var isPaused: Bool { pause != .none }

  /// The pause that holds now.
  var pause: Pause {
    state.withLock { state in
      if case .until(let end) = state.pause, end <= .now() { state.pause = .none }
      return state.pause
    }
  }

  func set(_ rules: [WatchRule]) throws(CairnError) {
    try change { $0.rules = rules }
  }

  func change(_ body: (inout [WatchRule]) -> Void) throws(CairnError) {
    try change { (state: inout State) in body(&state.rules) }
  }

  func set(_ pause: Pause) throws(CairnError) {
    try change { $0.pause = pause }
  }

  private func change(_ body: (inout State) -> Void) throws(CairnError) {
    try state.withLock { (state) throws(CairnError) in
      var changed = state
      body(&changed)
      let text = JSONLine.value { line in
        line.field("rules", json: JSONLine.array(changed.rules) { $0.fields(of: $1) })
        switch changed.pause {
        case .none: break
        case .forever: line.field("paused", true)
        case .until(let end): line.field("paused", end.rfc3339)
        }
      }
      try SmallFile.replace(path, with: String(decoding: text, as: UTF8.self), isSecret: true)
      state = changed
    }
  }

  /// What of a watcher's data may be written; nil for nothing.
  func applied(to data: JSONObject, in bucket: String?) -> JSONObject? {
    var data = data
    for rule in rules where rule.concerns(bucket) && rule.matches(data) {
      if rule.action == .drop { return nil }
      data[rule.field] = .string(rule.replacement)
    }
    return data
  }

  /// A line of an appended event as it may be written; nil for not at all.
  ///
  /// Rules that name a bucket are not for it. Only a line that holds a rule's field is read.
  func applied(to line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let rules = rules.filter { rule in
      rule.bucket == nil && line.firstRange(of: Array("\"\(rule.field)\"".utf8)) != nil
    }
    // What is no JSON goes on as it is, to be refused where events are read.
    guard !rules.isEmpty, case .object(var event)? = try? JSONValue(parsing: Array(line).span)
    else { return line }
    var isChanged = false
    for rule in rules {
      var attributes = JSONObject()
      if case .object(let known)? = event["attributes"] { attributes = known }
      let isOwn = event[rule.field] != nil
      guard rule.matches(isOwn ? event : attributes) else { continue }
      if rule.action == .drop { return nil }
      isChanged = true
      if isOwn {
        event[rule.field] = .string(rule.replacement)
      } else {
        attributes[rule.field] = .string(rule.replacement)
        event["attributes"] = .object(attributes)
      }
    }
    guard isChanged else { return line }
    return JSONValue.object(event).text[...]
  }
}
