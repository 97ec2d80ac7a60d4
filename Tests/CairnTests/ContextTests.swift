import Cairn
import TestSupport
import Testing

private let start: Int64 = 1_700_000_000
private let minute: Int64 = 60

/// The item used just before, as evidence for the next one.
@Suite struct ContextTests {
  private func found(
    _ store: Store,
    after item: String?,
    _ point: Point = .head,
    limit: Int = 0
  ) throws -> [SearchHit] {
    var request = SearchRequest("tram")
    request.limit = limit
    if let item {
      request.context = SearchContext()
      request.context?.previousItem = item
    }
    return try store.at(point, now: Timestamp(seconds: start + 4_000 * minute)).search(request)
  }

  @Test func `what followed an item follows it again, and nothing else moves`() async throws {
    try await withStore { store in
      try await store.append(
        ["map", "fares", "times", "crew"].map { index($0, title: "tram \($0)") }
      )
      // The map is used once more than anything; after the times came the fares.
      try await store.append([view("map", at: start)])
      for step in 0..<6 as Range<Int64> {
        try await store.append([
          view("times", at: start + (step * 40 + 20) * minute),
          view("fares", at: start + (step * 40 + 21) * minute),
          view("map", at: start + (step * 40 + 30) * minute),
        ])
      }
      let plain = try found(store, after: nil)
      #expect(plain.first?.item == "map")
      let told = try found(store, after: "times")
      #expect(told.first?.item == "fares")
      for other in ["map", "crew", "times"] {
        #expect(
          told.first { $0.item == other }?.score == plain.first { $0.item == other }?.score,
          "\(other)"
        )
      }
      #expect(try found(store, after: "nowhere").map(\.item) == plain.map(\.item))
      #expect(try found(store, after: "crew").map(\.score) == plain.map(\.score))
      // Before any followed, as of then.
      #expect(
        try found(store, after: "times", .sequence(6)).map(\.score)
          == found(store, after: nil, .sequence(6)).map(\.score)
      )
      #expect(try found(store, after: "times", .sequence(20)).first?.item == "fares")
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the first hits are the first of all, and any batches give the same`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    try await withStore { store in
      var events = (0..<30).map { index("i\($0)", title: "tram \($0 % 5)") }
      for step in 0..<200 as Range<Int64> {
        events.append(
          view("i\(Int.random(in: 0..<30, using: &random))", at: start + step * minute)
        )
      }
      for event in events { try await store.append([event]) }
      try await withStore { other in
        try await other.append(events)
        for point in [.head, .sequence(150), .sequence(40)] as [Point] {
          for item in ["i0", "i7", "i29"] {
            let all = try found(store, after: item, point)
            #expect(try found(other, after: item, point) == all)
            for limit in [1, 5] {
              let first = try found(store, after: item, point, limit: limit)
              #expect(first == Array(all.prefix(limit)), "seed \(seed), \(point), after \(item)")
            }
          }
        }
        #expect(try #require(try store.rebuild()).allSatisfy(\.isEqual))
        #expect(try found(store, after: "i7") == found(other, after: "i7"))
      }
    }
  }
}
