package import Cairn
import Rows
import Synchronization
import Values

/// The rules of a store in their order, and until when nothing is recorded.
package final class WatchRules: Sendable {
  private struct State {
    var rules = [WatchRule.first] {
      didSet { unbound = State.prepared(rules) }
    }
    var pause = Pause.none
    /// Those of the rules that name no bucket.
    private(set) var unbound = State.prepared([WatchRule.first])

    private static func prepared(_ rules: [WatchRule]) -> [UnboundRule] {
      rules.filter { $0.bucket == nil }.map(UnboundRule.init)
    }
  }

  /// Whether watchers are not heard.
  enum Pause: Sendable, Equatable {
    case none
    case forever
    case until(Timestamp)
  }

  private let file: KeptFile
  private let state = Mutex(State())

  package init(directory: String) throws(CairnError) {
    file = KeptFile(path: directory + "/serve.rules", byteCountMax: 4 << 20)
    guard let bytes = try file.read() else { return }
    let damage = CairnError(.corrupt, "holds something other than rules", place: file.path)
    // What is no JSON is damage, like all that holds no rules.
    guard let members = JSONObject(json: bytes), let values = members["rules"]?.array else {
      throw damage
    }
    var read = State()
    read.rules = try values.map { (value) throws(CairnError) in
      // Whatever is wrong with a rule, the file is damaged.
      guard let rule = try? WatchRule(value) else { throw damage }
      return rule
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

  func set(_ rules: [WatchRule]) throws(CairnError) { try change { $0.rules = rules } }

  func change(_ body: (inout [WatchRule]) -> Void) throws(CairnError) {
    try change { (state: inout State) in body(&state.rules) }
  }

  func set(_ pause: Pause) throws(CairnError) { try change { $0.pause = pause } }

  private func change(_ body: (inout State) -> Void) throws(CairnError) {
    try state.withLock { (state) throws(CairnError) in
      var changed = state
      body(&changed)
      let text = JSONLine.value { line in
        line.field("rules", objects: changed.rules) { $0.fields(of: $1) }
        switch changed.pause {
        case .none: break
        case .forever: line.field("paused", true)
        case .until(let end): line.field("paused", end.rfc3339)
        }
      }
      try file.replace(with: text)
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
  /// Rules that name a bucket are not for it. Only a line that may hold a rule's field is read.
  func applied(to line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let rules = state.withLock { $0.unbound }.filter { $0.mayConcern(line) }
    // What is no JSON goes on as it is, to be refused where events are read.
    guard !rules.isEmpty,
      case .object(let members)? = try? JSONValue(
        parsing: Array(line).span, refusesDuplicateKeys: true)
    else { return line }
    var event = RuledEvent(members)
    var isChanged = false
    for rule in rules.map(\.rule) where event.shows(rule) {
      guard rule.action == .redact, event.redact(rule) else { return nil }
      isChanged = true
    }
    return isChanged ? JSONValue.object(event.members).text[...] : line
  }

  /// What may be written of an event that another program's history holds.
  enum Verdict {
    case asItIs
    case dropped
    /// In place of it, a line of JSON.
    case changed(ArraySlice<UInt8>)
  }

  /// The same for an event that was read already.
  /// - Throws: `corrupt` for a payload that holds no event.
  func verdict(on event: EncodedEvent) throws(CairnError) -> Verdict {
    guard state.withLock({ $0.unbound }).contains(where: { $0.mayConcern(event) }) else {
      return .asItIs
    }
    var line: [UInt8] = []
    try EventJSON.append(event, to: &line)
    guard let allowed = applied(to: line[...]) else { return .dropped }
    return allowed == line[...] ? .asItIs : .changed(allowed)
  }
}

/// A rule for events that come from nowhere in particular, ready to look for its field.
private struct UnboundRule: Sendable {
  let rule: WatchRule
  /// Each event that the rule may be for holds one of them.
  private let signs: [[UInt8]]
  /// Whether the field is one that every event may have, beside attributes.
  private let isOwn: Bool

  private static let escape = Array("\\u".utf8)

  init(_ rule: WatchRule) {
    self.rule = rule
    signs = ([rule.field] + (rule.isForURLs ? WatchRule.signsOfURLs : [])).map { Array($0.utf8) }
    isOwn = EventJSON.hasKey(rule.field)
  }

  /// Whether a line may hold the field, maybe written with escapes.
  func mayConcern(_ line: ArraySlice<UInt8>) -> Bool {
    signs.contains { line.holds($0) } || line.holds(Self.escape)
  }

  func mayConcern(_ event: EncodedEvent) -> Bool {
    isOwn || signs.contains { event.payload[...].holds($0) }
  }
}
