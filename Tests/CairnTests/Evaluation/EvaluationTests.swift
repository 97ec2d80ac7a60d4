import Cairn
import Evaluation
import TestSupport
import Testing

private let start: Int64 = 1_700_000_000
private let day: Int64 = 86_400

/// The evaluator against what can be counted by hand.
@Suite struct EvaluationTests {
  @Test func `a history without uses gives rows without predictions`() async throws {
    try await withStore { store in
      let empty = try store.evaluate()
      #expect(empty.predictionCount == 0)
      #expect(
        empty.rows.map(\.formula).sorted { $0.rawValue < $1.rawValue }
          == RankingFormula.allCases.sorted { $0.rawValue < $1.rawValue })
      #expect(empty.rows.allSatisfy { $0.meanReciprocalRank == 0 })
    }
  }

  @Test func `two items in turn are never last used first, and always second`() async throws {
    try await withStore { store in
      try await store.append([index("a", title: "alpha"), index("b", title: "beta")])
      try await store.append((0..<90).map { view($0 % 2 == 0 ? "a" : "b", at: start + $0 * day) })
      let evaluation = try store.evaluate()
      #expect(evaluation.occasionCount == 90)
      #expect(evaluation.predictionCount == 60)
      let recent = try #require(evaluation.row(of: .recent))
      #expect(recent.meanReciprocalRank == 0.5)
      #expect(recent.first == 0 && recent.firstThree == 1 && recent.firstTen == 1)
      // Half of the time both stand alike, rank 1.5; else what comes next is one behind.
      let count = try #require(evaluation.row(of: .count))
      #expect(abs(count.meanReciprocalRank - (1 / 1.5 + 0.5) / 2) < 0.1)
      // Two names need no typing to stand among three.
      #expect(evaluation.rows.allSatisfy { $0.keystrokesSaved == 1 })
    }
  }

  @Test func `what is used every day beats what was used more, but long ago`() async throws {
    try await withStore { store in
      try await store.append((0..<9).map { index("i\($0)", title: "name \($0)") })
      try await store.append((0..<400).map { view("i0", at: start + $0 * 60) })
      try await store.append((0..<60).map { view("i1", at: start + 200 * day + $0 * day) })
      var request = EvaluationRequest()
      request.sampleCount = nil
      let evaluation = try store.evaluate(request)
      let ours = try #require(evaluation.row(of: .cairn))
      let byCount = try #require(evaluation.row(of: .count))
      #expect(ours.meanReciprocalRank > byCount.meanReciprocalRank)
      #expect(ours.first > 0.85)
    }
  }

  @Test func `edits between views count as top counts them`() async throws {
    var random = SeededGenerator(seed: 41)
    try await withStore { store in
      var events = ["a", "b", "c", "d"].map { index($0, title: $0, at: start) }
      events += ["a", "b", "c", "d"].map { view($0, at: start + 1) }
      for number in 1..<200 as Range<Int64> {
        let item = ["a", "a", "a", "b", "b", "c", "d"].randomElement(using: &random) ?? "a"
        let time = start + number * 1_800
        events.append(Event(kind: .update, item: item, time: Timestamp(seconds: time)))
        if Bool.random(using: &random) { events.append(view(item, at: time + 60)) }
      }
      try await store.append(events)
      var request = EvaluationRequest()
      request.sampleCount = nil
      let evaluation = try store.evaluate(request)
      var ranks: [Double] = []
      for (place, event) in events.enumerated() where event.kind == .view {
        let moment = try store.at(.sequence(UInt64(place)), now: event.time)
        let order = try moment.top(limit: nil).map(\.item)
        guard let item = event.item, let rank = order.firstIndex(of: item) else { continue }
        ranks.append(1 / Double(rank + 1))
      }
      // The first thirty occasions are not predicted.
      ranks.removeFirst(ranks.count - evaluation.predictionCount)
      let mean = ranks.reduce(0, +) / Double(ranks.count)
      #expect(evaluation.predictionCount > 50)
      #expect(abs(try #require(evaluation.row(of: .cairn)).meanReciprocalRank - mean) < 1e-9)
    }
  }

  @Test func `edits made together are one occasion, and what is new is not predicted`() async throws
  {
    try await withStore { store in
      for commit in 0..<40 as Range<Int64> {
        let time = Timestamp(seconds: start + commit * day)
        try await store.append(
          ["x", "y"].map {
            Event(kind: commit == 0 ? .index : .update, item: $0, time: time, actor: "me")
          } + [Event(kind: .index, item: "new \(commit)", time: time, actor: "me")])
      }
      let evaluation = try store.evaluate()
      #expect(evaluation.occasionCount == 40)
      // Ten commits of two known items each.
      #expect(evaluation.predictionCount == 20)
      #expect(try #require(evaluation.row(of: .cairn)).firstThree == 1)
      var request = EvaluationRequest()
      request.actor = "you"
      #expect(try store.evaluate(request).occasionCount == 0)
      try await store.append([Event(kind: .delete, item: "x")])
      let next = Timestamp(seconds: start + 50 * day)
      try await store.append([Event(kind: .update, item: "y", time: next, actor: "me")])
      #expect(try store.evaluate().predictionCount == 21)
    }
  }

  @Test func `weights of the scales change our row and nothing else`() async throws {
    try await withStore { store in
      try await store.append((0..<9).map { index("i\($0)", title: "name \($0)") })
      try await store.append((0..<20).map { view("i0", at: start + $0 * 60) })
      try await store.append((0..<90).map { view("i\(1 + $0 % 8)", at: start + (9 + $0) * day) })
      let plain = try store.evaluate()
      var request = EvaluationRequest()
      request.scales = try #require(RankingScales(multipliers: [1, 1, 64, 0.02, 0.02, 0.02]))
      let fast = try store.evaluate(request)
      #expect(fast.rows.filter { !$0.formula.isOurs } == plain.rows.filter { !$0.formula.isOurs })
      #expect(fast.row(of: .cairn) != plain.row(of: .cairn))
      request.scales = RankingScales()
      #expect(try store.evaluate(request) == plain)
    }
  }

  @Test func `who knows what was used before predicts what follows it`() async throws {
    try await withStore { store in
      try await store.append((0..<40).map { index("i\($0)", title: "name \($0)") })
      // Each is followed by the same one, which by then was left longest.
      try await store.append((0..<400).map { view("i\($0 * 7 % 40)", at: start + $0 * day) })
      let evaluation = try store.evaluate()
      let ours = try #require(evaluation.row(of: .cairn))
      let context = try #require(evaluation.row(of: .context))
      #expect(context.meanReciprocalRank > 5 * ours.meanReciprocalRank)
      #expect(evaluation.fittedScales.followMultiplier > 2)
    }
  }

  @Test func `where nothing follows from what was used before, that comes to count less`()
    async throws
  {
    try await withStore { store in
      var random = SeededGenerator(seed: 5)
      try await store.append((0..<10).map { index("i\($0)", title: "name \($0)") })
      try await store.append(
        (0..<600).map { view("i\(Int.random(in: 0..<10, using: &random))", at: start + $0 * day) })
      let evaluation = try store.evaluate()
      #expect(evaluation.fittedScales.followMultiplier < 0.8)
      let misled = try #require(evaluation.row(of: .context)).meanReciprocalRank
      #expect(try #require(evaluation.row(of: .full)).meanReciprocalRank > misled)
    }
  }

  @Test func `evaluating changes nothing and gives the same twice`() async throws {
    try await withStore { store in
      try await store.append((0..<7).map { index("i\($0)", title: "name \($0)") })
      try await store.append((0..<80).map { view("i\($0 * $0 % 7)", at: start + $0 * 977) })
      let before = try store.at().statistics()
      #expect(try store.evaluate() == store.evaluate())
      #expect(try store.at().statistics().projections == before.projections)
    }
  }

  @Test func `what others made is there to be predicted, what is deleted is not`() async throws {
    try await withStore { store in
      func by(_ actor: String, _ event: Event) -> Event {
        var event = event
        event.actor = actor
        return event
      }
      try await store.append((0..<10).map { by("B", index("i\($0)", title: "name \($0)")) })
      func edit(_ item: String, _ number: Int64) -> Event {
        by("A", Event(kind: .update, item: item, time: Timestamp(seconds: start + number * day)))
      }
      try await store.append(
        (1...30).map { edit("i0", $0) } + (1...9).map { edit("i\($0)", 30 + $0) })
      var request = EvaluationRequest()
      (request.actor, request.sampleCount) = ("A", nil)
      #expect(try store.evaluate(request).predictionCount == 9)
    }
    try await withStore { store in
      try await store.append((0..<5).map { index("i\($0)", title: "name \($0)") })
      try await store.append((1..<5).map { Event(kind: .delete, item: "i\($0)") })
      try await store.append((0..<200).map { view("i\($0 % 5)", at: start + $0 * day) })
      let evaluation = try store.evaluate()
      #expect(evaluation.predictionCount == 10)
      #expect(try #require(evaluation.row(of: .cairn)).meanReciprocalRank == 1)
    }
  }

  @Test func `a view moves no item to its own domain, and a new index without one does`()
    async throws
  {
    try await withStore { store in
      try await store.append((0..<5).map { index("i\($0)", title: "name \($0)", domain: "d.a") })
      var views = (0..<100).map { view("i\($0 % 5)", at: start + $0 * day) }
      for place in views.indices { views[place].domain = .value("web") }
      try await store.append(views)
      var request = EvaluationRequest()
      request.domain = "d.a"
      #expect(try store.evaluate(request).predictionCount == 70)
      request.domain = "web"
      #expect(try store.evaluate(request).predictionCount == 0)
      request.domain = "d.a"
      request.point = .sequence(55)
      #expect(try store.evaluate(request).predictionCount == 20)
    }
  }

  @Test func `an item that a view makes has the view's domain, whatever was seen before`()
    async throws
  {
    try await withStore { store in
      var making = view("x", at: start + 1)
      making.domain = .value("d")
      making.attributes = ["title": .string("x")]
      let views = (0..<40).map { view("x", at: start + 10 + $0) }
      try await store.append([view("x", at: start), making] + views)
      var request = EvaluationRequest()
      request.domain = "d"
      #expect(try store.at().items().first?.domain == "d")
      #expect(try store.evaluate(request).predictionCount == 12)
      try await store.append([Event(kind: .delete, domain: .value("d"))] + views)
      #expect(try store.evaluate(request).predictionCount == 12)
    }
  }

  @Test func `weights fitted as of a point know nothing of what came after it`() async throws {
    try await withStore { store in
      let edits = (0..<40).map {
        Event(kind: .update, item: "i0", time: Timestamp(seconds: start + $0 * day))
      }
      try await store.append((0..<3).map { index("i\($0)", title: "name \($0)") } + edits)
      let before = try store.at(.sequence(43)).fittedScales()
      try await store.append(view("i2", at: start + 41 * day))
      #expect(try store.at(.sequence(43)).fittedScales() == before)
    }
  }
}
