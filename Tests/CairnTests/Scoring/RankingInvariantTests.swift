import Cairn
import Testing

private let start: Int64 = 1_700_000_000
private let day: Int64 = 86_400

/// What must hold of any ranking by use, each with its opposite.
@Suite struct RankingInvariantTests {
  private func select(_ query: String, _ item: String, latency: Double? = nil) -> Event {
    Event(
      kind: .select, item: item, time: Timestamp(seconds: start), query: query, latency: latency)
  }

  private func impression(_ shown: [String], _ query: String = "tram") -> Event {
    Event(kind: .impression, time: Timestamp(seconds: start), query: query, shown: shown)
  }

  private func scores(_ store: Store, _ query: String = "tram") throws -> [String: Double] {
    var request = SearchRequest(query)
    request.limit = nil
    let hits = try store.at(.head, now: Timestamp(seconds: start + day)).search(request)
    return Dictionary(uniqueKeysWithValues: hits.map { ($0.item, $0.score) })
  }

  private func order(_ store: Store, _ query: String = "tram") throws -> [String] {
    try store.at(.head, now: Timestamp(seconds: start + day)).search(query).map(\.item)
  }

  /// Items alike but for their names.
  private func withTwins(_ body: (Store) async throws -> Void) async throws {
    try await withStore { store in
      try await store.append([
        index("a", title: "red tram", domain: "one"), index("b", title: "red tram", domain: "two"),
        index("c", title: "red tram", domain: "three"),
      ])
      try await body(store)
    }
  }

  @Test func `R-1 more views rank first, whichever item has them`() async throws {
    for favourite in ["a", "b", "c"] {
      try await withTwins { store in
        try await store.append((0..<3).map { view(favourite, at: start + $0) })
        let others = ["a", "b", "c"].filter { $0 != favourite }
        try await store.append(others.map { view($0, at: start) })
        #expect(try order(store).first == favourite)
      }
    }
  }

  @Test func `R-2 a choice leads its query and moves another one only by the ratio`() async throws {
    try await withTwins { store in
      try await store.append([select("tram", "b")])
      #expect(try order(store).first == "b")
      let related = try scores(store, "tram")
      let other = try scores(store, "red")
      let gain = try #require(related["b"]) - #require(related["a"])
      let leak = try #require(other["b"]) - #require(other["a"])
      // Use (a choice is use) and ratio are global; what was learned for the query is not.
      #expect(gain - leak > 1.4)
    }
  }

  @Test func `R-3 shown and passed over sinks step by step, off screen does not`() async throws {
    try await withTwins { store in
      var last = try scores(store)
      for _ in 0..<5 {
        // b was found, but never on screen.
        try await store.append([impression(["a"])])
        let next = try scores(store)
        #expect(try #require(next["a"]) < #require(last["a"]))
        #expect(next["b"] == last["b"])
        last = next
      }
      #expect(try order(store).last == "a")
    }
  }

  @Test func `R-3 what is looked at less loses less`() async throws {
    try await withTwins { store in
      try await store.append((0..<9).map { _ in impression(["a", "b", "c"]) })
      let found = try scores(store)
      #expect(try #require(found["a"]) < #require(found["b"]))
      #expect(try #require(found["b"]) < #require(found["c"]))
    }
  }

  @Test func `R-4 a ranking hint decides ties inside one domain only`() async throws {
    func withHints(_ hints: [Int64], _ domains: [String]) async throws -> [String] {
      try await withStore { store in
        for (number, hint) in hints.enumerated() {
          try await store.append([
            index(
              "i\(number)", title: "red tram", domain: domains[number],
              ["rankingHint": .integer(hint)])
          ])
        }
        return try order(store)
      }
    }
    #expect(try await withHints([1, 50, 9], ["d", "d", "d"]) == ["i1", "i2", "i0"])
    #expect(try await withHints([100, 100, 100], ["d", "d", "d"]) == ["i0", "i1", "i2"])
    #expect(try await withHints([1, 50, 99], ["d", "e", "f"]) == ["i0", "i1", "i2"])
    // The places of a domain stay its own.
    #expect(try await withHints([1, 50, 99], ["d", "e", "d"]) == ["i2", "i1", "i0"])
  }

  @Test func `R-5 an item that is also viewed as an activity ranks no lower than alone`()
    async throws
  {
    try await withTwins { store in
      let alone = try scores(store)
      try await store.append([
        Event(
          kind: .view, item: "a", time: Timestamp(seconds: start), attributes: ["title": "red tram"]
        )
      ])
      let merged = try scores(store)
      #expect(try #require(merged["a"]) > #require(alone["a"]))
      #expect(merged["b"] == alone["b"])
      #expect(try store.at().items().count == 3)
    }
  }

  @Test func `R-6 a title is worth more than a keyword`() async throws {
    try await withStore { store in
      try await store.append([
        index("keyword", title: "red line", ["keywords": ["tram"]]),
        index("title", title: "tram red", ["keywords": ["line"]]),
      ])
      #expect(try order(store, "tram") == ["title", "keyword"])
      #expect(try order(store, "line") == ["keyword", "title"])
    }
  }

  @Test func `R-7 a domain that fills results unchosen sinks, and recovers when chosen`()
    async throws
  {
    try await withStore { store in
      let flood = (0..<8).map { "flood \($0)" }
      try await store.append(flood.map { index($0, title: "tram offer", domain: "flood") })
      try await store.append([index("good", title: "the old red tram of the hill", domain: "good")])
      try await store.append([index("new", title: "tram offer", domain: "flood")])
      #expect(try order(store).last == "good")
      try await store.append((0..<60).map { _ in impression(flood) })
      // Even what was never shown itself: it is the domain that floods.
      let sunk = try scores(store)
      #expect(try order(store).first == "good")
      #expect(try #require(sunk["new"]) < #require(sunk["good"]))
      try await store.append((0..<200).map { select("offer", flood[$0 % 8]) })
      let risen = try scores(store)
      #expect(try #require(risen["new"]) > #require(sunk["new"]))
      #expect(try #require(risen["flood 0"]) > #require(risen["good"]))
    }
  }

  @Test func `R-8 slow opening lowers the item, and less its domain; fast does not`() async throws {
    try await withTwins { store in
      try await store.append([index("b2", title: "red tram", domain: "two")])
      let before = try scores(store)
      func wait(_ item: String, _ seconds: Double) -> Event {
        Event(
          kind: .view, item: item, time: Timestamp(seconds: start), latency: seconds,
          deliberate: false)
      }
      try await store.append((0..<6).map { _ in wait("a", 0.1) })
      try await store.append((0..<6).map { _ in wait("b", 12) })
      let after = try scores(store)
      #expect(try #require(after["b"]) < #require(after["a"]))
      #expect(try #require(after["b2"]) < #require(before["b2"]))
      #expect(try #require(after["c"]) == #require(before["c"]))
    }
  }

  @Test func `R-9 ties stand in one order, before and after a rebuild, in another store too`()
    async throws
  {
    try await withStore { store in
      let events = (0..<30).map { index("i\($0 * 7 % 30)", title: "red tram") }
      try await store.append(events)
      var request = SearchRequest("tram")
      request.limit = nil
      let all = try store.at().search(request).map(\.item)
      for limit in [1, 7, 29] {
        request.limit = limit
        #expect(try store.at().search(request).map(\.item) == Array(all.prefix(limit)))
      }
      _ = try store.rebuild()
      request.limit = nil
      #expect(try store.at().search(request).map(\.item) == all)
      try await withStore { other in
        for event in events { try await other.append([event]) }
        #expect(try other.at().search(request).map(\.item) == all)
      }
      #expect(Set(all).count == 30)
    }
  }

  @Test func `R-10 one impression does not bury a new item`() async throws {
    try await withStore { store in
      try await store.append([
        index("new", title: "red tram"), index("long", title: "a red tram and much else beside it"),
      ])
      // A word is only worth something where others lack it.
      try await store.append((0..<60).map { index("filler \($0)", title: "harbour \($0)") })
      #expect(try order(store) == ["new", "long"])
      try await store.append([impression(["new"])])
      #expect(try order(store) == ["new", "long"])
      try await store.append((0..<400).map { _ in impression(["new"]) })
      #expect(try order(store) == ["long", "new"])
    }
  }

  @Test(arguments: [600, 1_500]) func `ties are put in order whatever their number, page by page`(
    count: Int
  ) async throws {
    try await withStore { store in
      try await store.append(
        (1...count).map {
          index("i\($0)", title: "red tram", domain: "d", ["rankingHint": .integer(Int64($0))])
        })
      var request = SearchRequest("tram")
      var found: [String] = []
      for offset in stride(from: 0, to: count, by: 97) {
        (request.limit, request.offset) = (97, offset)
        found += try store.at().search(request).map(\.item)
      }
      #expect(found == (1...count).reversed().map { "i\($0)" })
    }
  }

  @Test func `ties whose first page has neither hints nor dates are in order all the same`()
    async throws
  {
    try await withStore { store in
      let plain = (1...40).map { index("plain\($0)", title: "red tram", domain: "d") }
      try await store.append(plain)
      let dated = (1...5).map {
        index(
          "dated\($0)", title: "red tram",
          ["contentModificationDate": .string("2024-05-0\($0)T00:00:00Z")])
      }
      try await store.append(dated)
      let hinted = index("hinted", title: "red tram", domain: "d", ["rankingHint": .integer(90)])
      try await store.append([hinted])
      var request = SearchRequest("tram")
      request.limit = 100
      let all = try store.at().search(request).map(\.item)
      #expect(all.prefix(6) == ["dated5", "dated4", "dated3", "dated2", "dated1", "hinted"])
      var found: [String] = []
      for offset in stride(from: 0, to: all.count, by: 7) {
        (request.limit, request.offset) = (7, offset)
        found += try store.at().search(request).map(\.item)
      }
      #expect(found == all)
    }
  }

  @Test func `a choice is a last use, and what was learned shows in every order`() async throws {
    try await withStore { store in
      try await store.append(["a", "b", "c"].map { index($0, title: "red tram \($0)") })
      try await store.append([
        view("a", at: start + 20), view("b", at: start + 10),
        Event(
          kind: .select, item: "c", time: Timestamp(seconds: start + 15), query: "tram",
          shown: ["c"]),
        Event(
          kind: .select, item: "b", time: Timestamp(seconds: start + 30), query: "tram",
          shown: ["b"]),
      ])
      let moment = try store.at(.head, now: Timestamp(seconds: start + 60))
      var request = SearchRequest("tram")
      request.explains = true
      let relevant = try moment.search(request)
      for sort in [.recent, .frequent] as [SearchRequest.Sort] {
        request.sort = sort
        let hits = try moment.search(request)
        if sort == .recent { #expect(hits.map(\.item) == ["b", "a", "c"]) }
        for hit in hits {
          let same = try #require(relevant.first { $0.item == hit.item })
          #expect(hit.score == same.score && hit.explanation == same.explanation)
        }
        #expect(hits.contains { $0.explanation?.latestChoiceScore ?? 0 > 0 })
      }
    }
  }
}
