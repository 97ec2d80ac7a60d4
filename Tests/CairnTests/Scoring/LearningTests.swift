import Cairn
import TestSupport
import Testing

private let start: Int64 = 1_700_000_000
private let day: Int64 = 86_400

/// A choice of a result.
private func select(
  _ query: String, _ item: String, at time: Int64, shown: [String] = [], position: Int64? = nil,
  dwell: Double? = nil, latency: Double? = nil, session: String? = nil
) -> Event {
  Event(
    kind: .select, item: item, time: Timestamp(seconds: time), recorded: Timestamp(seconds: time),
    session: session, query: query, position: position, shown: shown, dwell: dwell, latency: latency
  )
}

/// A page of results.
private func impression(_ query: String, _ shown: [String], at time: Int64) -> Event {
  Event(kind: .impression, time: Timestamp(seconds: time), query: query, shown: shown)
}

extension Store {
  fileprivate func found(_ query: String, at time: Int64, _ point: Point = .head) throws -> [String]
  { try at(point, now: Timestamp(seconds: time)).search(query).map(\.item) }

  fileprivate func scores(_ query: String, at time: Int64) throws -> [String: Double] {
    var request = SearchRequest(query)
    request.limit = nil
    let hits = try at(.head, now: Timestamp(seconds: time)).search(request)
    return Dictionary(uniqueKeysWithValues: hits.map { ($0.item, $0.score) })
  }
}

/// What search learns from what people choose and pass over.
@Suite struct LearningTests {
  /// A rival with a habit of two years, and an item hardly ever used.
  private func withRivals(_ body: (Store) async throws -> Void) async throws {
    try await withStore { store in
      var events = [
        index("rival", title: "Lisbon tram map", domain: "a"),
        index("quiet", title: "Lisbon tram fares", domain: "b"),
        index("other", title: "Porto tram fares", domain: "b"),
      ]
      for back in 0..<730 as Range<Int64> { events.append(view("rival", at: start - back * day)) }
      try await store.append(events)
      try await body(store)
    }
  }

  @Test func `one choice leads the next day and yields after a week, unless repeated`() async throws
  {
    try await withRivals { store in
      #expect(try store.found("lisbon", at: start + day).first == "rival")
      try await store.append([select("lisbon", "quiet", at: start)])
      #expect(try store.found("lisbon", at: start + day).first == "quiet")
      #expect(try store.found("lisbon", at: start + 8 * day).first == "rival")
      try await store.append([select("lisbon", "quiet", at: start + 4 * day)])
      #expect(try store.found("lisbon", at: start + 8 * day).first == "quiet")
      #expect(try store.found("lisbon", at: start + day, .sequence(733)).first == "rival")
    }
  }

  @Test(arguments: [8, 20, 100] as [Int64])
  func `one choice yields after a week to a rival of few uses, too, and two stay`(uses: Int64)
    async throws
  {
    try await withStore { store in
      try await store.append([
        index("rival", title: "Lisbon tram map"), index("quiet", title: "Lisbon tram fares"),
      ])
      try await store.append((1...uses).map { view("rival", at: start - $0 * day) })
      try await store.append([select("lisbon", "quiet", at: start)])
      #expect(try store.found("lisbon", at: start + day).first == "quiet")
      for days in [7, 8, 14, 28] as [Int64] {
        #expect(try store.found("lisbon", at: start + days * day).first == "rival")
      }
      try await store.append([select("lisbon", "quiet", at: start + 28 * day)])
      #expect(try store.found("lisbon", at: start + 36 * day).first == "quiet")
    }
  }

  @Test
  func `one choice leads over better words, fields and habits the next day, and not for long`()
    async throws
  {
    try await withStore { store in
      try await store.append([
        index("best", title: "harbour tram map"), index("order", title: "map of the harbour"),
        index(
          "field", title: "lines", ["textContent": "a long way by tram, beside the harbour map"]),
      ])
      try await store.append((0..<400).map { view("best", at: start - 20 * day + $0 * 4_000) })
      #expect(try store.found("harbour map", at: start).last == "field")
      try await store.append([select("harbour map", "field", at: start, position: 3)])
      for hours in [0, 1, 24, 30] as [Int64] {
        #expect(try store.found("harbour map", at: start + hours * 3_600).first == "field")
      }
      #expect(try store.found("harbour map", at: start + 7 * day).first == "best")
      // Another query, even a longer one, is not led by it.
      #expect(try store.found("harbour", at: start + day).first != "field")
      #expect(try store.found("map", at: start + day).first != "field")
      // The last word counts, and who asked for less of it has said one.
      try await store.append([select("harbour map", "order", at: start + 60)])
      #expect(try store.found("harbour map", at: start + day).first == "order")
      try await store.append([
        Event(
          kind: .impression, item: "order", time: Timestamp(seconds: start + 120),
          extras: ["feedback": .string("less")])
      ])
      #expect(try store.found("harbour map", at: start + day).first == "best")
      #expect(try store.found("harbour map", at: start + day, .sequence(404)).first == "field")
    }
  }

  @Test(arguments: [("alphq report", "", 5, false), ("zeta", "some alpha text", 40, true)])
  func `one choice leads over better matches and any habit the next day, and not for long`(
    title: String, text: String, dailyViews: Int64, isDeliberate: Bool
  ) async throws {
    try await withStore { store in
      try await store.append([
        index("chosen", title: title, ["textContent": .string(text)]),
        index("rival", title: "alpha report"),
      ])
      let views = (0..<200).flatMap { age in
        (0..<dailyViews).map { number in
          var event = view("rival", at: start - Int64(age) * day - number * 600)
          if isDeliberate { event.deliberate = true }
          return event
        }
      }
      try await store.append(views)
      try await store.append([select("alpha", "chosen", at: start, position: 2)])
      #expect(try store.found("alpha", at: start + day).first == "chosen")
      #expect(try store.found("alpha", at: start + 7 * day).first == "rival")
    }
  }

  @Test func `a choice counts for the query however it is written, and for its beginnings`()
    async throws
  {
    try await withRivals { store in
      try await store.append([select("  LISBON  Trám ", "quiet", at: start)])
      for query in ["lisbon tram", "Lisbon TRAM", "lisbon tra", "lisbon"] {
        #expect(try store.found(query, at: start + day).first == "quiet", "\(query)")
      }
      // Words of their own, not the beginning of what was typed.
      for query in ["tram", "tram lisbon", "fares"] {
        let before = try store.scores(query, at: start + day)
        #expect(try before["other"].map { try #require(before["quiet"]) - $0 } ?? 0 < 1.5)
      }
      #expect(try store.found("tram", at: start + day).first == "rival")
    }
  }

  @Test func `what was learned of a longer query is worth less the less of it is typed`()
    async throws
  {
    try await withRivals { store in
      try await store.append([select("lisbon", "quiet", at: start)])
      func learned(_ query: String) throws -> Double {
        var request = SearchRequest(query)
        request.explains = true
        let moment = try store.at(.head, now: Timestamp(seconds: start + day))
        let hit = try moment.search(request).first { $0.item == "quiet" }
        return try #require(hit?.explanation).choices
      }
      let values = try ["li", "lis", "lisbon"].map(learned)
      #expect(values == values.sorted() && Set(values).count == 3)
      #expect(try learned("lisbon t") > 0)
      #expect(try learned("tram") == 0)
    }
  }

  @Test func `two fresh choices stand beside an exact title, one does not`() async throws {
    try await withStore { store in
      try await store.append([
        index("exact", title: "tram"), index("taught", title: "tram map of Lisbon"),
      ])
      try await store.append([select("tram", "taught", at: start)])
      #expect(try store.found("tram", at: start + 60).first == "exact")
      try await store.append((1...5).map { select("tram", "taught", at: start + $0 * 60) })
      #expect(try store.found("tram", at: start + 600).first == "taught")
    }
  }

  @Test func `an exact title is first whatever the use of the others`() async throws {
    try await withStore { store in
      try await store.append([
        index("exact", title: "tram"), index("used", title: "tram map of Lisbon"),
      ])
      try await store.append((0..<500).map { view("used", at: start + $0) })
      #expect(try store.found("tram", at: start + 600).first == "exact")
      #expect(try store.found("tra", at: start + 600).first == "used")
    }
  }

  @Test func `a bounce and the user's word speak against an item, and fade`() async throws {
    try await withStore { store in
      try await store.append([
        index("a", title: "tram one"), index("b", title: "tram two"), index("c", title: "tram tri"),
      ])
      try await store.append([
        select("tram", "a", at: start, dwell: 2), select("tram", "b", at: start + 20, dwell: 90),
      ])
      var request = SearchRequest("tram")
      request.explains = true
      func dislike(_ item: String, at time: Int64) throws -> Double {
        let moment = try store.at(.head, now: Timestamp(seconds: time))
        return try moment.search(request).first { $0.item == item }?.explanation?.dislike ?? -1
      }
      #expect(try dislike("a", at: start + 20) == 0.5)
      #expect(try dislike("b", at: start + 20) == 0)
      #expect(try dislike("a", at: start + 20 + 9 * day) == 0.25)
      let before = try store.scores("tram", at: start + 100)
      try await store.append([
        Event(
          kind: .impression, item: "c", time: Timestamp(seconds: start + 100),
          extras: ["feedback": .string("less")])
      ])
      let after = try store.scores("tram", at: start + 100)
      #expect(try #require(after["c"]) < #require(before["c"]))
      #expect(after["a"] == before["a"])
    }
  }

  @Test func `every learned term names its events, as of any point`() async throws {
    try await withRivals { store in
      // 734 … 738; the words of 736 begin alike, those of 737 do not.
      try await store.append([
        select("lisbon", "quiet", at: start), impression("lisbon", ["quiet", "rival"], at: start),
        select("lisbon tram", "quiet", at: start), select("fares", "quiet", at: start),
        select("lisbon", "rival", at: start + 3_600),
      ])
      var request = SearchRequest("lisbon")
      request.explains = true
      func events(_ point: Point) throws -> [[UInt64]] {
        let moment = try store.at(point, now: Timestamp(seconds: start + day))
        let hit = try moment.search(request).first { $0.item == "quiet" }
        let explanation = try #require(hit?.explanation)
        return [explanation.choiceEvents, explanation.resultEvents, explanation.domainEvents]
      }
      #expect(try events(.head) == [[736, 734], [737, 736, 735, 734], []])
      #expect(try events(.sequence(735)) == [[734], [735, 734], []])
      #expect(try events(.sequence(733)) == [[], [], []])
    }
  }

  @Test func `an item that comes back has unlearned everything`() async throws {
    try await withRivals { store in
      try await store.append((0..<3).map { select("lisbon", "quiet", at: start + $0) })
      #expect(try store.found("lisbon", at: start + day).first == "quiet")
      try await store.append([
        Event(kind: .delete, item: "quiet"), index("quiet", title: "Lisbon tram fares"),
      ])
      var request = SearchRequest("lisbon")
      request.explains = true
      let hits = try store.at(.head, now: Timestamp(seconds: start + day)).search(request)
      let explanation = try #require(hits.first { $0.item == "quiet" }?.explanation)
      #expect(explanation.choices == 0 && explanation.clicks == 0)
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the favourites of a query are where scoring everything puts them, now and then`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let words = ["tram", "tide", "dusk", "harbour"]
    try await withStore { store in
      var events: [Event] = []
      for number in 0..<40 {
        let title = (0..<3).map { _ in words[Int.random(in: 0..<4, using: &random)] }
        events.append(
          index("i\(number)", title: title.joined(separator: " "), domain: "d\(number % 3)"))
      }
      for step in 0..<120 as Range<Int64> {
        let item = "i\(Int.random(in: 0..<40, using: &random))"
        let query = words[Int.random(in: 0..<4, using: &random)]
        let shown = (0..<5).map { _ in "i\(Int.random(in: 0..<44, using: &random))" }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: events.append(select(query, item, at: start + step * 900, shown: shown))
        case 1: events.append(impression(query, shown, at: start + step * 900))
        case 2: events.append(select(query, item, at: start + step * 900, latency: 3))
        default: events.append(view(item, at: start + step * 900))
        }
      }
      for event in events { try await store.append([event]) }
      let sequences = [UInt64(events.count), 100, 70]
      for query in words + ["tra", "tram dusk"] {
        for sequence in sequences {
          let moment = try store.at(.sequence(sequence), now: Timestamp(seconds: start + 2 * day))
          var request = SearchRequest(query)
          request.limit = nil
          let all = try moment.search(request)
          #expect(all.map(\.score) == all.map(\.score).sorted(by: >), "seed \(seed)")
          for limit in [1, 4, 12] {
            request.limit = limit
            #expect(
              try moment.search(request) == Array(all.prefix(limit)), "seed \(seed), \(query)")
          }
        }
      }
      let head = try store.at(.sequence(100), now: Timestamp(seconds: start)).search("tram")
      try await withStore { other in
        try await other.append(Array(events.prefix(100)))
        let then = try other.at(.head, now: Timestamp(seconds: start)).search("tram")
        #expect(then.map(\.item) == head.map(\.item) && then.map(\.score) == head.map(\.score))
        try await other.append(Array(events.dropFirst(100)))
        #expect(try other.digests() == store.digests())
      }
      #expect(try #require(try store.rebuild()).allSatisfy(\.isEqual))
      #expect(try store.verify(deep: true).problems == [])
    }
  }
}
