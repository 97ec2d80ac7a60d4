import Cairn
import TestSupport
import Testing

/// What was chosen, asked of any point and for any number of hits.
@Suite struct ChoiceHistoryTests {
  private static let start: Int64 = 1_700_000_000
  private static let queries = ["m", "ma", "map", "map o", "map of", "map of lisbon", "tram", "t"]

  /// Choices of few items for queries that begin alike, some of them again and again; now and then
  /// an item goes and comes back.
  private func events(_ draw: inout SeededGenerator) -> [Event] {
    var events = (0..<12).map { Self.item($0) }
    for number in 0..<400 as Range<Int64> {
      let item = Int.random(in: 0..<12, using: &draw)
      let time = Timestamp(seconds: Self.start + number * 7_200)
      if Int.random(in: 0..<40, using: &draw) == 0 {
        events += [Event(kind: .delete, item: "item \(item)"), Self.item(item)]
      } else {
        let query = Self.queries[Int.random(in: 0..<Self.queries.count, using: &draw)]
        events.append(
          Event(
            kind: .select, item: "item \(min(item, 5))", time: time, recorded: time, query: query))
      }
    }
    return events
  }

  private static func item(_ number: Int) -> Event {
    index("item \(number)", title: number % 2 == 0 ? "map of lisbon" : "tram map, long map")
  }

  private func hits(_ store: Store, _ query: String, _ limit: Int?, _ point: Point = .head) throws
    -> [SearchHit]
  {
    var request = SearchRequest(query)
    (request.limit, request.explains) = (limit, true)
    let now = Timestamp(seconds: Self.start + 40 * 86_400)
    return try store.at(point, now: now).search(request)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a past point answers as a store that ends there, and few hits are the first of all`(
    seed: UInt64
  ) async throws {
    var draw = SeededGenerator(seed: seed)
    let events = events(&draw)
    try await withStore { store in
      try await store.append(events)
      for count in [20, 100, 250, events.count] {
        try await withStore { ended in
          try await ended.append(Array(events.prefix(count)))
          for query in Self.queries {
            let all = try hits(ended, query, nil)
            #expect(try hits(store, query, nil, .sequence(UInt64(count))) == all)
            for limit in [1, 3, 7] {
              #expect(try hits(ended, query, limit) == Array(all.prefix(limit)), "\(query)")
            }
          }
        }
      }
    }
  }
}
