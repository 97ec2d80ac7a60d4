import EventLog
import LMDB
import Projections
import TestSupport
import Testing

@testable import Cairn

/// Old versions let go of random histories, held against what was answered before; a failure names
/// its seed.
@Suite struct HorizonTests {
  @Test(arguments: Array(1...10))
  func `after a horizon all is answered as before, and before it nothing`(number: Int) async throws
  {
    let seed = UInt64(number)
    var random = SeededGenerator(seed: seed &* 104_729)
    let events = (0..<240).map { _ in PurgeModelTests.event(&random) }
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      defer { store.close() }
      try await Self.append(Array(events[..<200]), to: store)
      try store.createSnapshot("early", at: .sequence(10))
      let points = stride(from: UInt64(0), through: 200, by: 8).map { $0 }
      let before = try points.map { try Answers(store.at(.sequence($0))) }
      let log = try store.events()
      let trace = try store.trace("item 3", through: 200)
      let horizon = UInt64.random(in: 30..<190, using: &random)
      try store.moveHorizon(to: horizon, in: nil)
      func check() throws {
        for (point, answers) in zip(points, before) where point >= horizon {
          #expect(try Answers(store.at(.sequence(point))) == answers, "seed \(seed) at \(point)")
        }
        for point in points where point < horizon { try Self.expectRefused(store, point) }
        // The log has what the projections let go of.
        #expect(try store.trace("item 3", through: 200) == trace, "seed \(seed)")
        #expect(try store.verify(deep: true).problems == [], "seed \(seed)")
      }
      try check()
      #expect(try store.events() == log, "seed \(seed)")
      let rebuilt = try #require(try store.rebuild())
      #expect(rebuilt.allSatisfy { $0.isEqual }, "seed \(seed)")
      try check()
      #expect(try store.compact())
      try check()
      try Self.checkCopies(of: store, in: directory, before[1], at: points[1], seed)

      try await Self.append(Array(events[200...]), to: store)
      #expect(try store.verify(deep: true).problems == [], "seed \(seed)")
      try store.moveHorizon(to: horizon - 20, in: nil)
      try check()
      _ = try store.purge(number % 2 == 0 ? .domain("a") : .item("item 3"))
      #expect(try store.verify(deep: true).problems == [], "seed \(seed)")
      try Self.expectRefused(store, horizon - 1)
      #expect(try store.snapshot("early")?.sequence == 10)
    }
  }

  /// Backups have the horizon, copies at a point have none.
  private static func checkCopies(
    of store: Store, in directory: String, _ answers: Answers, at point: UInt64, _ seed: UInt64
  ) throws {
    _ = try store.backUp(into: directory + "/backup")
    _ = try Store.restore(directory + "/backup", into: directory + "/restored")
    let restored = try Store.open(at: directory + "/restored")
    defer { restored.close() }
    #expect(try restored.digests() == store.digests(), "seed \(seed)")
    try expectRefused(restored, point)
    try store.copy(at: store.at(.sequence(point)), into: directory + "/past")
    let past = try Store.open(at: directory + "/past")
    defer { past.close() }
    #expect(try Answers(past.at(.sequence(point))) == answers, "seed \(seed)")
  }

  @Test(arguments: Array(1...8))
  func `horizons of domains leave the others, and come to the same in one step or many`(
    number: Int
  ) async throws {
    let seed = UInt64(number)
    var random = SeededGenerator(seed: seed &* 15_485_863)
    let events = (0..<260).map { _ in ModelTests.event(&random) }
    try await withDirectory { directory in
      let many = try Store.open(at: directory + "/many")
      let one = try Store.open(at: directory + "/one")
      defer { many.close(); one.close() }
      try await Self.append(events, to: many)
      try await Self.append(events, to: one)
      let points = stride(from: UInt64(0), through: 260, by: 10).map { $0 }
      let before = try points.map { try Self.words(many.at(.sequence($0)).items(domain: "b")) }
      var shown: [[[String]]] = []
      for point in points {
        shown.append(
          try (0..<14).map { number in
            Self.words([try many.at(.sequence(point)).item("item \(number)")].compactMap(\.self))
          })
      }
      for point: UInt64 in [60, 90, 180, 200] { try many.moveHorizon(to: point, in: "a") }
      try many.moveHorizon(to: 40, in: nil)
      try one.moveHorizon(to: 40, in: nil)
      try one.moveHorizon(to: 200, in: "a")
      #expect(try many.digests() == one.digests(), "seed \(seed)")
      var answered = 0
      for (index, point) in points.enumerated() {
        let moment = try many.at(.sequence(point))
        guard point >= 40 else {
          expectError(.noSuchPoint) { try moment.items(domain: "b") }
          continue
        }
        let inB = Self.words(try moment.items(domain: "b"))
        #expect(inB == before[index], "seed \(seed) at \(point)")
        if point < 200 {
          expectError(.noSuchPoint) { try moment.items(domain: "a.b") }
          expectError(.noSuchPoint) { try moment.items() }
        }
        for item in 0..<14 {
          // Exact, or refused.
          do throws(CairnError) {
            let found = try moment.item("item \(item)")
            #expect(Self.words([found].compactMap(\.self)) == shown[index][item], "seed \(seed)")
            answered += 1
          } catch { #expect(error.code == .noSuchPoint && point < 200) }
        }
      }
      #expect(answered > 14 * 8)
      let rebuilt = try #require(try many.rebuild())
      #expect(rebuilt.allSatisfy { $0.isEqual }, "seed \(seed)")
      #expect(try many.verify(deep: true).problems == [], "seed \(seed)")
    }
  }

  @Test func `an item shows what its parts were, though their domain has a horizon`() async throws {
    try await withStore { store in
      func part(_ text: String) -> Event {
        index("part", title: "part", domain: "parts", ["comment": .string(text)])
      }
      try await store.append([
        index("whole", title: "whole", domain: "wholes"), part("one"),
        Event(
          kind: .index, item: "whole", source: "web", attributes: ["title": "page"],
          extras: ["items": .array([.string("part")])]),
        part("two"), part("three"),
      ])
      try store.moveHorizon(to: 5, in: "parts")
      for (point, text) in [(3, "one"), (4, "two"), (5, "three")] as [(UInt64, String)] {
        let moment = try store.at(.sequence(point))
        #expect(try moment.shownID(of: "part") == "whole")
        #expect(try moment.item("whole")?.attributes["comment"] == .string(text))
      }
      try store.moveHorizon(to: 5, in: "wholes")
      for item in ["whole", "part"] {
        expectError(.noSuchPoint) {
          let moment = try store.at(.sequence(3))
          _ = try moment.item(moment.shownID(of: item))
        }
      }
      #expect(try store.verify(deep: true).problems == [])
    }
  }

  @Test func `a plan counts what goes, and the rule lets it go`() async throws {
    try await withStore { store in
      let old = Timestamp(seconds: Timestamp.now().seconds - 10 * 86_400)
      var events: [Event] = []
      for round in 0..<200 {
        for item in 0..<20 {
          var event = index("i\(item)", title: "tram \(round % 3)", domain: item < 5 ? "a" : "b")
          event.recorded = old
          events.append(event)
        }
      }
      try await store.append(events)
      try await store.append([index("i0", title: "new", domain: "a")])
      let plan = try store.planHorizon(days: 5)
      #expect(plan.sequence == 4_000 && plan.versionCount == 199 * 20)
      #expect(plan.byteCount > plan.versionCount * 40)
      #expect(try store.planHorizon(days: 11).versionCount == 0)
      #expect(try store.planHorizon(days: 5, domain: "a").versionCount == 199 * 5)
      try store.addRetentionRule(.init(domain: "a", keeping: .versions(days: 5)))
      #expect(try store.planRetention().eventCount == 0)
      #expect(try store.applyVersionRetention().map(\.versionCount) == [199 * 5])
      try store.addRetentionRule(.init(keeping: .versions(days: 5)))
      let size = try #require(try store.generation()?.environment.byteCount)
      #expect(try store.applyVersionRetention().map(\.versionCount) == [0, 199 * 15])
      #expect(try store.planHorizon(days: 5).versionCount == 0)
      let left = try #require(try store.generation()?.environment.byteCount)
      #expect(left < size)
      #expect(try store.at().itemCount() == 20)
      #expect(try store.verify(deep: true).problems == [])
      expectError(.badArgument) {
        try store.addRetentionRule(.init(kind: .view, keeping: .versions(days: 1)))
      }
    }
  }

  @Test func `who opens a store whose versions were going goes on`() async throws {
    try await withDirectory { directory in
      var random = SeededGenerator(seed: 77)
      let store = try Store.open(at: directory)
      try await Self.append((0..<200).map { _ in ModelTests.event(&random) }, to: store)
      var horizon = Horizon()
      horizon.advance(to: 150)
      // Killed right after the horizon was noted.
      try store.log.setFoldSetting(horizon.encoded, for: EventLog.horizonKey)
      expectError(.busy) { try store.verify(deep: true) }
      store.close()
      let again = try Store.open(at: directory, access: .readOnly)
      defer { again.close() }
      #expect(try again.generation()?.isCut(as: again.log) == true)
      #expect(try again.verify(deep: true).problems == [])
      try Self.expectRefused(again, 149)
      #expect(try again.log.storedFormat() == EventLog.settingsFormat)
    }
  }

  private static func append(_ events: [Event], to store: Store) async throws {
    for start in stride(from: 0, to: events.count, by: 9) {
      try await store.append(Array(events[start..<min(start + 9, events.count)]))
    }
  }

  /// Every way of asking projections of a point fails alike.
  private static func expectRefused(_ store: Store, _ point: UInt64) throws {
    let moment = try store.at(.sequence(point))
    let now = try store.at()
    expectError(.noSuchPoint) { try moment.items() }
    expectError(.noSuchPoint) { try moment.item("item 3") }
    expectError(.noSuchPoint) { try moment.itemCount() }
    expectError(.noSuchPoint) { try moment.search(SearchRequest("tram")) }
    expectError(.noSuchPoint) { try moment.top(by: .count, limit: nil) }
    expectError(.noSuchPoint) { try moment.statistics() }
    expectError(.noSuchPoint) { try store.forEachChange(from: moment, to: now) { _ in true } }
    expectError(.noSuchPoint) { try store.forEachChange(from: moment, to: moment) { _ in true } }
    expectError(.noSuchPoint) { try store.planRevert(to: moment) }
    expectError(.noSuchPoint) { try store.createSnapshot("x", at: .sequence(point)) }
  }

  private static func words(_ items: [Item]) -> [String] {
    items.map { "\($0.id) \($0.domain ?? "-") \($0.sequence) \($0.encodedAttributes)" }
  }

  /// What a moment answers, scores included.
  private struct Answers: Equatable {
    var items: [String]
    var top: [String] = []
    var hits: [String] = []
    var counts: KeyOrdered<Int>

    init(_ moment: Moment) throws {
      items = HorizonTests.words(try moment.items())
      top = try moment.top(by: .count, limit: nil).map { "\($0.item) \($0.score) \($0.viewCount)" }
      for word in ["tram", "harbour", "tide"] {
        var request = SearchRequest(word)
        request.limit = nil
        hits += try moment.search(request).map { "\($0.item) \($0.score) \($0.title ?? "")" }
      }
      counts = try moment.statistics().domains
    }
  }
}
