import TestSupport
import Testing

@testable import Cairn

/// What lets a search of a past point pass over items, held against what the store told when that
/// point was the present; a failure names its seed.
@Suite struct PastBoundTests {
  /// One question, and all that the present of then knew.
  private struct Asked {
    let sequence: UInt64
    let now: Timestamp
    let request: SearchRequest
    let answer: [String]
  }

  /// Between, items get other texts, share them, end, are deleted and come again, and are used at
  /// times that clocks got wrong.
  @Test(arguments: 1...8) func `the best few of a past point are those of then`(seed: Int)
    async throws
  {
    var random = SeededGenerator(seed: UInt64(seed) &* 104_729)
    let history = MixedHistory(seed: UInt64(seed), count: 320)
    var asked: [Asked] = []
    try await withStore { store in
      // Of most of these nobody ever knows more than a view.
      try await store.append((0..<seed * 60).map { Self.made($0, &random) })
      for first in stride(from: 0, to: history.events.count, by: 8) {
        var batch = Array(history.events[first..<first + 8])
        let time = try #require(batch[7].time)
        if first >= 40 { batch += (0..<4).map { _ in Self.odd(at: time, seed, &random) } }
        try await store.append(batch)
        if Int.random(in: 0..<8, using: &random) == 0 { try PurgeCopyTests.mergeAll(of: store) }
        if first == 200 { #expect(try store.compact()) }
        asked.append(try Self.ask(store, time, &random))
        for known in asked.shuffled(using: &random).prefix(3) {
          try Self.compare(store, known, seed)
        }
      }
      try PurgeCopyTests.mergeAll(of: store)
      for known in asked + asked { try Self.compare(store, known, seed) }
    }
  }

  private static func ask(
    _ store: Store, _ time: Timestamp, _ random: inout SeededGenerator
  ) throws -> Asked {
    let days = Int64.random(in: -2...60, using: &random)
    let far: Int64 = Int.random(in: 0..<3, using: &random) == 0 ? 800 : 0
    let now = Timestamp(seconds: time.seconds + (days + far) * 86_400)
    var request = UseBoundTests.request(&random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: request.domain = "d1"
    case 1: request.filter = "keywords == \"tram\""
    default: break
    }
    var all = request
    all.limit = nil
    let moment = try store.at(.head, now: now)
    return Asked(
      sequence: moment.sequence, now: now, request: request, answer: try shown(moment, all))
  }

  private static func shown(_ moment: Moment, _ request: SearchRequest) throws -> [String] {
    try moment.search(request).map { "\($0.item) \($0.score)" }
  }

  private static func compare(_ store: Store, _ asked: Asked, _ seed: Int) throws {
    let moment = try store.at(.sequence(asked.sequence), now: asked.now)
    let found = try shown(moment, asked.request)
    #expect(
      found == Array(asked.answer.prefix(asked.request.limit ?? 0)),
      "seed \(seed), \(asked.sequence), \(asked.now): \(asked.request)")
  }

  private static func made(_ number: Int, _ random: inout SeededGenerator) -> Event {
    let title = (0..<Int.random(in: 2...6, using: &random)).map { _ in word(&random) }
    return Event(
      kind: .index, item: "u\(number)", domain: .value("d\(number % 2)"),
      time: Timestamp(seconds: MixedHistory.start),
      attributes: ["title": .string(title.joined(separator: " "))])
  }

  private static func word(_ random: inout SeededGenerator) -> String {
    ["tram", "tide", "dusk", "harbour", "lantern"].randomElement(using: &random) ?? ""
  }

  /// An event that a plain history does not have; only some of the stores have shared texts, and
  /// uses of a time to come, behind which nothing is bound.
  private static func odd(
    at time: Timestamp, _ seed: Int, _ random: inout SeededGenerator
  ) -> Event {
    func item() -> String { "i\(Int.random(in: 0..<40, using: &random))" }
    func other() -> String { "u\(Int.random(in: 0..<seed * 60, using: &random))" }
    func days(_ range: ClosedRange<Int64>) -> Timestamp {
      Timestamp(seconds: time.seconds + .random(in: range, using: &random) * 86_400)
    }
    let late: Int64 = seed % 3 == 0 ? 400 : 0
    var event: Event
    switch Int.random(in: seed % 2 == 0 ? 0..<12 : 2..<12, using: &random) {
    case 0:
      event = Event(
        kind: .index, item: item(), source: "web", attributes: ["title": .string(word(&random))],
        extras: ["items": .array([.string(item()), .string(other())])])
    case 1:
      event = Event(
        kind: .index, item: "\u{1}activity:\(Int.random(in: 0..<6, using: &random))",
        attributes: [
          "title": .string(word(&random)), "relatedUniqueIdentifier": .string(other()),
        ], expires: .value(days(1...40)))
    case 2: event = Event(kind: .update, item: other(), expires: .value(days(1...40)))
    case 3: event = Event(kind: .delete, item: other())
    case 4:
      event = made(Int.random(in: 0..<seed * 60, using: &random), &random)
      event.time = nil
    case 5:
      event = Event(
        kind: .select, item: item(), time: days(-400...late), query: word(&random), position: 2)
    case 6: event = Event(kind: .view, item: other(), time: days(-400...late), dwell: 90)
    default:
      event = Event(
        kind: .view, item: other(), time: time, dwell: 90, extras: ["visits": .number("9")])
    }
    event.recorded = time
    event.time = event.time ?? time
    return event
  }
}
