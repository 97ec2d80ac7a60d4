import Cairn
import TestSupport
import Testing

/// Kept counts against counting; a failure names its seed.
@Suite struct CountTests {
  private static let clocks = [0, 2_500, 9_999].map { Timestamp(seconds: $0) }

  private static func event(_ random: inout SeededGenerator, expires: Bool) -> Event {
    let item = "item \(Int.random(in: 0..<20, using: &random))"
    let domain: Change<String> =
      [.absent, .cleared, .value("a"), .value("a.b"), .value("c")]
      .randomElement(using: &random) ?? .absent
    let place: Change<String> = if case .cleared = domain { .absent } else { domain }
    var event: Event
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5: event = Event(kind: .index, item: item, domain: place)
    case 5, 6: event = Event(kind: .update, item: item, domain: domain)
    case 7: event = Event(kind: .view, item: item, domain: place, attributes: ["title": "seen"])
    case 8: event = Event(kind: .view, item: item)
    case 9: event = Event(kind: .delete, item: item)
    case 10: event = Event(kind: .delete, domain: .value("a"))
    default: event = Event(kind: .index, item: item, domain: place)
    }
    if expires, event.kind == .index || event.kind == .update {
      event.expires = .value(Timestamp(seconds: Int64.random(in: 1...5, using: &random) * 1_000))
    }
    return event
  }

  private static func compare(_ store: Store, _ place: Comment) throws {
    for clock in clocks {
      let moment = try store.present(by: clock)
      let items = try moment.items()
      #expect(try moment.itemCount() == items.count, place)
      for domain in ["a", "a.b", "c", "none"] {
        #expect(try moment.itemCount(domain: domain) == moment.items(domain: domain).count, place)
      }
      let statistics = try moment.statistics()
      let domains = Dictionary(grouping: items) { $0.domain ?? "" }
      #expect(statistics.domains == KeyOrdered(domains.map { ($0, $1.count) }), place)
      #expect(statistics.itemCount == items.count, place)
      let events = try store.events()
      let kinds = Dictionary(grouping: events) { $0.event.kind.name.description }
      #expect(statistics.kinds == kinds.mapValues(\.count), place)
      #expect(statistics.eventCount == events.count, place)
      try compareDomains(moment, place)
    }
    let head = try store.at().sequence
    for sequence in [1, head / 2, head] {
      let past = try store.at(.sequence(sequence))
      #expect(try past.itemCount() == past.items().count, place)
      try compareDomains(past, place)
    }
    #expect(try store.verify(deep: true).problems.isEmpty, place)
  }

  /// The tree of domains beside the items and events that each of them lists.
  private static func compareDomains(_ moment: Moment, _ place: Comment) throws {
    func events(_ domain: String) throws -> Int {
      var query = EventQuery()
      (query.domain, query.through) = (domain, moment.sequence)
      return moment.sequence == 0 ? 0 : try moment.store.events(query).count
    }
    for (parent, names) in [(nil, ["a", "c"]), ("a", ["a.b"]), ("c", []), ("none", [])] {
      let counts = try moment.domains(below: parent)
      let held = try names.filter { try events($0) > 0 }
      #expect(counts.map(\.domain).sorted() == held, place)
      #expect(counts.map(\.itemCount) == counts.map(\.itemCount).sorted(by: >), place)
      for count in counts {
        #expect(try count.itemCount == moment.items(domain: count.domain).count, place)
        #expect(try count.eventCount == events(count.domain), place)
        #expect(try count.childCount == (count.domain == "a" && events("a.b") > 0 ? 1 : 0), place)
      }
    }
  }

  @Test(arguments: Array(1...8))
  func `counts that are kept are those that counting gives`(number: Int) async throws {
    let seed = UInt64(number)
    var random = SeededGenerator(seed: seed)
    let expires = number % 2 == 0
    try await withStore { store in
      for part in 0..<6 {
        let count = part == 0 ? 60 : Int.random(in: 1...9, using: &random)
        try await store.append((0..<count).map { _ in Self.event(&random, expires: expires) })
        try Self.compare(store, "seed \(seed), part \(part)")
      }
      _ = try store.purge(number % 3 == 0 ? .domain("a") : .item("item 3"))
      try Self.compare(store, "seed \(seed), after the purge")
      try await store.append((0..<9).map { _ in Self.event(&random, expires: expires) })
      try Self.compare(store, "seed \(seed), at the end")
    }
  }
}
