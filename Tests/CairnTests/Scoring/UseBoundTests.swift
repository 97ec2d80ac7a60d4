import TestSupport
import Testing

@testable import Cairn

/// What lets a search pass over items for what their use can be worth; a failure names its seed.
@Suite struct UseBoundTests {
  /// A search for all hits passes over none, and scores all whatever gives the order.
  @Test(arguments: 1...8) func `the best few are those of all, while use goes on`(seed: Int)
    async throws
  {
    var random = SeededGenerator(seed: UInt64(seed) &* 7_919)
    let history = MixedHistory(seed: UInt64(seed), count: 400)
    try await withStore { store in
      for first in stride(from: 0, to: history.events.count, by: 40) {
        try await store.append(Array(history.events[first..<first + 40]))
        // Bounds by document are of those that are merged.
        if [80, 160, 320].contains(first) { try PurgeCopyTests.mergeAll(of: store) }
        if first == 200 { #expect(try store.compact()) }
        for _ in 0..<12 {
          let request = Self.request(&random)
          let point: Point =
            Bool.random(using: &random)
            ? .head : .sequence(.random(in: 1...UInt64(first + 40), using: &random))
          let days = Int64.random(in: -2...60, using: &random)
          let time = try #require(history.events[first].time)
          let now = Timestamp(seconds: time.seconds + days * 86_400)
          let moment = try store.at(point, now: now)
          var all = request
          all.limit = nil
          let expected = try moment.search(all).map { "\($0.item) \($0.score)" }
          let found = try moment.search(request).map { "\($0.item) \($0.score)" }
          #expect(
            found == Array(expected.prefix(request.limit ?? 0)),
            "seed \(seed), \(first), \(point), \(now): \(request)")
        }
      }
    }
  }

  /// There, nothing lifts an item, but being shown in vain costs it something.
  @Test func `a point before any use answers as the present did then`() async throws {
    try await withStore { store in
      let time = Timestamp(seconds: MixedHistory.start)
      func made(_ id: String) -> Event {
        Event(kind: .index, item: id, time: time, attributes: ["title": .string("tram")])
      }
      let shown = Event(kind: .impression, time: time, query: "tram", shown: ["a", "b", "a"])
      try await store.append([made("a"), made("b"), made("c"), shown])
      func scores(_ point: Point) throws -> [String] {
        let found = try store.at(point, now: time).search(SearchRequest("tram"))
        return found.map { "\($0.item) \($0.score)" }
      }
      let then = try scores(.head)
      #expect(then.first?.hasPrefix("c ") == true)
      try await store.append([
        Event(kind: .view, item: "a", time: time),
        Event(kind: .select, item: "b", time: time, query: "tram", position: 1),
      ])
      #expect(try scores(.sequence(4)) == then)
      #expect(try scores(.head) != then)
    }
  }

  static func request(_ random: inout SeededGenerator) -> SearchRequest {
    let texts = [
      "tram", "tide", "t", "har", "dusk tram", "tram la", "lantrn", "tide harbour dusk", "lantern",
    ]
    var request = SearchRequest(texts.randomElement(using: &random) ?? "")
    request.mode = [.all, .all, .any, .phrase].randomElement(using: &random) ?? .all
    request.isExact = Int.random(in: 0..<4, using: &random) == 0
    request.limit = Int.random(in: 1...6, using: &random)
    request.sort =
      [.relevance, .relevance, .relevance, .recent, .frequent].randomElement(using: &random)
      ?? .relevance
    if Int.random(in: 0..<3, using: &random) == 0 {
      var context = SearchContext()
      context.actor = ["ann", "bob"].randomElement(using: &random)
      context.previousItem = Bool.random(using: &random) ? "i4" : nil
      context.countsHour = Bool.random(using: &random)
      request.context = context
    }
    return request
  }
}
