import Cairn
import TestSupport
import Testing

/// Random histories against a model; a failure names its seed.
@Suite struct ModelTests {
  private static let words = ["tram", "harbour", "lisbon", "porto", "tide", "dusk"]
  private static let domains = ["a", "a.b", "a.b.c", "ab", "b", "b.a"]

  @Test(arguments: Array(1...12))
  func `a random history answers like the model, now and at every past point`(number: Int)
    async throws
  {
    let seed = UInt64(number)
    var random = SeededGenerator(seed: seed)
    try await withStore { store in
      var model = HistoryModel()
      var past: [HistoryModel] = [model]
      while past.count < 160 {
        let batch = (0..<Int.random(in: 1...9, using: &random)).map { _ in Self.event(&random) }
        try await store.append(batch)
        for event in batch {
          model.apply(event)
          past.append(model)
        }
      }
      for sequence in [past.count - 1]
        + (0..<25).map({ _ in Int.random(in: 0..<past.count, using: &random) })
      { try check(store.at(.sequence(UInt64(sequence))), past[sequence], seed: seed) }
      try check(store.at(), model, seed: seed)
      try await checkReplay(store, seed: seed)
    }
  }

  private func check(_ moment: Moment, _ model: HistoryModel, seed: UInt64) throws {
    let place: Comment = "seed \(seed), sequence \(moment.sequence)"
    let items = try moment.items()
    #expect(items.map(\.id) == model.items.keys.sorted(), place)
    for item in items {
      let expected = try #require(model.items[item.id], place)
      #expect(item.domain == expected.domain, place)
      let attributes = Dictionary(uniqueKeysWithValues: item.attributes.map { ($0.key, $0.value) })
      #expect(attributes == expected.attributes, place)
    }
    #expect(try moment.top(by: .count, limit: nil).map(\.item) == model.top, place)
    for word in Self.words {
      var request = SearchRequest(word)
      request.isExact = true
      request.limit = nil
      #expect(try moment.search(request).map(\.item).sorted() == model.titled(word), place)
    }
    for domain in Self.domains {
      let expected = model.items.filter { _, item in
        item.domain == domain || item.domain?.hasPrefix(domain + ".") == true
      }
      #expect(try moment.items(domain: domain).map(\.id) == expected.keys.sorted(), place)
    }
  }

  /// Rebuilding, and replaying into another store, give equal digests.
  private func checkReplay(_ store: Store, seed: UInt64) async throws {
    let digests = try store.digests()
    let rebuilt = try #require(try store.rebuild())
    #expect(
      rebuilt.allSatisfy(\.isEqual) && rebuilt.count == Store.projectionNames.count, "seed \(seed)")
    try await withStore { other in
      try await other.append(try store.events().map(\.event))
      #expect(try other.digests() == digests, "seed \(seed)")
    }
    #expect(try store.verify().problems == [], "seed \(seed)")
  }

  static func event(_ random: inout SeededGenerator) -> Event {
    let item = "item \(Int.random(in: 0..<14, using: &random))"
    let time = Timestamp(seconds: 1_700_000_000 + Int64.random(in: 0..<100_000, using: &random))
    let title = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      words[Int.random(in: 0..<words.count, using: &random)]
    }.joined(separator: " ")
    let domain = domains[Int.random(in: 0..<domains.count, using: &random)]
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6:
      return Event(
        kind: .index, item: item, domain: Bool.random(using: &random) ? .value(domain) : .absent,
        time: time,
        attributes: [
          "title": .string(title), "n": .integer(Int64.random(in: 0..<9, using: &random)),
        ])
    case 6..<9:
      var attributes: Attributes = [:]
      if Bool.random(using: &random) { attributes["title"] = .string(title) }
      if Bool.random(using: &random) { attributes["n"] = .null }
      if Bool.random(using: &random) { attributes["m"] = .double(0.5) }
      let moves: [Change<String>] = [.absent, .absent, .cleared, .value(domain)]
      return Event(
        kind: .update, item: item, domain: moves[Int.random(in: 0..<4, using: &random)], time: time,
        attributes: attributes)
    case 9..<16:
      return Event(
        kind: .view, item: item, time: time,
        attributes: Int.random(in: 0..<3, using: &random) == 0 ? ["title": .string(title)] : [:])
    case 16..<18: return Event(kind: .delete, item: item, time: time)
    case 18: return Event(kind: .delete, domain: .value(domain), time: time)
    default:
      return Int.random(in: 0..<4, using: &random) == 0
        ? Event(kind: .delete, all: true, time: time) : Event(kind: .delete, item: item, time: time)
    }
  }
}
