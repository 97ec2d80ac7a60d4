import Cairn
import Projections
import TestSupport
import Testing

/// Names that Unicode calls equal and whose bytes differ: two names, wherever somebody asks.
@Suite struct SpellingTests {
  private static let names = ["\u{E9}", "e\u{301}"]

  /// An item of each name, with all that may be named by it; the second one is viewed, too.
  private static func events() -> [Event] {
    var events = names.map { name in
      var event = index(name, title: "tide", domain: "d." + name)
      (event.actor, event.source, event.session) = (name, name, name)
      return event
    }
    events.append(view(names[1], at: 1_700_000_000))
    return events
  }

  private static func withNames(_ body: (Store) throws -> Void) async throws {
    try await withStore { store in
      try await store.append(events())
      try body(store)
    }
  }

  @Test func `domains are counted apart`() async throws {
    try await Self.withNames { store in
      let counts = try store.at().statistics().domains
      #expect(counts == KeyOrdered(Self.names.map { ("d." + $0, 1) }))
      let plan = try store.planPurge(.domain("d")).domains
      #expect(plan["d." + Self.names[0]] == 1 && plan["d." + Self.names[1]] == 2)
      let sizes = try store.at().byteCounts(of: Self.names.map { "d." + $0 })
      #expect(Set(sizes.values).count == 2 && !sizes.values.contains(0))
    }
  }

  @Test func `a purge takes what has the name it was given`() async throws {
    try await Self.withNames { store in
      for name in Self.names {
        var bySource = PurgeCriteria()
        bySource.source = name
        var bySession = PurgeCriteria()
        bySession.session = name
        for criteria in [bySource, bySession] {
          let plan = try store.planPurge(.matching(criteria))
          #expect(plan.eventCount == 1)
        }
      }
    }
  }

  @Test func `a purge leaves what says how long an event of the other name became`() async throws {
    try await withStore { store in
      var longer = Event(kind: .extend, item: Self.names[1])
      (longer.extended, longer.dwell) = (1, 5)
      try await store.append([view(Self.names[0], at: 1_700_000_000), longer])
      let plan = try store.planPurge(.item(Self.names[0]))
      #expect(plan.eventCount == 1)
    }
  }

  @Test func `a feed passes what has one of the names it was given`() async throws {
    try await Self.withNames { store in
      func passed(_ filter: FeedFilter) throws -> [UInt64] {
        var sequences: [UInt64] = []
        try store.forEachRecord(from: 1, through: 3, passing: filter) { record in
          sequences.append(record.sequence)
          return true
        }
        return sequences
      }
      var (bySource, byActor, byItem) = (FeedFilter(), FeedFilter(), FeedFilter())
      let names = Self.names.map { Array($0.utf8) }
      bySource.sources = [names[1]]
      byActor.actors = [names[0]]
      byItem.items = Set(names)
      let sequences = [try passed(bySource), try passed(byActor), try passed(byItem)]
      #expect(sequences == [[2], [1], [1, 2, 3]])
    }
  }

  @Test func `a move from one domain to the other is a change, and can be taken back`() async throws
  {
    try await Self.withNames { store in
      let old = "d." + Self.names[0]
      let event = Event(kind: .update, item: Self.names[0], domain: .value("d." + Self.names[1]))
      try store.appendBlocking([event])
      var changed: [String] = []
      try store.forEachChange(from: store.at(.sequence(3)), to: store.at()) { change in
        changed += change.fields.map(\.name)
        return true
      }
      #expect(changed == ["domain"])
      let plan = try store.planRevert(to: store.at(.sequence(3)))
      try store.appendBlocking(plan)
      let domain = try #require(try store.at().item(Self.names[0])?.domain)
      #expect(domain.utf8.elementsEqual(old.utf8))
    }
  }

  @Test func `copies in folders of both are known`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: "\(directory)/\(Self.names[0])")
      defer { store.close() }
      try store.appendBlocking(Self.events())
      // Below the folder of the other name, beside it, and beside the store.
      let copies = ["\(Self.names[1])/b", "b" + Self.names[0], "b" + Self.names[1]]
      for copy in copies { _ = try store.backUp(into: "\(directory)/\(copy)") }
      #expect(try store.knownCopies().count == 3)
    }
  }

  @Test func `rules and horizons of both are kept`() throws {
    let rules = Self.names.map { RetentionRule(domain: $0, keeping: .days(1)) }
    #expect(rules[0] != rules[1] && Set(rules).count == 2)
    var horizon = Horizon()
    horizon.advance(to: 5, in: Self.names[0])
    horizon.advance(to: 7, in: Self.names[1])
    #expect(horizon.domains == KeyOrdered(zip(Self.names, [5, 7])))
    #expect(try Horizon(decoding: horizon.encoded) == horizon)
  }
}
