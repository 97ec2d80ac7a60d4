import Cairn
import TestSupport
import Testing

/// Purges of random histories against a store in which the purged events never happened; a failure
/// names its seed.
@Suite struct PurgeModelTests {
  @Test(arguments: Array(1...16))
  func `a purge leaves what a history without the events would have`(number: Int) async throws {
    let seed = UInt64(number)
    var random = SeededGenerator(seed: seed &* 7_919)
    let events = (0..<140).map { _ in Self.event(&random) }
    let scopes: [PurgeScope] = [
      .domain("a"), .domain("a.b"), .domain("b"), .item("item 3"),
      .before(Timestamp(seconds: 1_700_040_000)),
    ]
    let scope = scopes[number % scopes.count]
    let gone = Self.purged(scope, events)
    try await withStore { store in
      for start in stride(from: 0, to: events.count, by: 9) {
        try await store.append(Array(events[start..<min(start + 9, events.count)]))
      }
      try store.createSnapshot("half", at: .sequence(70))
      let plan = try store.planPurge(scope)
      let receipt = try #require(try store.purge(scope))
      #expect(receipt.plan == plan, "seed \(seed)")
      #expect(plan.eventCount == gone.count, "seed \(seed)")
      #expect(receipt.isComplete && receipt.residueByteCount == 0, "seed \(seed)")
      try await Self.compare(store, events, gone, seed)
    }
  }

  private static func compare(_ store: Store, _ events: [Event], _ gone: Set<Int>, _ seed: UInt64)
    async throws
  {
    let kept = events.indices.filter { !gone.contains($0) }
    #expect(
      try store.events().map(\.sequence).filter { $0 <= 140 } == kept.map { UInt64($0 + 1) },
      "seed \(seed)")
    #expect(try store.verify(deep: true).problems == [], "seed \(seed)")
    try await withStore { other in
      try await other.append(kept.map { events[$0] })
      #expect(try store.digests() == other.digests(), "seed \(seed)")
      // Every past point is that of the other history, too.
      for sequence in stride(from: 0, through: 140, by: 20) {
        let before = UInt64(kept.count { $0 < sequence })
        let one = try store.at(.sequence(UInt64(sequence)))
        let two = try other.at(.sequence(before))
        #expect(try one.items().map(\.id) == two.items().map(\.id), "seed \(seed) at \(sequence)")
        #expect(
          try one.top(by: .count, limit: nil).map(\.item)
            == two.top(by: .count, limit: nil).map(\.item), "seed \(seed) at \(sequence)")
      }
      let half = try other.at(.sequence(UInt64(kept.count { $0 < 70 }))).itemCount()
      #expect(try store.snapshot("half")?.itemCount == Int(half), "seed \(seed)")
    }
  }

  static func event(_ random: inout SeededGenerator) -> Event {
    guard Int.random(in: 0..<7, using: &random) == 0 else { return ModelTests.event(&random) }
    let items = (0..<3).map { _ in "item \(Int.random(in: 0..<18, using: &random))" }
    let isChoice = Bool.random(using: &random)
    return Event(
      kind: isChoice ? .select : .impression, item: isChoice ? items[0] : nil,
      time: Timestamp(seconds: 1_700_000_000 + Int64.random(in: 0..<100_000, using: &random)),
      query: "tram", shown: items)
  }

  /// Indices of the events that a scope covers, by the contract's words.
  static func purged(_ scope: PurgeScope, _ events: [Event]) -> Set<Int> {
    var model = HistoryModel()
    var gone: Set<Int> = []
    /// Items whose domain is covered when an event shows them.
    var showsCovered: Set<Int> = []
    for (index, event) in events.enumerated() {
      let own = event.domain.value ?? event.item.flatMap { model.items[$0]?.domain }
      model.apply(event)
      switch scope {
      case .domain(let name):
        if covers(name, own) { gone.insert(index) }
        if event.shown.contains(where: { covers(name, model.items[$0]?.domain) }) {
          showsCovered.insert(index)
        }
      case .item(let name):
        if event.item == name || event.shown.contains(name) { gone.insert(index) }
      case .before(let time): if let happened = event.time, happened < time { gone.insert(index) }
      case .matching, .retention: break
      }
    }
    guard !gone.isEmpty else { return [] }
    gone.formUnion(showsCovered)
    while true {
      // Items of which no event is left.
      let left = Set(events.indices.filter { !gone.contains($0) }.compactMap { events[$0].item })
      let lost = Set(gone.compactMap { events[$0].item }).subtracting(left)
      let more = events.indices.filter {
        !gone.contains($0) && events[$0].shown.contains(where: lost.contains)
      }
      if more.isEmpty { return gone }
      gone.formUnion(more)
    }
  }

  private static func covers(_ name: String, _ domain: String?) -> Bool {
    domain == name || domain?.hasPrefix(name + ".") == true
  }
}
