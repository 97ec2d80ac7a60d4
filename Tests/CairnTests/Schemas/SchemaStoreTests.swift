import Cairn
import TestSupport
import Testing

/// Schemas of a store: recorded, shown, refused, undone, left alone by purges.
@Suite struct SchemaStoreTests {
  static func file(_ domains: String, _ steps: String = "") -> [UInt8] {
    Array(#"{"cairnSchema":1,"domains":{\#(domains)},"upcasters":[\#(steps)]}"#.utf8)
  }

  static let films = #"""
    "films":{"unknown":"refuse","attributes":{"title":{"type":"text","required":true},
      "year":{"type":"integer","aliases":["yr"]},"story":{"type":"text","searchable":true}}}
    """#

  @Test func refusesWhatBreaksTheSchemaLineByLine() async throws {
    try await withStore { store in
      try store.setSchema(try store.readSchema(Self.file(Self.films)))
      func index(_ item: String, _ attributes: Attributes, in domain: String? = "films") -> Event {
        .index(item, attributes: attributes, domain: domain)
      }
      let result = try store.appendBlocking([
        index("a", ["title": "Alien", "yr": 1979]), index("b", ["year": 1]),
        index("c", ["title": "C", "year": "1985"]), index("d", ["title": "D", "more": 1]),
        index("e", ["more": 1], in: nil), .update("a", attributes: ["title": .null]),
        .update("a", attributes: ["more": 1]), .update("e", attributes: ["more": 2]),
        .delete(domain: "films"), .update("a", attributes: ["more": 1]),
        Event(
          kind: .view, item: "a", domain: .value("films"), attributes: ["title": "A", "year": 1.5]),
        index("b", ["title": "B", "cairn.schema.part.1.0.more": "x"]),
      ])
      let reasons = result.outcomes.map { outcome in
        if case .rejected(let reason) = outcome {
          reason.split(separator: ":").prefix(2).joined(separator: ":")
        } else {
          "ok"
        }
      }
      #expect(
        reasons == [
          "ok", "title: required", "year: type", "more: unknown", "ok", "title: required",
          "more: unknown", "ok", "ok", "ok", "year: type", "cairn.schema.part.1.0.more: unknown",
        ])
      #expect(try store.at(.sequence(2)).item("a")?.attributes == ["title": "Alien", "year": 1979])
    }
  }

  @Test(arguments: [true, false])
  func judgesPartsAndItemsOfPagesByTheirOwnDomain(_ isOneBatch: Bool) async throws {
    try await withStore { store in
      let films = #"""
        "films":{"attributes":{"year":{"type":"integer","required":true}}}
        """#
      try store.setSchema(try store.readSchema(Self.file(films)))
      func page(_ kind: EventKind, _ item: String, about items: [JSONValue] = []) -> Event {
        Event(
          kind: kind, item: item, domain: .value("web"), source: "web",
          attributes: kind == .index ? ["title": "P"] : [:],
          extras: items.isEmpty ? [:] : ["items": .array(items)])
      }
      let events = [
        Event.index("whole", attributes: ["year": 1979], domain: "films"), page(.index, "whole"),
        .update("whole", attributes: ["year": "later"]), page(.delete, "whole"),
        .view("whole", title: "W"), .index("part", attributes: ["year": 1985], domain: "films"),
        page(.index, "whole", about: [.string("part")]), .view("part", title: "P"),
        .update("part", attributes: ["year": "later"]), .delete("part"),
        .update("part", attributes: ["year": "later"]),
      ]
      var taken: [Bool] = []
      for batch in isOneBatch ? [events] : events.map({ [$0] }) {
        taken += try store.appendBlocking(batch).outcomes.map { outcome in
          if case .rejected = outcome { false } else { true }
        }
      }
      #expect(taken == events.indices.map { $0 != 2 && $0 != 8 })
    }
  }

  @Test(arguments: [true, false])
  func judgesAnItemOfAPageAloneByTheDomainThatAnUpdateGaveIt(_ isOneBatch: Bool) async throws {
    try await withStore { store in
      let films = #""films":{"attributes":{"year":{"type":"integer"}}}"#
      try store.setSchema(try store.readSchema(Self.file(films)))
      func page(_ kind: EventKind, _ item: String, _ domain: String) -> Event {
        Event(
          kind: kind, item: item, domain: .value(domain), source: "web",
          attributes: kind == .index ? ["title": "P"] : [:])
      }
      let events = [
        page(.index, "a", "films"), Event(kind: .update, item: "a", domain: .value("books")),
        .update("a", attributes: ["year": "later"]),
        page(.index, "b", "books"), Event(kind: .update, item: "b", domain: .value("films")),
        .update("b", attributes: ["year": "later"]),
        page(.delete, "b", "books"), .update("b", attributes: ["year": "later"]),
      ]
      var taken: [Bool] = []
      for batch in isOneBatch ? [events] : events.map({ [$0] }) {
        taken += try store.appendBlocking(batch).outcomes.map { outcome in
          if case .rejected = outcome { false } else { true }
        }
      }
      #expect(taken == events.indices.map { $0 != 5 })
    }
  }

  @Test(arguments: [true, false])
  func demandsOfAViewThatBringsBackWhatExpiredWhatAFirstOneHasToHave(_ isOneBatch: Bool)
    async throws
  {
    try await withStore { store in
      let film = #"""
        "films":{"attributes":{"year":{"type":"integer","required":true}}}
        """#
      try store.setSchema(try store.readSchema(Self.file(film)))
      func event(_ kind: EventKind, _ attributes: Attributes, until end: Int64? = nil) -> Event {
        Event(
          kind: kind, item: "a", domain: .value("films"), attributes: attributes,
          expires: end.map { Change.value(Timestamp(seconds: $0)) } ?? .absent)
      }
      let events = [
        event(.index, ["title": "A", "year": 1979], until: 32_503_680_000),
        event(.view, ["title": "A"]),
        event(.update, ["year": 1980], until: 1_000_000_000),
        event(.update, ["title": "B"]),
        event(.view, ["title": "A"]),
        event(.view, ["title": "A", "year": 1979]),
        event(.view, ["title": "A"]),
      ]
      let outcomes =
        try isOneBatch
        ? store.appendBlocking(events).outcomes
        : events.flatMap { try store.appendBlocking([$0]).outcomes }
      let refused = outcomes.indices.filter { index in
        guard case .rejected(let reason) = outcomes[index] else { return false }
        return reason.hasPrefix("year: required")
      }
      #expect(refused == [4] && outcomes.count == events.count)
      #expect(try store.at().item("a")?.attributes == ["title": "A", "year": 1979])
    }
  }

  @Test func demandsOfAViewThatNamesItsTitleByAnOlderNameWhatAnItemHasToHave() async throws {
    try await withStore { store in
      let named = #"""
        "":{"attributes":{"title":{"type":"text","aliases":["name"]},
          "year":{"type":"integer","required":true}}}
        """#
      try store.setSchema(try store.readSchema(Self.file(named)))
      func view(_ item: String, _ attributes: Attributes) -> Event {
        Event(kind: .view, item: item, attributes: attributes)
      }
      let outcomes = try store.appendBlocking([
        view("a", ["name": "A"]), view("b", ["name": "B", "year": 1979]), view("c", ["more": "C"]),
      ]).outcomes
      let refused = outcomes.indices.filter { index in
        guard case .rejected(let reason) = outcomes[index] else { return false }
        return reason.hasPrefix("year: required")
      }
      #expect(refused == [0])
      #expect(try store.at().items().map(\.id) == ["b"])
    }
  }

  @Test func undoingASplitJoinsWhatTheItemHadWithThePartsThatWereUpdated() async throws {
    try await withStore { store in
      try store.appendBlocking([
        .index("a", attributes: ["full": "Ada King"], domain: "old.x"),
        .index("b", attributes: ["full": "Bo Ek"]), .index("c", attributes: ["full": "Cy"]),
      ])
      let steps = #"""
        {"domain":"","op":"rename","from":"full","to":"name"},
        {"domain":"","op":"split","from":"name","to":["given","family"],"at":" "},
        {"domain":"","op":"rename","from":"family","to":"surname"},
        {"domain":"old","op":"move","to":"new"}
        """#
      try store.setSchema(try store.readSchema(Self.file("", steps)))
      try store.appendBlocking([
        .update("a", attributes: ["given": "Mary Ann"]), .update("a", attributes: ["given": "Ada"]),
        .update("a", attributes: ["surname": "Lovelace"]),
        .update("b", attributes: ["surname": .null]), .update("c", attributes: ["surname": "Orr"]),
      ])
      func names(_ sequence: UInt64) throws -> [AttributeValue?] {
        try store.at(.sequence(sequence)).items().map { $0.attributes["full"] }
      }
      try store.undoSchema()
      #expect(try names(5) == ["Mary Ann King", "Bo Ek", "Cy"])
      #expect(try names(6) == ["Ada King", "Bo Ek", "Cy"])
      #expect(try names(10) == ["Ada Lovelace", "Bo", "Cy Orr"])
      #expect(try #require(try store.rebuild()).allSatisfy { $0.isEqual })
    }
  }

  @Test func movesADomainToAnotherSpellingOfTheSameLetters() async throws {
    try await withStore { store in
      let (whole, parts) = ("caf\u{e9}", "cafe\u{301}")
      try store.appendBlocking([
        .index("a", domain: whole), .index("b", domain: whole + ".x"), .index("c", domain: parts),
        .index("d"), Event(kind: .update, item: "d", domain: .value(whole)),
      ])
      func domains() throws -> [[UInt8]] {
        try store.at().items().map { Array(($0.domain ?? "").utf8) }
      }
      let before = try domains()
      let move = Self.file("", #"{"domain":"\#(whole)","op":"move","to":"\#(parts)"}"#)
      try store.setSchema(try store.readSchema(move))
      #expect(try domains() == [parts, parts + ".x", parts, parts].map { Array($0.utf8) })
      try store.undoSchema()
      #expect(try domains() == before)
    }
  }

  @Test func whatARecursiveDeleteCoveredStaysSoWhenAMoveIsUndone() async throws {
    for keeps in [true, false] {
      try await withStore { store in
        try store.appendBlocking([
          .index("a", domain: "old"), .index("b", domain: "old.x"), .index("c", domain: "new"),
        ])
        try store.appendBlocking([
          Event(kind: .update, item: "b", domain: .value("old.y"))
        ])
        let move = Self.file("", #"{"domain":"old","op":"move","to":"new"}"#)
        try store.setSchema(try store.readSchema(move), keeping: keeps)
        // Nothing was seen in `old` then but what came under the schema.
        try store.appendBlocking([.index("d", domain: "old"), .delete(domain: "old")])
        #expect(try store.at().items().map(\.id) == ["a", "b", "c"])
        try store.undoSchema(keeping: keeps)
        #expect(try store.at().items().map(\.id) == ["a", "b", "c"])
        #expect(try store.at().items().map(\.domain) == ["old", "old.y", "new"])
        try store.appendBlocking([.delete(domain: "old.y")])
        #expect(try store.at().items().map(\.id) == ["a", "c"])
        #expect(try #require(try store.rebuild()).allSatisfy { $0.isEqual })
      }
    }
  }

  @Test func undoesAtOnceWhereTheProjectionsBeforeWereKept() async throws {
    try await withStore { store in
      func states() throws -> [RebuildStatus.Generation.State] {
        try store.rebuildStatus().generations.map(\.state)
      }
      try store.appendBlocking([
        .index("a", attributes: ["name": "Ada King", "old": 1], domain: "movies"),
        .index("b", attributes: ["old": 2], domain: "films"),
      ])
      let rename = #"{"domain":"","op":"rename","from":"old","to":"new"}"#
      let split = #"{"domain":"","op":"split","from":"name","to":["given","family"],"at":" "}"#
      let move = #"{"domain":"movies","op":"move","to":"films"}"#
      let first = Self.file("", rename)
      try store.setSchema(try store.readSchema(first), keeping: true)
      try store.appendBlocking([.update("a", attributes: ["new": 3])])
      let second = Self.file("", [rename, split, move].joined(separator: ","))
      try store.setSchema(try store.readSchema(second), keeping: true)
      // The one before the last was kept until now.
      #expect(try states() == [.kept, .serving])
      try store.appendBlocking([
        .update("a", attributes: ["family": "Byron"]), .index("c", domain: "movies.x"),
        .delete("b"),
      ])
      #expect(try store.planSchemaUndo().projections.isEmpty)
      let undone = try #require(try store.undoSchema())
      #expect(undone.version == 3 && undone.projections.isEmpty && undone.sequence == 9)
      #expect(try states() == [.serving])
      #expect(try store.at().items().map(\.id) == ["a", "c"])
      #expect(try store.at().item("a")?.domain == "movies")
      #expect(try store.at().item("a")?.attributes == ["name": "Ada Byron", "new": 3])
      #expect(try store.verify(deep: true).problems.isEmpty)
      #expect(try #require(try store.rebuild()).allSatisfy { $0.isEqual })
      // None is kept of the schema before it.
      #expect(try #require(try store.undoSchema()).projections.map(\.name) == Store.projectionNames)
    }
  }

  @Test func answersByTheSchemaThatTheAnswerBeganWith() async throws {
    try await withStore { store in
      for value in 1...2 {
        try store.appendBlocking(
          (0..<600).map { number in
            value == 1
              ? Event.index("i\(number)", attributes: ["old": 1])
              : Event.update("i\(number)", attributes: ["old": 2])
          })
      }
      let rename = Self.file("", #"{"domain":"","op":"rename","from":"old","to":"new"}"#)
      var keys: [String] = []
      try store.at().forEachItem(filter: "old == 2") { (item) throws(CairnError) in
        if keys.isEmpty { try store.setSchema(try store.readSchema(rename)) }
        keys += item.attributes.map(\.key)
        return true
      }
      #expect(keys == Array(repeating: "old", count: 600))
      #expect(try store.at().itemCount(filter: "new == 2") == 600)
      var names: [String] = []
      let (before, after) = (try store.at(.sequence(600)), try store.at(.sequence(1_200)))
      try store.forEachChange(from: before, to: after) { (change) throws(CairnError) in
        if names.isEmpty { try store.undoSchema() }
        names += change.fields.map(\.name)
        return true
      }
      #expect(names == Array(repeating: "new", count: 600))
      #expect(try store.at().itemCount(filter: "old == 2") == 600)
    }
  }

  @Test func bringsBackWhatWasDeletedWithADomainThatWasMovedSince() async throws {
    try await withStore { store in
      try store.appendBlocking([
        .index("a", domain: "old.x"), .index("b", domain: "old"), .index("c", domain: "other"),
        .delete(domain: "old"),
      ])
      let move = Self.file("", #"{"domain":"old.x","op":"move","to":"new"}"#)
      try store.setSchema(try store.readSchema(move))
      var removed: [String] = []
      try store.forEachChange(from: try store.at(.sequence(3)), to: try store.at()) { change in
        removed.append("\(change.item) \(change.kind.rawValue)")
        return true
      }
      #expect(removed == ["a removed", "b removed"])
      let plan = try store.planRevert(to: try store.at(.sequence(3)))
      #expect(try store.appendBlocking(plan).acceptedCount == 2)
      #expect(try store.at().items().map(\.id) == ["a", "b", "c"])
      #expect(try store.at().items().map(\.domain) == ["new", "old", "other"])
    }
  }

  @Test func filtersLookAtWhatIsSearchedInTheDomain() async throws {
    try await withStore { store in
      try store.appendBlocking([
        .index("a", attributes: ["comment": "lantern"], domain: "d"),
        .index("b", attributes: ["comment": "lantern", "note_x": "harbour"], domain: "e"),
        .index("c", attributes: ["note_x": "harbour"], domain: "d"),
      ])
      let domains = #"""
        "d":{"attributes":{"comment":{"type":"text","searchable":false}}},
        "e":{"attributes":{"note_x":{"type":"text","searchable":true}}}
        """#
      try store.setSchema(try store.readSchema(Self.file(domains)))
      for field in ["*", "**"] {
        #expect(try store.at().items(filter: #"\#(field) == "lantern"cdwt"#).map(\.id) == ["b"])
        #expect(try store.at().items(filter: #"\#(field) == "harbour"cdwt"#).map(\.id) == ["b"])
      }
      #expect(try store.at().items(filter: #"comment == "lantern""#).map(\.id) == ["a", "b"])
    }
  }

  @Test func goingBackRecordsNoDefaultsAndKeepsWhatIsIgnored() async throws {
    try await withStore { store in
      try store.appendBlocking([.index("a", attributes: ["n": 1, "more": 2], domain: "d")])
      let domains =
        #""d":{"unknown":"ignore","attributes":{"n":{"type":"integer"},"x":{"type":"integer","default":5}}}"#
      try store.setSchema(try store.readSchema(Self.file(domains)))
      try store.appendBlocking([.delete("a")])
      let plan = try store.planRevert(to: try store.at(.sequence(1)))
      #expect(try store.appendBlocking(plan).acceptedCount == 1)
      #expect(try store.events().last?.event.attributes == ["n": 1, "more": 2])
      #expect(try store.at().item("a")?.attributes == ["n": 1, "x": 5])
    }
  }

  @Test func showsTheWholePastByTodaysSchema() async throws {
    try await withStore { store in
      try store.appendBlocking([
        .index("a", attributes: ["name": "Ada King", "old": 1], domain: "movies")
      ])
      try store.appendBlocking([.update("a", attributes: ["old": 2])])
      let steps = #"""
        {"domain":"movies","op":"rename","from":"old","to":"new"},
        {"domain":"movies","op":"split","from":"name","to":["given","family"],"at":" "},
        {"domain":"movies","op":"move","to":"films"}
        """#
      let domains =
        #""films":{"attributes":{"given":{"type":"text","searchable":true},"x":{"type":"integer","default":5}}}"#
      let change = try #require(
        try store.setSchema(try store.readSchema(Self.file(domains, steps)), keeping: true))
      #expect(change.projections.map(\.name) == Store.projectionNames)
      let then = try store.at(.sequence(1)).item("a")
      #expect(then?.domain == "films")
      #expect(then?.attributes == ["new": 1, "given": "Ada", "family": "King", "x": 5])
      #expect(try store.at().search("ada").map(\.item) == ["a"])
      #expect(try store.at().items(domain: "movies").isEmpty)
      #expect(try store.events().first?.event.attributes["old"] == 1)
      let undone = try #require(try store.undoSchema())
      #expect(undone.version == 2)
      #expect(try store.at().item("a")?.attributes == ["name": "Ada King", "old": 2])
      #expect(try store.at().search("ada").isEmpty)
      #expect(throws: CairnError.self) { try store.undoSchema() }
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }

  @Test func showsPagesByTodaysSchemaToo() async throws {
    try await withStore { store in
      func page(_ item: String, _ attributes: Attributes) -> Event {
        var event = Event.index(item, attributes: attributes, domain: "movies")
        event.source = "web"
        return event
      }
      try store.appendBlocking([
        page("a", ["old": "tern"]), page("b", ["old": "gull"]),
        .index("b", attributes: ["title": "B"], domain: "movies"),
      ])
      let steps = #"""
        {"domain":"movies","op":"rename","from":"old","to":"new"},
        {"domain":"movies","op":"move","to":"films"}
        """#
      let domains = #""films":{"attributes":{"new":{"type":"text","searchable":true}}}"#
      try store.setSchema(try store.readSchema(Self.file(domains, steps)))
      for (item, name) in [("a", "tern"), ("b", "gull")] {
        let found = try store.at().item(item)
        #expect(found?.attributes["new"] == .string(name) && found?.attributes["old"] == nil)
        #expect(found?.domain == "films")
        #expect(try store.at().search(name).map(\.item) == [item])
      }
      #expect(try store.at().items(filter: "old == *").isEmpty)
      try store.appendBlocking([.delete(domain: "films")])
      #expect(try store.at().item("b") == nil)
      try store.appendBlocking([page("c", ["new": "auk"])])
      let results = try #require(try store.rebuild())
      #expect(results.allSatisfy { $0.digestBefore == $0.digestAfter })
    }
  }

  @Test func readsAnActivityOnAPageByTheDomainOfThePage() async throws {
    try await withStore { store in
      func seen(_ item: String, _ attributes: Attributes) -> [Event] {
        var page = Event.index(item, attributes: ["title": "Page"], domain: "films")
        page.source = "web"
        let view = Event(kind: .view, item: item, attributes: attributes)
        let app = Event.index("app \(item)", attributes: ["title": "App"], domain: "films")
        var (appView, appPage) = (view, page)
        (appView.item, appPage.item) = (app.item, app.item)
        return [page, view, app, appView, appPage]
      }
      try store.appendBlocking(seen("a", ["title": "A", "old": "tern"]))
      let domains = #""films":{"attributes":{"new":{"type":"keyword","aliases":["older"]}}}"#
      let step = #"{"domain":"films","op":"rename","from":"old","to":"new"}"#
      try store.setSchema(try store.readSchema(Self.file(domains, step)))
      try store.appendBlocking(seen("b", ["title": "B", "older": "auk"]))
      for (item, name) in [("a", "tern"), ("app a", "tern"), ("b", "auk"), ("app b", "auk")] {
        let found = try store.at().item(item)
        #expect(found?.attributes["new"] == .string(name) && found?.domain == "films")
        #expect(found?.attributes["old"] == nil && found?.attributes["older"] == nil)
      }
      let results = try #require(try store.rebuild())
      #expect(results.allSatisfy { $0.digestBefore == $0.digestAfter })
    }
  }

  @Test func findsADefaultOfAnItemThatHasNothingElse() async throws {
    try await withStore { store in
      try store.appendBlocking([.index("a", domain: "films")])
      let file = Self.file(
        #""films":{"attributes":{"mood":{"type":"text","searchable":true,"default":"unknown"}}}"#)
      try store.setSchema(try store.readSchema(file))
      try store.appendBlocking([
        .index("b", domain: "films"), .index("c", attributes: ["n": 1], domain: "films"),
        .index("d"),
      ])
      #expect(try store.at().search("unknown").map(\.item).sorted() == ["a", "b", "c"])
      let results = try #require(try store.rebuild())
      #expect(results.allSatisfy { $0.digestBefore == $0.digestAfter })
    }
  }

  @Test func looksThroughTheEndingsOfTheDeclaredLanguage() async throws {
    try await withStore { store in
      try store.appendBlocking(
        (0..<7).map { .index("i\($0)", attributes: ["t0": $0 == 0 ? "city" : "cities"]) })
      for (languages, count) in [
        (["off"], 6), (["en"], 7), (["de"], 6), (["en", "de"], 7), (["off", "en"], 7),
      ] {
        let attributes = languages.enumerated().map { number, language in
          #""t\#(number)":{"type":"text","searchable":true,"language":"\#(language)"}"#
        }
        let file = Self.file(#""":{"attributes":{\#(attributes.joined(separator: ","))}}"#)
        try store.setSchema(try store.readSchema(file))
        var request = SearchRequest("cities")
        #expect(try store.at().search(request).count == count, "\(languages)")
        request.findsLanguage = false
        #expect(try store.at().search(request).count == 6, "\(languages)")
      }
    }
  }

  @Test func looksThroughTheEndingsOfTheLanguageOfADomain() async throws {
    try await withStore { store in
      for domain in ["en", "en.x", "de"] {
        try store.appendBlocking(
          (0..<7).map {
            .index(
              "\(domain)\($0)", attributes: ["t": $0 == 0 ? "city" : "cities"], domain: domain)
          })
      }
      let domains = ["en", "de"].map {
        #""\#($0)":{"attributes":{"t":{"type":"text","searchable":true,"language":"\#($0)"}}}"#
      }
      try store.setSchema(try store.readSchema(Self.file(domains.joined(separator: ","))))
      let expected: [(domain: String?, count: Int)] = [
        ("en", 14), ("en.x", 7), ("de", 6), (nil, 21),
      ]
      for (domain, count) in expected {
        let request = SearchRequest("cities", domain: domain, limit: nil)
        #expect(try store.at().search(request).count == count, "\(domain ?? "all")")
      }
    }
  }

  @Test func aSchemaFollowsOnTheOneThatIsInForceWhenItIsSet() async throws {
    try await withStore { store in
      let rename = #"{"domain":"","op":"rename","from":"a","to":"b"}"#
      let read = try store.readSchema(Self.file("", rename))
      let drop = #"{"domain":"","op":"drop","key":"c"}"#
      try store.setSchema(try store.readSchema(Self.file("", drop)))
      expectError(.badSchema) { try store.planSchema(read) }
      expectError(.badSchema) { try store.setSchema(read) }
      #expect(try store.schemaHistory().count == 1)
      try store.setSchema(try store.readSchema(Self.file("", drop + "," + rename)))
      #expect(try store.schemaHistory().count == 2)
    }
  }

  @Test func validationAloneBuildsNothing() async throws {
    try await withStore { store in
      try store.setSchema(try store.readSchema(Self.file(Self.films)))
      let digest = try store.digests()
      let strict = Self.films.replacing(
        #""type":"integer""#, with: #""type":"integer","required":true"#)
      let plan = try store.planSchema(try store.readSchema(Self.file(strict)))
      #expect(plan.isChanged && plan.projections.isEmpty && plan.sequence == nil)
      let change = try #require(try store.setSchema(try store.readSchema(Self.file(strict))))
      #expect(change.projections.isEmpty && change.sequence == 2 && change.version == 2)
      // The event itself is in the timeline.
      #expect(try store.digests()[0] == digest[0])
      let again = try #require(try store.setSchema(try store.readSchema(Self.file(strict))))
      #expect(!again.isChanged && again.sequence == nil)
    }
  }

  @Test func aSchemaThatIsAppendedAgainIsADuplicate() async throws {
    try await withStore { store in
      func schema(_ id: String, _ extras: JSONObject) -> Event {
        Event(kind: .schema, id: EventID(uuidString: id), extras: extras)
      }
      func outcome(_ event: Event) throws -> String {
        switch try store.appendBlocking([event]).outcomes.first {
        case .appended(let sequence): "appended \(sequence)"
        case .duplicate(let sequence): "duplicate \(sequence)"
        default: "rejected"
        }
      }
      let one = "00000000-0000-4000-8000-000000000001"
      let two = "00000000-0000-4000-8000-000000000002"
      let films = try JSONValue(parsing: Self.file(Self.films).span)
      let other = try JSONValue(parsing: Self.file(#""d":{"unknown":"refuse"}"#).span)
      let set = schema(one, ["definition": films])
      let undo = schema(two, ["reverts": .number("1"), "definition": films])
      #expect(try outcome(set) == "appended 1" && outcome(set) == "duplicate 1")
      #expect(try outcome(undo) == "appended 2")
      for event in [set, try #require(try store.event(at: 1)?.event)] {
        #expect(try outcome(event) == "duplicate 1")
      }
      #expect(try outcome(undo) == "duplicate 2")
      for extras in [
        ["definition": other], ["definition": films, "version": .number("2")],
        ["definition": films, "reverts": .number("1")], ["definition": films, "x": .bool(true)],
      ] as [JSONObject] {
        #expect(try outcome(schema(one, extras)) == "rejected")
      }
      #expect(try store.events().count == 2)
    }
  }

  @Test func noPurgeTakesASchema() async throws {
    try await withStore { store in
      try store.setSchema(try store.readSchema(Self.file(Self.films)))
      try store.appendBlocking([.index("a", attributes: ["title": "A"], domain: "films")])
      _ = try store.purge(.before(Timestamp.now()))
      #expect(try store.events().map(\.event.kind) == [.schema, .purge])
      #expect(try store.schema?.version == 1)
    }
  }

  @Test(arguments: ["movies", "films"]) func purgesADomainByEitherName(_ name: String) async throws
  {
    try await withStore { store in
      try store.appendBlocking([
        .index("a", title: "A", domain: "movies"), .update("a", attributes: ["x": 1]),
        .index("b", title: "B", domain: "other"), .view("a"),
      ])
      try store.setSchema(
        try store.readSchema(Self.file("", #"{"domain":"movies","op":"move","to":"films"}"#)))
      try store.appendBlocking([.index("c", title: "C", domain: "films")])
      let receipt = try #require(try store.purge(.domain(name)))
      #expect(receipt.plan.eventCount == (name == "films" ? 4 : 3))
      #expect(try store.at().items().map(\.id) == (name == "films" ? ["b"] : ["b", "c"]))
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }

  @Test func anotherStoreOfTheSameDirectoryLearnsAtOnce() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      defer { store.close() }
      try store.appendBlocking([.index("a", attributes: ["old": 1])])
      let copy = directory + "/copy"
      try store.copy(at: try store.at(), into: copy)
      try store.setSchema(
        try store.readSchema(
          Self.file("", #"{"domain":"","op":"rename","from":"old","to":"new"}"#)))
      #expect(try store.at().item("a")?.attributes == ["new": 1])
      let later = directory + "/later"
      try store.copy(at: try store.at(), into: later)
      let reopened = try Store.open(at: later)
      defer { reopened.close() }
      #expect(try reopened.at().item("a")?.attributes == ["new": 1])
      #expect(try reopened.schemaHistory().count == 1)
    }
  }

  @Test func keepsWhatBreaksTheRulesWhereAsked() async throws {
    try await withStore { store in
      try store.setSchema(
        try store.readSchema(
          Self.file(Self.films.replacing(#""refuse","#, with: #""refuse","invalid":"keep","#))))
      try store.appendBlocking([
        .index("b", attributes: ["year": "x", "more": 1], domain: "films"),
        .index("a", attributes: ["title": "A"], domain: "films"),
      ])
      var rows: [String] = []
      try store.forEachSchemaViolation { row in
        rows.append("\(row.item) \(row.key) \(row.rule.rawValue)")
        return true
      }
      #expect(rows == ["b more unknown", "b title required", "b year type"])
      let other = try store.readSchema(
        Self.file(
          #""films":{"attributes":{"title":{"type":"text","maxLength":1}}}"#.replacing(
            "0", with: "1")))
      rows = []
      try store.forEachSchemaViolation(of: other) { row in
        rows.append("\(row.item) \(row.key) \(row.rule.rawValue)")
        return true
      }
      #expect(rows == [])
    }
  }
}
