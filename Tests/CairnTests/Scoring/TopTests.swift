import Cairn
import TestSupport
import Testing

/// The best without looking at all items against all of them put in order.
@Suite struct TopTests {
  private static let start: Int64 = 1_700_000_000

  private func history(_ count: Int, _ random: inout SeededGenerator) -> [Event] {
    (0..<count).map { number in
      let item = "item \(Int.random(in: 0..<60, using: &random))"
      let late = Int64.random(in: 0..<40, using: &random) * 86_400
      let time = Self.start + Int64(number) * 600 - (Bool.random(using: &random) ? 0 : late)
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1:
        return index(item, title: item, domain: "d\(Int.random(in: 0..<3, using: &random))")
      case 2: return Event(kind: .delete, item: item)
      case 3: return Event(kind: .update, item: item, time: Timestamp(seconds: time))
      default: return view(item, at: time)
      }
    }
  }

  @Test func `an item comes where its views and those of its parts put it`() async throws {
    try await withStore { store in
      let page = Event(
        kind: .index, item: "page", source: "web", attributes: ["title": "page"],
        extras: ["items": .array([.string("a"), .string("b")])])
      try store.appendBlocking(["a", "b", "c", "d"].map { index($0, title: $0) } + [page])
      let views = ["a": 3, "b": 4, "c": 5, "d": 6]
      for (item, count) in views.sorted(by: { $0.key < $1.key }) {
        try store.appendBlocking((0..<count).map { view(item, at: Self.start + Int64($0)) })
      }
      let top = try store.at().top(by: .count, limit: 2)
      #expect(top.map(\.item) == ["page", "d"])
      #expect(top.map(\.viewCount) == [7, 6] && top.map(\.score) == [7, 6])
      #expect(try store.at(.sequence(4 + 1 + 3)).top(by: .count, limit: 1).map(\.score) == [3])
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the first of a limit are the first of all, now and then, at any clock`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    try await withStore { store in
      var sequence: UInt64 = 0
      for _ in 0..<6 {
        let batch = history(80, &random)
        try await store.append(batch)
        sequence += UInt64(batch.count)
        for years in [-5, 0, 5] as [Int64] {
          let now = Timestamp(seconds: Self.start + years * 31_557_600 + 400_000)
          for point in [.head, .sequence(sequence / 2), .sequence(sequence / 3)] as [Point] {
            let moment = try store.at(point, now: now)
            for domain in [nil, "d1"] {
              let all = try moment.top(domain: domain, limit: nil)
              for limit in [1, 5, 20] {
                let place: Comment = "seed \(seed), \(point), \(years) years, limit \(limit)"
                #expect(
                  try moment.top(domain: domain, limit: limit) == Array(all.prefix(limit)), place)
              }
            }
            let best = try moment.top(limit: 20)
            for item in (0..<60).map({ "item \($0)" }) {
              let rank = try moment.rank(of: item, among: 20)
              #expect(rank == best.first { $0.item == item }?.rank, "seed \(seed), \(item)")
            }
          }
        }
      }
    }
  }

  @Test func `of a span only the views in it count, as of any point`() async throws {
    var random = SeededGenerator(seed: 5)
    try await withStore { store in
      let events = history(300, &random)
      try await store.append(events)
      for point in [300, 170] as [UInt64] {
        let moment = try store.at(.sequence(point))
        for _ in 0..<10 {
          let first = Self.start + Int64.random(in: -900_000..<180_000, using: &random)
          let last = first + Int64.random(in: 0..<400_000, using: &random)
          let span = Timestamp(seconds: first)...Timestamp(seconds: last)
          var counts: [String: Int] = [:]
          for event in events.prefix(Int(point)) {
            let item = event.item ?? ""
            if event.kind == .delete { counts[item] = nil }
            guard event.kind == .view, let time = event.time, span.contains(time) else { continue }
            counts[item, default: 0] += 1
          }
          let present = Set(try moment.items().map(\.id))
          let top = try moment.top(by: .count, limit: nil, within: span)
          let found = Dictionary(uniqueKeysWithValues: top.map { ($0.item, $0.viewCount) })
          #expect(found == counts.filter { present.contains($0.key) })
          #expect(top.map(\.viewCount) == top.map(\.viewCount).sorted(by: >))
          #expect(top.allSatisfy { span.contains($0.lastViewed) })
          #expect(
            try moment.top(by: .count, limit: 3, within: span).map(\.item)
              == top.prefix(3).map(\.item))
        }
      }
    }
  }

  @Test func `a past ranking is the one that was present then`() async throws {
    var random = SeededGenerator(seed: 9)
    try await withStore { store in
      var then: [(UInt64, [RankedItem])] = []
      let now = Timestamp(seconds: Self.start + 900_000)
      var sequence: UInt64 = 0
      for _ in 0..<10 {
        try await store.append(history(30, &random))
        sequence += 30
        then.append((sequence, try store.at(.head, now: now).top(limit: 7)))
      }
      for (sequence, expected) in then {
        #expect(try store.at(.sequence(sequence), now: now).top(limit: 7) == expected)
      }
    }
  }

  @Test func `the scales of an explanation add up, and its uses are the latest`() async throws {
    try await withStore { store in
      try await store.append([index("a", title: "alpha")])
      try await store.append((0..<40).map { view("a", at: Self.start + $0 * 40_000) })
      for sequence in [11, 30, 41] as [UInt64] {
        let now = Timestamp(seconds: Self.start + 2_000_000)
        let moment = try store.at(.sequence(sequence), now: now)
        let item = try #require(try moment.top(explains: true).first)
        let explanation = try #require(item.explanation)
        let sum = explanation.scales.reduce(0) { $0 + $1.score }
        #expect(abs(sum - item.score) <= 1e-9 * item.score)
        #expect(explanation.uses.map(\.sequence) == (0..<8).map { sequence - $0 })
        #expect(explanation.uses.allSatisfy { $0.isView && $0.weight == 1 })
      }
      #expect(try store.at().top().first?.explanation == nil)
    }
  }

  @Test
  func `weights of the scales change the order as the formula says, and are undone by leaving`()
    async throws
  {
    var random = SeededGenerator(seed: 21)
    try await withStore { store in
      try await store.append((0..<60).map { index("item \($0)", title: "t \($0)") })
      try await store.append(history(300, &random))
      let now = Timestamp(seconds: Self.start + 400_000)
      for point in [.head, .sequence(250)] as [Point] {
        let plain = try store.at(point, now: now).top(limit: 10)
        var moment = try store.at(point, now: now)
        let slow = [1.0 / 64, 1.0 / 64, 1.0 / 64, 1, 64, 64]
        moment.scales = try #require(RankingScales(multipliers: slow))
        let all = try moment.top(limit: nil, explains: true)
        #expect(all.map(\.item) != (try store.at(point, now: now).top(limit: nil)).map(\.item))
        #expect(all.map(\.score) == all.map(\.score).sorted(by: >))
        for item in all {
          let scales = try #require(item.explanation).scales
          let sum = zip(scales, slow).reduce(0.0) { total, entry in
            total + entry.0.sum * entry.1 * entry.0.amplitude / entry.1
          }
          #expect(abs(sum - item.score) <= 1e-9 * item.score)
        }
        for limit in [1, 5, 20] {
          #expect(try moment.top(limit: limit).map(\.item) == Array(all.prefix(limit)).map(\.item))
        }
        moment.scales = RankingScales()
        #expect(try moment.top(limit: 10) == plain)
      }
    }
  }

  @Test func `weights beyond their bounds, or not six, are refused`() {
    #expect(RankingScales(multipliers: [1, 1, 1, 1, 1]) == nil)
    #expect(RankingScales(multipliers: [1, 1, 1, 1, 1, 65]) == nil)
    #expect(RankingScales(multipliers: [0, 1, 1, 1, 1, 1]) == nil)
    #expect(RankingScales(multipliers: [.nan, 1, 1, 1, 1, 1]) == nil)
    #expect(RankingScales(multipliers: [1, 1, 1, 1, 1, 1]) == RankingScales())
    let even = [1.0, 1, 1, 1, 1, 1]
    #expect(RankingScales(multipliers: even, followMultiplier: 0) == nil)
    #expect(RankingScales(multipliers: even, followMultiplier: 64) != RankingScales())
  }
}
