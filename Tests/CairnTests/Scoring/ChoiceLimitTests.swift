import Cairn
import Testing

private let start: Int64 = 1_700_000_000
private let day: Int64 = 86_400

/// Where choices, guards and bounces end: what an audit from outside found.
@Suite struct ChoiceLimitTests {
  private func select(_ query: String, _ item: String, at time: Int64) -> Event {
    Event(
      kind: .select, item: item, time: Timestamp(seconds: time), recorded: Timestamp(seconds: time),
      query: query)
  }

  private func less(_ item: String, at time: Int64) -> Event {
    Event(
      kind: .impression, item: item, time: Timestamp(seconds: time),
      recorded: Timestamp(seconds: time), extras: ["feedback": .string("less")])
  }

  private func hits(
    _ store: Store, _ query: String, at time: Int64, _ mode: SearchRequest.Mode = .all
  ) throws -> [SearchHit] {
    var request = SearchRequest(query)
    (request.mode, request.explains) = (mode, true)
    return try store.at(.head, now: Timestamp(seconds: time)).search(request)
  }

  private func explanation(_ store: Store, _ query: String, _ item: String, at time: Int64) throws
    -> ScoreExplanation
  {
    let hit = try hits(store, query, at: time).first { $0.item == item }
    return try #require(hit?.explanation)
  }

  @Test func `a forgotten choice for one of any words lifts nothing above both`() async throws {
    try await withStore { store in
      try await store.append([
        index("both", title: "the tram map of lisbon"), index("one", title: "city map archive"),
        select("map", "one", at: start),
      ])
      #expect(try hits(store, "map tram", at: start + 31 * day, .any).first?.item == "both")
    }
  }

  @Test func `two choices in days stand beside an exact title, and fall when less is wanted`()
    async throws
  {
    try await withStore { store in
      try await store.append([
        index("a", title: "alpha report"), index("b", title: "beta report"),
        index("x", title: "report"), select("report", "a", at: start),
        select("report", "a", at: start + 3_600), select("report", "b", at: start + 7_200),
      ])
      let time = start + 2 * day
      #expect(try explanation(store, "report", "a", at: time).guardScore > 0)
      #expect(try explanation(store, "report", "b", at: time).guardScore == 0)
      try await store.append([less("a", at: start + day)])
      #expect(try explanation(store, "report", "a", at: time).guardScore == 0)
    }
  }

  @Test func `less from before a choice takes nothing from it`() async throws {
    try await withStore { store in
      try await store.append([
        index("a", title: "alpha report"), index("b", title: "beta report"), less("a", at: start),
        select("report", "a", at: start + 4 * day),
      ])
      let time = start + 5 * day
      #expect(try explanation(store, "report", "a", at: time).latestChoiceScore > 0)
      try await store.append([less("a", at: start + 4 * day + 60)])
      #expect(try explanation(store, "report", "a", at: time).latestChoiceScore == 0)
    }
  }

  @Test func `an exact title is above one choice and a burst of use`() async throws {
    try await withStore { store in
      try await store.append([index("x", title: "report"), index("a", title: "report card")])
      try await store.append((0..<500).map { view("a", at: start + $0) })
      try await store.append([select("report", "a", at: start + 500)])
      #expect(try hits(store, "report", at: start + 560).map(\.item) == ["x", "a"])
    }
  }

  @Test func `what one item was chosen for thousands of times leaves room for another`()
    async throws
  {
    try await withStore { store in
      try await store.append([index("a", title: "alpha report"), index("b", title: "beta report")])
      try await store.append((0..<8_200).map { select("report", "a", at: start + $0 * 3_600) })
      let end = start + 8_200 * 3_600
      try await store.append((0..<5).map { select("report", "b", at: end + $0 * 60) })
      #expect(try explanation(store, "report", "b", at: end + 300).choices > 4.9)
      #expect(try explanation(store, "repor", "b", at: end + 300).choices > 4)
      #expect(try hits(store, "report", at: end + 300).first?.item == "b")
    }
  }

  @Test func `a choice for a text longer than a key counts for the same text`() async throws {
    try await withStore { store in
      let long = (0..<80).map { "word\($0)" }.joined(separator: " ")
      try await store.append([
        index("a", title: long), index("b", title: long), select(long, "b", at: start),
      ])
      #expect(try explanation(store, long, "b", at: start + day).choices > 0.9)
      #expect(try explanation(store, long, "a", at: start + day).choices == 0)
    }
  }

  @Test func `a wait without end is a long wait, and scores stay numbers`() async throws {
    try await withStore { store in
      var slow = view("a", at: start)
      slow.latency = 1.7e308
      try await store.append([
        index("a", title: "alpha report", domain: "d"),
        index("b", title: "beta report", domain: "d"), slow, slow,
      ])
      let found = try hits(store, "report", at: start + 1)
      #expect(found.allSatisfy { $0.score.isFinite })
      let latencies = found.compactMap { $0.explanation?.latencyScore }
      #expect(latencies.count == 2 && latencies.allSatisfy { $0 > -20 })
    }
  }

  @Test func `what came back is not spoken against by its former life`() async throws {
    try await withStore { store in
      try await store.append([
        index("a", title: "alpha report"), index("b", title: "beta report"),
        select("report", "a", at: start), Event(kind: .delete, item: "a"),
        index("a", title: "alpha report"), select("report", "b", at: start + 5),
      ])
      #expect(try explanation(store, "report", "a", at: start + 60).dislikeScore == 0)
    }
  }

  @Test func `a bounce is one in whatever order its choices arrive`() async throws {
    var dislikes: Set<Double> = []
    let choices = [("a", Int64(0)), ("b", 5), ("c", -3_600)]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 0, 1]] {
      try await withStore { store in
        let titles = ["a", "b", "c"].map { index($0, title: "\($0) report") }
        let arrived = order.map { select("report", choices[$0].0, at: start + choices[$0].1) }
        try await store.append(titles + arrived)
        let found = try explanation(store, "report", "a", at: start + 60).dislikeScore
        dislikes.insert((found * 10_000).rounded())
      }
    }
    #expect(dislikes.count == 1 && dislikes.allSatisfy { $0 < 0 })
  }

  @Test func `an actor and a session of one name are two trails`() async throws {
    try await withStore { store in
      func use(_ item: String, _ second: Int64, actor: String, session: String?) -> Event {
        var event = view(item, at: start + second)
        (event.actor, event.session) = (actor, session)
        return event
      }
      try await store.append(["a", "b", "c"].map { index($0, title: "report \($0)") })
      try await store.append([
        use("a", 1, actor: "7", session: nil), use("b", 2, actor: "8", session: "7"),
        use("c", 3, actor: "8", session: "7"),
      ])
      let moment = try store.at(.head, now: Timestamp(seconds: start + 60))
      let plain = try moment.top(limit: 3)
      var context = SearchContext()
      context.previousItem = "a"
      let ranked = try moment.top(limit: 3, context: context)
      #expect(ranked.map(\.item) == plain.map(\.item))
      for (one, other) in zip(ranked, plain) { #expect(abs(one.score - other.score) < 1e-9) }
    }
  }
}
