import Cairn
import TestSupport
import Testing

@Suite struct RetentionTests {
  @Test func `rules keep what they say, simulated first`() async throws {
    try await withStore { store in
      let now = Timestamp.now().seconds
      var events: [Event] = []
      for day in 0..<10 {
        let time = now - Int64(day) * 86_400 - 60
        events.append(index("a\(day)", title: "a", domain: "a.x", at: time))
        events.append(index("b\(day)", title: "b", domain: "b", at: time))
        events.append(view("b\(day)", at: time))
      }
      try await store.append(events)
      #expect(try store.planRetention().eventCount == 0)
      #expect(try store.addRetentionRule(.init(domain: "a", keeping: .days(4))) == 1)
      #expect(try store.addRetentionRule(.init(kind: .view, keeping: .events(3))) == 2)
      #expect(try store.retentionRules().map(\.rule.limit) == [.days(4), .events(3)])
      let plan = try store.planRetention()
      #expect(plan.kinds == [.index: 6, .view: 7])
      #expect(try store.at().sequence == 30)
      let receipt = try #require(try store.applyRetention())
      #expect(receipt.plan == plan)
      #expect(receipt.isComplete)
      let left = try store.at().items().map(\.id)
      #expect(left == (0..<4).map { "a\($0)" } + (0..<10).map { "b\($0)" })
      #expect(
        try store.at().top(by: .count, limit: nil).map(\.item).sorted() == ["b0", "b1", "b2"])
      #expect(try store.planRetention().eventCount == 0)
      #expect(try store.removeRetentionRule(1))
      #expect(try !store.removeRetentionRule(1))
      #expect(try store.retentionRules().map(\.number) == [2])
    }
  }

  @Test func `rules of versions take no events, and what is no rule is refused`() async throws {
    try await withStore { store in
      try await store.append([view("a", at: 1_000), view("b", at: 2_000)])
      try store.addRetentionRule(.init(keeping: .versions(days: 30)))
      try store.addRetentionRule(.init(keeping: .events(1)))
      let rules = try store.retentionRules().map(\.rule)
      #expect(try store.planPurge(.retention(rules)).eventCount == 1)
      #expect(try store.eventsToPurge(.retention(rules)).map(\.event.item) == ["a"])
      let limits: [RetentionRule.Limit] = [
        .events(-1), .events(.min), .days(0), .days(.min), .days(-106_751_991), .versions(days: -1),
      ]
      for limit in limits {
        let rule = RetentionRule(keeping: limit)
        for scope in [PurgeScope.retention([rule]), .retention(rules + [rule])] {
          let error = #expect(throws: CairnError.self) { try store.planPurge(scope) }
          #expect(error?.code == .badArgument)
          let other = #expect(throws: CairnError.self) { try store.purge(scope) }
          #expect(other?.code == .badArgument)
        }
      }
      #expect(try store.at().sequence == 2)
    }
  }

  @Test func `what a rule by count took would not be kept when it came again`() async throws {
    try await withStore { store in
      try await store.append((0..<6).map { view("a", at: 1_000 + Int64($0) / 2) })
      try store.addRetentionRule(.init(kind: .view, keeping: .events(3)))
      #expect(try store.outlived().isEmpty)
      _ = try #require(try store.applyRetention())
      // The newest three are of 1001, 1002 and 1002; another one of 1001 would displace the first.
      #expect(try store.outlived().map(\.end) == [1_001_000_001])
      _ = try store.purge(.before(Timestamp(seconds: 1_002)))
      #expect(try store.outlived().isEmpty)
    }
  }

  @Test func `a rule of a source takes what that source told, and is read again as it was made`()
    async throws
  {
    try await withStore { store in
      let now = Timestamp.now().seconds
      var events: [Event] = []
      for (place, source) in ["activitywatch/afk", "activitywatch/window", nil].enumerated() {
        for day in 1...4 {
          var event = view("a\(place)", at: now - Int64(day) * 86_400)
          (event.domain, event.source) = ("apps.here", source)
          events.append(event)
        }
      }
      try await store.append(events)
      let rules = [
        RetentionRule(domain: "apps", kind: .view, source: "activitywatch/afk", keeping: .days(2)),
        RetentionRule(source: "activitywatch/window", keeping: .events(3)),
      ]
      for rule in rules { try store.addRetentionRule(rule) }
      #expect(try store.retentionRules().map(\.rule) == rules)
      _ = try #require(try store.applyRetention())
      var query = EventQuery()
      var left: [Int] = []
      for source in ["activitywatch/afk", "activitywatch/window"] {
        query.source = source
        left.append(try store.events(query).count)
      }
      #expect(left == [1, 3])
      #expect(try store.outlived().map(\.source) == rules.map(\.source))
      var criteria = PurgeCriteria()
      criteria.mention = "window"
      #expect(try store.planPurge(.matching(criteria)).ruleNumbers == [2])
      let half = String(repeating: "s", count: 600)
      for rule in [
        RetentionRule(source: "", keeping: .days(1)),
        RetentionRule(domain: half, source: half, keeping: .days(1)),
        RetentionRule(source: "a", keeping: .versions(days: 1)),
      ] { expectError(.badArgument) { try store.addRetentionRule(rule) } }
    }
  }

  @Test func `a rule of more days than there ever were keeps everything`() async throws {
    try await withStore { store in
      try await store.append([index("a", title: "a", domain: "a", at: 1)])
      for days in [1_000_000_000, 107_000_000, 106_000_000] {
        try store.addRetentionRule(.init(keeping: .days(days)))
      }
      #expect(try store.planRetention().eventCount == 0)
    }
  }

  @Test func `a rule of a domain goes on when a schema moves it`() async throws {
    try await withStore { store in
      let old = Timestamp.now().seconds - 40 * 86_400
      try await store.append([
        index("a", title: "a", domain: "movies", at: old), view("a", at: old),
        index("b", title: "b", domain: "films", at: old),
      ])
      try store.addRetentionRule(.init(domain: "movies", keeping: .days(30)))
      let file = #"""
        {"cairnSchema":1,"domains":{},"upcasters":[{"domain":"movies","op":"move","to":"films"}]}
        """#
      try store.setSchema(try store.readSchema(Array(file.utf8)))
      #expect(try store.planRetention().eventCount == 2)
      _ = try #require(try store.applyRetention())
      #expect(try store.at().items().map(\.id) == ["b"])
    }
  }

  @Test func `a rule that makes no sense is refused`() async throws {
    try await withStore { store in
      for rule in [
        RetentionRule(keeping: .days(-1)), RetentionRule(kind: .purge, keeping: .events(1)),
        RetentionRule(domain: "", keeping: .events(1)),
      ] { expectError(.badArgument) { try store.addRetentionRule(rule) } }
      expectError(.badArgument) {
        try store.purge(.retention([]), blocking: true)
      }
    }
  }
}
