import Cairn
import Foundation
import TestSupport
import Testing

private let start: Int64 = 1_700_000_000
private let minute: Int64 = 60

/// The item used just before, as evidence for the next one.
@Suite struct ContextTests {
  private func found(_ store: Store, after item: String?, _ point: Point = .head, limit: Int? = nil)
    throws -> [SearchHit]
  {
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
        ["map", "fares", "times", "crew"].map { index($0, title: "tram \($0)") })
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
      let ranked = try found(store, after: "times")
      #expect(ranked.first?.item == "fares")
      for other in ["map", "crew", "times"] {
        #expect(
          ranked.first { $0.item == other }?.score == plain.first { $0.item == other }?.score,
          "\(other)")
      }
      #expect(try found(store, after: "nowhere").map(\.item) == plain.map(\.item))
      #expect(try found(store, after: "crew").map(\.score) == plain.map(\.score))
      // Before any followed, as of then.
      #expect(
        try found(store, after: "times", .sequence(6)).map(\.score)
          == found(store, after: nil, .sequence(6)).map(\.score))
      #expect(try found(store, after: "times", .sequence(20)).first?.item == "fares")
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the first hits are the first of all, and any batches give the same`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    try await withStore { store in
      var events = (0..<30).map { index("i\($0)", title: "tram \($0 % 5)") }
      for step in 0..<200 as Range<Int64> {
        events.append(view("i\(Int.random(in: 0..<30, using: &random))", at: start + step * minute))
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

  /// Random views by two people on two devices, and circumstances to ask in.
  private func withViews(_ seed: UInt64, _ body: (Store, [SearchContext]) throws -> Void)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    try await withStore { store in
      try await store.append((0..<30).map { index("i\($0)", title: "tram", domain: "d\($0 % 2)") })
      for step in 0..<240 as Range<Int64> {
        var event = view(
          "i\(Int.random(in: 0..<30, using: &random))", at: start + step * 7 * minute)
        event.actor = Bool.random(using: &random) ? "ann" : "ben"
        event.session = "s\(step / 12)"
        event.extras["device"] = .string(Bool.random(using: &random) ? "desk" : "phone")
        try await store.append([event])
      }
      var contexts = [SearchContext](repeating: SearchContext(), count: 5)
      contexts[0].actor = "ann"
      contexts[1].device = "phone"
      contexts[2].session = "s19"
      contexts[3].countsHour = true
      contexts[4].previousItem = "i7"
      contexts[4].actor = "ben"
      try body(store, contexts)
    }
  }

  @Test(arguments: [4, 5, 6] as [UInt64])
  func `circumstances move the items of a ranking by use and shut none out`(seed: UInt64)
    async throws
  {
    try await withViews(seed) { store, contexts in
      for point in [.head, .sequence(200), .sequence(90)] as [Point] {
        let moment = try store.at(point, now: Timestamp(seconds: start + 4_000 * minute))
        let plain = try moment.top(limit: nil)
        #expect(try moment.top(limit: nil, context: SearchContext()) == plain)
        for context in contexts {
          let all = try moment.top(limit: nil, context: context, explains: true)
          #expect(Set(all.map(\.item)) == Set(plain.map(\.item)), "seed \(seed)")
          #expect(all.map(\.score) == all.map(\.score).sorted(by: >))
          #expect(all.map(\.score) != plain.map(\.score), "seed \(seed), \(context)")
          for item in all {
            let frecency = try #require(plain.first { $0.item == item.item }).score
            let why = try #require(item.explanation)
            let (fit, follow) = try (#require(why.fit), #require(why.follow))
            let expected = (1 + frecency + follow) * exp(0.625 * fit) - 1
            #expect(abs(item.score - expected) <= 1e-9 * (1 + expected), "seed \(seed)")
          }
          for limit in [1, 4, 11] {
            let first = try moment.top(limit: limit, context: context, explains: true)
            #expect(first == Array(all.prefix(limit)), "seed \(seed), limit \(limit)")
            let domain = try moment.top(domain: "d1", limit: limit, context: context)
            let expected = all.filter { $0.domain == "d1" }.prefix(limit)
            #expect(domain.map(\.item) == expected.map(\.item), "seed \(seed), limit \(limit)")
          }
        }
      }
    }
  }

  @Test func `a ranking by use in circumstances is in the order of a search that knows them`()
    async throws
  {
    try await withViews(7) { store, contexts in
      // Before the latest use, too, where plain values overflow.
      for time in [4_000 * minute, 600 * minute, -3_000_000 * minute] {
        let moment = try store.at(.head, now: Timestamp(seconds: start + time))
        for context in contexts {
          let top = try moment.top(limit: nil, context: context)
          #expect(top.count > 20)
          guard time > 0 else { continue }
          var request = SearchRequest("tram")
          request.limit = nil
          request.context = context
          let hits = try moment.search(request).filter { hit in top.contains { $0.item == hit.item }
          }
          let scores = Dictionary(uniqueKeysWithValues: hits.map { ($0.item, $0.score) })
          for (one, next) in zip(top, top.dropFirst()) {
            let (better, worse) = try (#require(scores[one.item]), #require(scores[next.item]))
            #expect(better >= worse - 1e-6, "\(context)")
          }
        }
      }
    }
  }

  @Test func `circumstances that nobody ever had change nothing`() async throws {
    var unknown = [SearchContext](repeating: SearchContext(), count: 4)
    unknown[0].actor = "nobody"
    unknown[1].session = "new"
    unknown[2].device = "new"
    unknown[3].actor = "nobody"
    unknown[3].session = "new"
    for actor in [nil, "ann"] as [String?] {
      try await withStore { store in
        try await store.append([index("a", title: "tram"), index("b", title: "tram")])
        for day in 0..<20 as Range<Int64> {
          var event = view("a", at: start + day * 60)
          event.actor = actor
          try await store.append([event])
        }
        try await store.append([view("b", at: start + 3_000 * minute)])
        for point in [.head, .sequence(22), .sequence(12), .sequence(2)] as [Point] {
          let moment = try store.at(point, now: Timestamp(seconds: start + 4_000 * minute))
          let plain = try moment.top(limit: nil)
          let hits = try moment.search(SearchRequest("tram"))
          for context in unknown {
            let top = try moment.top(limit: nil, context: context)
            #expect(top.map(\.item) == plain.map(\.item))
            for (one, other) in zip(top, plain) { #expect(abs(one.score - other.score) < 1e-9) }
            var request = SearchRequest("tram")
            request.context = context
            #expect(try moment.search(request) == hits)
          }
        }
      }
    }
  }

  @Test func `uses that name nobody speak neither for nor against an item`() async throws {
    try await withStore { store in
      try await store.append(["a", "b", "c"].map { index($0, title: "tram") })
      for step in 0..<10 as Range<Int64> {
        var event = view("b", at: start + step * minute)
        event.actor = "ann"
        try await store.append([view("a", at: start + step * minute), event])
      }
      let moment = try store.at(.head, now: Timestamp(seconds: start + 4_000 * minute))
      var context = SearchContext()
      context.actor = "ann"
      let ranked = try moment.top(limit: nil, context: context, explains: true)
      #expect(ranked.map(\.item) == ["b", "a"])
      #expect(try #require(ranked[0].explanation?.fit) > 0.3)
      #expect(ranked[1].explanation?.fit == 0)
    }
  }
}
