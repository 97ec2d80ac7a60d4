import Cairn
import Testing

/// Completions of what is typed: titles, words, and what was asked before.
struct SuggestionTests {
  private static func select(_ query: String, _ item: String) -> Event {
    Event(kind: .select, item: item, query: query, shown: [item])
  }

  private static func impression(_ query: String, _ shown: [String]) -> Event {
    Event(kind: .impression, query: query, shown: shown)
  }

  private static func queries(_ prefix: String, _ moment: Moment) throws -> [String] {
    try moment.suggestions(for: prefix, limit: nil).filter { $0.kind == .query }.map(\.text)
  }

  @Test(arguments: ["", " ", "\t\n", "\u{200B}"])
  func `what has no text is neither completed nor a completion`(blank: String) async throws {
    try await withStore { store in
      try await store.append([
        index("1", title: "Tram fares"), Self.select(blank, "1"), Self.impression(blank, ["1"]),
        Self.select("tram", "1"),
      ])
      #expect(try store.at().suggestions(for: blank).isEmpty)
      #expect(try store.at().suggestions(for: "tram").contains { $0.kind == .query })
    }
  }

  @Test func `queries that led to something come back, the ones chosen from first`() async throws {
    try await withStore { store in
      try await store.append([
        index("1", title: "Tram fares"), index("2", title: "Tram map"),
        Self.impression("tram times", ["1", "2"]), Self.impression("tram tomes", []),
        Self.select("Tram  fares today", "1"), Self.select("tram fares today", "1"),
        Self.select("tram plan", "2"), Self.select("bus", "2"),
      ])
      let now = try store.at()
      #expect(try Self.queries("tr", now) == ["tram fares today", "tram plan", "tram times"])
      #expect(try Self.queries("TRÀM F", now) == ["tram fares today"])
      #expect(try Self.queries("tram to", now) == [])
      #expect(try Self.queries("tr", try store.at(.sequence(3))) == ["tram times"])
      let kinds = try now.suggestions(for: "tram", limit: nil).map(\.kind)
      #expect(Set(kinds) == [.title, .query, .term])
    }
  }

  @Test func `a negative limit is refused, whatever is typed, and 0 gives none`() async throws {
    try await withStore { store in
      try await store.append(index("1", title: "Tram fares"))
      for typed in ["tr", "", "zzz"] {
        #expect(try store.suggestions(for: typed, limit: 0).isEmpty)
        let error = #expect(throws: CairnError.self) {
          try store.suggestions(for: typed, limit: -1)
        }
        #expect(error?.code == .badArgument)
      }
    }
  }

  @Test func `titles that are many times there leave room, and no limit leaves nothing out`()
    async throws
  {
    try await withStore { store in
      let many = (0..<40).map { index("q\($0)", title: "Alpha one") }
      let words = (0..<16).map { number in
        index("w\(number)", title: "t", ["textContent": .string("zeta\(number)")])
      }
      try await store.append(many + [index("z", title: "Alpha two")] + words)
      let now = try store.at()
      let titles = try now.suggestions(for: "alpha", limit: 5).filter { $0.kind == .title }
      #expect(titles.map(\.text) == ["Alpha one", "Alpha two"])
      #expect(try now.suggestions(for: "zeta", limit: nil).count { $0.kind == .term } == 16)
      try await store.append([Self.select("red  balloon", "z")])
      #expect(try Self.queries("red  b", try store.at()) == ["red  balloon"])
      #expect(try Self.queries(" red", try store.at()) == ["red  balloon"])
    }
  }

  @Test func `where too few titles have what is typed, those of what it finds come`() async throws {
    try await withStore { store in
      let many = (0..<3_000).map { index("q\($0)", title: "Alpha one") }
      let others = [
        index("z", title: "Two alpha"), index("b", title: "Beta", ["textContent": "alpha alpha"]),
      ]
      try await store.append(many + others)
      let moment = try store.at()
      let titles = try moment.suggestions(for: "alp", limit: 4).filter { $0.kind == .title }
      #expect(titles.map(\.text) == ["Alpha one", "Two alpha"])
      let open = try moment.suggestions(for: "alp", limit: 4, from: { $0.id == "b" })
      #expect(open.filter { $0.kind == .title }.map(\.text) == ["Beta"])
    }
  }

  @Test(arguments: [("x", "xenon"), ("ж", "жаба")])
  func `a word that is too long to be kept whole is not offered cut`(letter: String, word: String)
    async throws
  {
    try await withStore { store in
      let text = String(repeating: letter, count: 300) + " " + word
      try await store.append([index("a", title: "t", ["textContent": .string(text)])])
      let found = try store.at().suggestions(for: letter, limit: nil)
      #expect(found.filter { $0.kind == .term }.map(\.text) == [word])
    }
  }

  @Test func `what has expired is no reason to offer or to leave out a word`() async throws {
    try await withStore { store in
      func expired(_ item: String, _ title: String) -> Event {
        var event = index(item, title: title)
        event.expires = .value(Timestamp(seconds: 1_700_000_100))
        return event
      }
      try await store.append((0..<6).map { expired("x\($0)", "elepant") })
      try await store.append([
        index("k", title: "zebra"), index("y", title: "elephant zoo"), expired("c", "FooBar"),
        index("f", title: "foo and bar"),
      ])
      let now = try store.at()
      #expect(try now.search("fooBar").map(\.item) == ["f"])
      var request = SearchRequest("elepant zebra")
      request.mode = .any
      #expect(Set(try now.search(request).map(\.item)) == ["k", "y"])
      #expect(try now.suggestions(for: "elepa").allSatisfy { $0.text != "elepant" })
      #expect(try now.correction(of: SearchRequest("elepnat")) != "elepant")
    }
  }

  @Test func `a purge takes the queries that led to what is purged`() async throws {
    try await withStore { store in
      try await store.append([
        index("1", title: "Tram fares", domain: "a"), index("2", title: "Tram map", domain: "b"),
        Self.select("tram secret", "1"), Self.impression("tram secret", ["1", "2"]),
        Self.select("tram plan", "2"),
      ])
      #expect(try Self.queries("tram", store.at()).count == 2)
      _ = try store.purge(.domain("a"))
      #expect(try Self.queries("tram", store.at()) == ["tram plan"])
      #expect(try store.at().suggestions(for: "tram s", limit: nil).isEmpty)
    }
  }

  @Test(arguments: [0, 700]) func `words of a past point are ranked by the counts of then`(
    others: Int
  ) async throws {
    let first = [
      index("a", title: "x", ["textContent": "zebra zebu zeal"]),
      index("c", title: "y", ["textContent": "zebra zeal"]),
      index("d", title: "z", ["textContent": "zebra"]),
    ]
    try await withStore { store in
      try await store.append(first)
      try await store.append(
        (0..<30 + others).map {
          index("b\($0)", title: "t\($0)", ["textContent": "zebu zest ze\($0 % 20)"])
        })
      try await withStore { other in
        try await other.append(first)
        let past = try store.at(.sequence(3)).suggestions(for: "ze")
        #expect(past == (try other.at().suggestions(for: "ze")))
        #expect(past.filter { $0.kind == .term }.map(\.text) == ["zebra", "zeal", "zebu"])
      }
    }
  }
}
