import Cairn
import TestSupport

/// A history with everything that ranking and search learn from, the same for the same seed.
struct MixedHistory {
  static let start: Int64 = 1_700_000_000
  private static let words = ["tram", "tide", "dusk", "harbour", "lantern"]
  private static let itemCount = 40

  private(set) var events: [Event] = []
  private var random: SeededGenerator
  private var time = start

  init(seed: UInt64, count: Int) {
    random = SeededGenerator(seed: seed)
    for number in 0..<Self.itemCount { add(made(number)) }
    while events.count < count { add(next()) }
  }

  /// When the history ends.
  var end: Int64 { time }

  private mutating func add(_ event: Event) {
    var event = event
    time += Int64.random(in: 1...7_200, using: &random)
    event.time = Timestamp(seconds: time)
    event.recorded = event.time
    events.append(event)
  }

  private mutating func word() -> String { Self.words.randomElement(using: &random) ?? "" }

  private mutating func item() -> String {
    "i\(Int.random(in: 0..<Self.itemCount, using: &random))"
  }

  private mutating func made(_ number: Int) -> Event {
    let title = (0..<Int.random(in: 1...3, using: &random)).map { _ in word() }
    return Event(
      kind: .index, item: "i\(number)", domain: .value("d\(number % 4).e\(number % 3)"),
      attributes: [
        "title": .string(title.joined(separator: " ")), "keywords": .array([.string(word())]),
        "contentDescription": .string("\(word()) \(word()) \(word())"),
      ])
  }

  private mutating func next() -> Event {
    let actor = ["ann", "bob"].randomElement(using: &random)
    let session = "s\(events.count / 9)"
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<3:
      var view = Event(
        kind: .view, item: item(), actor: actor, session: session,
        dwell: Double(Int.random(in: 0..<200, using: &random)),
        deliberate: [true, false, nil].randomElement(using: &random) ?? nil)
      if Bool.random(using: &random) { view.extras["device"] = .string("phone") }
      return view
    case 3: return Event(kind: .view, item: item(), extras: ["transition": .string("reload")])
    case 4: return Event(kind: .view, item: item(), extras: ["visits": .number("12")])
    case 5, 6, 7:
      return Event(
        kind: .select, item: item(), actor: actor, session: session, query: word(),
        position: Int64.random(in: 1...5, using: &random), shown: [item(), item(), item()],
        dwell: Bool.random(using: &random) ? 2 : nil, latency: 1.5)
    case 8: return Event(kind: .impression, query: word(), shown: [item(), item(), item(), item()])
    case 9: return Event(kind: .impression, item: item(), extras: ["feedback": .string("less")])
    case 10:
      return Event(
        kind: .update, item: item(), attributes: ["contentDescription": .string(word())])
    default:
      return Bool.random(using: &random)
        ? Event(kind: .delete, item: item())
        : made(Int.random(in: 0..<Self.itemCount, using: &random))
    }
  }
}
