import Events

/// Rules that give events a category or tags: aw-core's `categorize` and `tag`.
struct EventClasses {
  private struct Rule {
    let label: QueryValue
    let pattern: ActivityPattern?
    /// Members looked at; all when empty.
    let keys: [String]
    /// How far the rule comes before others; nil for its depth.
    let priority: Int?

    func matches(_ data: QueryMembers) throws(QueryFailure) -> Bool {
      guard let pattern else { return false }
      let values = keys.isEmpty ? data.values.values : keys.compactMap { data[$0] }
      for case .text(let text) in values where try pattern.isFound(inQuery: text) { return true }
      return false
    }
  }

  private let rules: [Rule]

  /// Reads a list of pairs: a label, and an object with `regex`, `ignore_case`, `select_keys`,
  /// `priority` or `weight`.
  init(_ list: [QueryValue]) throws(QueryFailure) {
    var rules: [Rule] = []
    for entry in list {
      guard case .list(let pair) = entry, pair.values.count == 2,
        case .object(let members) = pair.values[1],
        // One that is labelled by itself would have no end.
        !pair.values[0].extent.holdsEvents
      else { throw .function("A class is a pair of a label and a rule.") }
      rules.append(try Self.rule(pair.values[0], members))
    }
    self.rules = rules
  }

  private static func rule(_ label: QueryValue, _ members: QueryMembers)
    throws(QueryFailure) -> Rule
  {
    var priority: Int?
    switch members["priority"] ?? members["weight"] {
    case .integer(let value)?: priority = value
    case nil: break
    default: throw .function("priority/weight must be an integer")
    }
    var ignoresCase = false
    switch members["ignore_case"] {
    case .boolean(let value)?: ignoresCase = value
    case .integer(let value)?: ignoresCase = value != 0
    default: break
    }
    var pattern: ActivityPattern?
    if case .text(let text)? = members["regex"], !text.isEmpty {
      pattern = try ActivityPattern(query: text, ignoresCase: ignoresCase)
    }
    var keys: [String] = []
    if case .list(let list)? = members["select_keys"] {
      for case .text(let key) in list.values { keys.append(key) }
      // Only what can be a name can be found; a list of other values selects nothing.
      if keys.isEmpty, !list.values.isEmpty { pattern = nil }
    }
    return Rule(label: label, pattern: pattern, keys: keys, priority: priority)
  }

  /// Sets `$category` of each event: of the rules that match the one with the highest priority,
  /// of equals the last.
  func categorize(_ events: [QueryEvent], _ memory: QueryMemory) throws(QueryFailure) {
    try label(events, "$category", memory) { rules throws(QueryFailure) in
      var best: (parts: [QueryValue], rank: Int)?
      for rule in rules {
        guard let parts = rule.label.parts else {
          throw .function("A category is a list of names.")
        }
        if parts.isEmpty { continue }
        let rank = rule.priority ?? parts.count * 10
        if rank >= best?.rank ?? Int.min { best = (parts, rank) }
      }
      return best?.parts ?? [.text("Uncategorized")]
    }
  }

  /// Sets `$tags` of each event: the labels of all rules that match.
  func tag(_ events: [QueryEvent], _ memory: QueryMemory) throws(QueryFailure) {
    try label(events, "$tags", memory) { rules in rules.map(\.label) }
  }

  private func label(
    _ events: [QueryEvent], _ key: String, _ memory: QueryMemory,
    _ pick: ([Rule]) throws(QueryFailure) -> [QueryValue]
  ) throws(QueryFailure) {
    // Most events of a period say what another has said.
    var known: [QueryMembers: QueryValue] = [:]
    for event in events {
      let data = event.data
      if let value = known[data] {
        try event.set([(key, value)], memory)
        continue
      }
      var matching: [Rule] = []
      for rule in rules where try rule.matches(data) { matching.append(rule) }
      let value = QueryValue.list(try QueryList(try pick(matching), memory))
      known[data] = value
      try event.set([(key, value)], memory)
    }
  }
}

extension QueryValue {
  /// What Python's `list` makes of a category: of a text its characters; nil where it fails.
  fileprivate var parts: [QueryValue]? {
    switch self {
    case .list(let list): list.values
    case .text(let text): text.unicodeScalars.map { .text(String($0)) }
    case .null, .boolean(false), .integer(0): []
    default: nil
    }
  }
}
