import Cairn

/// What the steps of a schema make of a history, from nothing but dictionaries and what the
/// contract says: no code of the library, and no row that it kept.
///
/// An item at a *place*, so many steps into a version, is the fold of its events as each is there.
/// It holds as long as no step makes a name that an event before it carries.
struct LifeModel {
  enum Step {
    case rename(String, String)
    case split(String, [String])
    case join([String], String)
    case map(String, [String: String])
    case drop(String)

    var json: String {
      switch self {
      case .rename(let from, let to):
        #"{"domain":"a","op":"rename","from":"\#(from)","to":"\#(to)"}"#
      case .split(let from, let to):
        #"{"domain":"a","op":"split","from":"\#(from)","to":["\#(to[0])","\#(to[1])"],"at":" "}"#
      case .join(let from, let to):
        #"{"domain":"a","op":"join","from":["\#(from[0])","\#(from[1])"],"to":"\#(to)","with":" "}"#
      case .map(let key, let values):
        #"{"domain":"a","op":"map","key":"\#(key)","values":{"#
          + values.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }
          .joined(separator: ",") + "}}"
      case .drop(let key): #"{"domain":"a","op":"drop","key":"\#(key)"}"#
      }
    }

    var inverse: Step? {
      switch self {
      case .rename(let from, let to): .rename(to, from)
      case .split(let from, let to): .join(to, from)
      case .join(let from, let to): .split(to, from)
      case .map(let key, let values):
        .map(key, Dictionary(values.map { ($1, $0) }) { first, _ in first })
      case .drop: nil
      }
    }
  }

  typealias Values = [String: AttributeValue]

  struct Place: Hashable {
    var node: Int
    /// Steps of the node that were gone.
    var count: Int
  }

  private struct Question: Hashable {
    var item: String
    var place: Place
    var count: Int
  }

  private var nodes: [(parent: Int?, steps: [Step])] = [(nil, [])]
  private(set) var current = 0
  private var events: [(item: String, isIndex: Bool, node: Int, values: Values)] = []
  private var states: [Question: Values?] = [:]

  var canUndo: Bool { nodes[current].parent != nil }

  mutating func set(_ steps: [Step]) {
    nodes.append((current, steps))
    current = nodes.count - 1
  }

  mutating func undo() { current = nodes[current].parent ?? current }

  mutating func record(_ item: String, isIndex: Bool, _ values: Values) {
    events.append((item, isIndex, current, values))
  }

  /// All steps that lead to the version in force, with more.
  func list(_ more: [Step]) -> [Step] {
    var list = more
    for node in ancestors(current) { list = nodes[node].steps + list }
    return list
  }

  mutating func shown(_ item: String) -> Values? {
    state(Question(item: item, place: end(current), count: events.count))
  }

  private func end(_ node: Int) -> Place { Place(node: node, count: nodes[node].steps.count) }

  private func ancestors(_ node: Int) -> [Int] {
    Array(sequence(first: node) { nodes[$0].parent })
  }

  private mutating func state(_ asked: Question) -> Values? {
    if let known = states[asked] { return known }
    var state: Values?
    for (index, event) in events.prefix(asked.count).enumerated() where event.item == asked.item {
      guard event.isIndex || state != nil else { continue }
      var values = event.isIndex ? [:] : state ?? [:]
      for (key, value) in self.values(of: index, at: asked.place) {
        values[key] = value == .null ? nil : value
      }
      state = values
    }
    states[asked] = .some(state)
    return state
  }

  /// The steps from where an event was recorded to a place, each with the place before it.
  private func way(from start: Int, to end: Place) -> [(step: Step, before: Place)] {
    let goals = ancestors(end.node)
    var way: [(Step, Place)] = []
    var node = start
    func climb(from count: Int, to least: Int) {
      for index in (least..<count).reversed() {
        guard let inverse = nodes[node].steps[index].inverse else { continue }
        way.append((inverse, Place(node: node, count: index + 1)))
      }
    }
    while !goals.contains(node) {
      climb(from: nodes[node].steps.count, to: 0)
      node = nodes[node].parent ?? 0
    }
    // The place lies on the way up.
    if node == end.node { climb(from: nodes[node].steps.count, to: end.count) }
    for goal in goals.prefix(while: { $0 != node }).reversed() {
      let count = goal == end.node ? end.count : nodes[goal].steps.count
      for index in 0..<count {
        way.append((nodes[goal].steps[index], Place(node: goal, count: index)))
      }
    }
    return way
  }

  private mutating func values(of index: Int, at place: Place) -> Values {
    let event = events[index]
    var values = event.values
    var gone: Set<String> = []
    for (step, before) in way(from: event.node, to: place) {
      var had: Values = [:]
      if case .join = step, !event.isIndex {
        had = state(Question(item: event.item, place: before, count: index)) ?? [:]
      }
      Self.apply(step, to: &values, &gone, isUpdate: !event.isIndex, had)
    }
    // What an item has from before under a name whose value went elsewhere is no more.
    if !event.isIndex { for key in gone where values[key] == nil { values[key] = .null } }
    return values
  }

  private static func apply(
    _ step: Step, to values: inout Values, _ gone: inout Set<String>, isUpdate: Bool, _ had: Values
  ) {
    func take(_ key: String) {
      if values.removeValue(forKey: key) != nil { gone.insert(key) }
    }
    func make(_ key: String, _ value: AttributeValue?) {
      if values[key] == nil { values[key] = value }
    }
    switch step {
    case .rename(let from, let to):
      if gone.remove(from) != nil { gone.insert(to) }
      make(to, values[from])
      take(from)
    case .split(let from, let to):
      guard let value = values[from] else { return }
      var parts: [AttributeValue?]
      switch value {
      case .null: parts = [.null, .null]
      case .string(let text):
        let texts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        parts = texts.map { .string(String($0)) } + [isUpdate ? .null : nil]
      default: return
      }
      for (key, part) in zip(to, parts) { make(key, part) }
      take(from)
    case .join(let from, let to):
      let carried = from.filter { key in
        if case .string? = values[key] { true } else { values[key] == .null }
      }
      guard !carried.isEmpty else { return }
      let texts = from.compactMap { key -> String? in
        if case .string(let text)? = values[key] ?? had[key] { text } else { nil }
      }
      for key in carried { take(key) }
      make(to, texts.isEmpty ? .null : .string(texts.joined(separator: " ")))
    case .map(let key, let table):
      func mapped(_ value: AttributeValue) -> AttributeValue {
        if case .string(let text) = value, let other = table[text] { .string(other) } else { value }
      }
      if case .array(let elements)? = values[key] {
        values[key] = .array(elements.map(mapped))
      } else {
        values[key] = values[key].map(mapped)
      }
    case .drop(let key): take(key)
    }
  }
}
