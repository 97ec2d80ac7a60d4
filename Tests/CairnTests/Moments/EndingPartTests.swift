import Catalog
import EventLog
import LMDB
import TestSupport
import Testing
import TextIndex

@testable import Cairn

/// Parts that end while the item which shows them lives on: they are neither shown nor found.
@Suite struct EndingPartTests {
  @Test(arguments: Array(1...12) as [UInt64])
  func `what parts told shows and is found until they end`(seed: UInt64) async throws {
    var life = PartLife(seed: seed &* 7_919)
    var models = [PartModel()]
    var recorded = [Timestamp(seconds: 0)]
    try await withStore { store in
      while models.count <= 90 {
        var batch: [Event] = []
        for _ in 0..<life.pick(1..<6) {
          let event = life.event()
          var model = models[models.count - 1]
          model.apply(event)
          models.append(model)
          recorded.append(Timestamp(seconds: life.clock))
          batch.append(event)
        }
        try await store.append(batch)
        if life.pick(0..<12) == 0 { try PurgeCopyTests.mergeAll(of: store) }
      }
      try Self.compare(store, models, recorded, &life, "seed \(seed)")
      #expect(try store.verify(deep: true).problems.isEmpty)
      let results = try #require(try store.rebuild())
      for result in results {
        #expect(result.digestBefore == result.digestAfter, "seed \(seed): \(result)")
      }
      try Self.compare(store, models, recorded, &life, "seed \(seed), rebuilt")
      for scope in [PurgeScope.item("app 1"), .item("other 0"), .item("\u{1}activity:2")] {
        let chosen = try store.selection(scope)
        guard !chosen.sequences.isEmpty else { continue }
        try PurgeCopyTests.compare(store, chosen.sequences, "seed \(seed), \(scope)")
      }
    }
  }

  @Test func `facets, groups, order and counts go by what shows`() async throws {
    let schema = """
      {"cairnSchema": 1, "domains": {"": {"attributes": {
        "color": {"type": "keyword", "facet": true, "sortable": true},
        "size": {"type": "integer", "facet": true, "sortable": true}}}}}
      """
    try await withStore { store in
      _ = try store.setSchema(try store.readSchema(Array(schema.utf8)))
      let end = Timestamp(seconds: 4_000_000_000)
      var more: Attributes = ["relatedUniqueIdentifier": "whole", "color": "red", "size": 3]
      more["title"] = "part"
      try await store.append([
        index("whole", title: "tram", ["size": 5]),
        index("other", title: "tram", ["color": "blue"]),
        Event(
          kind: .index, item: "\u{1}activity:1", attributes: more, expires: .value(end)),
      ])
      func expect(_ seconds: Int64, _ colors: [String], missing: Int, _ red: [String]) throws {
        let moment = try store.present(by: Timestamp(seconds: seconds))
        var items = ItemRequest()
        (items.facets, items.order) = (
          [AttributeLimit("color", limit: nil)], AttributeOrder("color")
        )
        var search = SearchRequest("tram")
        (search.facets, search.sort) = (items.facets, .attribute(AttributeOrder("color")))
        let (listed, found) = (try moment.results(of: items), try moment.results(of: search))
        for facets in [listed.facets, found.facets] {
          #expect(facets[0].values.map(\.value) == colors.map { .string($0) })
          #expect(facets[0].missingCount == missing)
        }
        #expect(listed.rows.map(\.id) == ["other", "whole"])
        #expect(found.rows.map(\.item) == ["other", "whole"])
        #expect(try moment.items(filter: "color == \"red\"").map(\.id) == red)
        #expect(try moment.itemCount(filter: "color == \"red\"") == red.count)
        (items.facets, items.order) = ([], nil)
        items.groupBy = AttributeLimit("color", limit: nil)
        #expect(try moment.results(of: items).groups?.count == 2)
        search.filter = "color == \"red\""
        #expect(try moment.search(search).map(\.item) == red)
      }
      for _ in 0..<2 {
        try expect(end.seconds - 1, ["blue", "red"], missing: 0, ["whole"])
        try expect(end.seconds, ["blue"], missing: 1, [])
        #expect(try #require(try store.rebuild()).allSatisfy { $0.isEqual })
      }
    }
  }

  @Test func `a later activity on a part changes nothing that was shown before`() async throws {
    try await withStore { store in
      try await store.append([
        .view("visited", title: "harbour"), index("told", title: "tram"),
        Event(
          kind: .index, item: "page", source: "web", attributes: ["title": "page"],
          extras: ["items": .array([.string("visited"), .string("told")])]),
        .view("visited", title: "train"),
      ])
      // What an app told covers what an activity did, whichever the page names first.
      for point in [.sequence(3), .sequence(4), .head] as [Point] {
        #expect(try store.at(point).item("page")?.title == "tram")
      }
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }

  @Test func `the deletion of a part belongs to its domain`() async throws {
    try await withStore { store in
      try await store.append([
        index("part", title: "tram", domain: "a"),
        Event(
          kind: .index, item: "page", source: "web", attributes: ["title": "page"],
          extras: ["items": .array([.string("part")])]),
        .delete("part"), .view("part"),
      ])
      var query = EventQuery()
      query.domain = "a"
      #expect(try store.events(query).map(\.sequence) == [1, 3])
      let kinds = try store.at().timeline(domain: "a").flatMap { Array($0.kinds.keys) }
      #expect(kinds.sorted() == ["delete", "index"])
      #expect(try store.selection(.domain("a")).sequences == [1, 2, 3])
    }
  }

  @Test func `an item is found once, though it and a part of it were chosen`() async throws {
    try await withStore { store in
      try await store.append((0..<30).map { index("other \($0)", title: "tram") })
      try await store.append([index("whole", title: "tram"), Self.activity(1, of: "whole")])
      for item in ["whole", "\u{1}activity:1"] {
        let choice = Event(kind: .select, item: item, query: "tram", shown: [item])
        try await store.append([choice])
      }
      for limit in [5, 40, nil] {
        let found = try store.at().search("tram", limit: limit).map(\.item)
        #expect(found.first == "whole" && Set(found).count == found.count)
      }
    }
  }

  @Test func `a recursive delete leaves no text of what it takes`() async throws {
    try await withStore { store in
      try await store.append([
        index("part", title: "tram", domain: "kept"),
        Self.activity(1, of: "part", domain: "gone"),
        Event(
          kind: .index, item: "whole", domain: .value("gone"), source: "web",
          attributes: ["title": "page"], extras: ["items": .array([.string("part")])]),
        Event(kind: .delete, domain: .value("gone")),
      ])
      let generation = try #require(try store.generation())
      let catalog = generation.catalog
      var names: [String] = []
      try generation.environment.read { (txn) throws(CairnError) in
        var versions: [IndexedVersion] = []
        _ = try generation.text.recomputedDigest(
          in: txn, itemKey: { (item) throws(CairnError) in try catalog.itemKey(item, in: txn) },
          visit: { versions.append($0) })
        for version in versions where version.isLive {
          names.append(String(decoding: try catalog.name(of: version.item, in: txn), as: UTF8.self))
        }
      }
      #expect(names == ["part"])
    }
  }

  @Test func `what a part of a part tells is shown as long as both last`() async throws {
    try await withStore { store in
      let end = Timestamp(seconds: 3_000_000_000)
      var part = index("part", title: "tram")
      part.expires = .value(end)
      try await store.append([
        part, Self.activity(1, of: "part"),
        Event(
          kind: .index, item: "whole", source: "web", attributes: ["title": "page"],
          extras: ["items": .array([.string("part")])]),
      ])
      for item in ["part", "\u{1}activity:1"] {
        let before = try store.present(by: Timestamp(seconds: end.seconds - 1))
        #expect(try before.shownID(of: item) == "whole")
        #expect(try store.present(by: end).shownID(of: item) == item)
      }
    }
  }

  @Test func `an item is among the best by its use, wherever its text stands`() async throws {
    try await withStore { store in
      try await store.append((0..<2_000).map { index("item \($0)", title: "tram \($0 % 7) line") })
      try await store.append([
        view("item 3", at: 1_700_000_000), Self.activity(0, of: "item 3"),
      ])
      try PurgeCopyTests.mergeAll(of: store)
      for number in 1..<40 {
        let item = "item \(number * 40)"
        try await store.append([Self.activity(number, of: item)])
        if number == 20 { try PurgeCopyTests.mergeAll(of: store) }
        try await store.append((0..<number).map { _ in Event(kind: .view, item: item) })
        for clock in [Timestamp.now(), Timestamp(seconds: 4_000_000_000)] {
          let head = try store.log.head().sequence
          let moment = try store.at(sequence: head, clock: clock, now: .now())
          for words in ["tram", "line", "tram line"] {
            var request = SearchRequest(words)
            request.limit = 2
            let best = try moment.search(request)
            request.limit = nil
            #expect(best.map(\.item) == (try moment.search(request).prefix(2).map(\.item)))
            #expect(best.contains { $0.item == item })
          }
        }
      }
    }
  }

  private static func activity(_ number: Int, of item: String, domain: String? = nil) -> Event {
    var event = index(
      "\u{1}activity:\(number)", title: "quay", domain: domain,
      ["relatedUniqueIdentifier": .string(item)])
    event.expires = .value(Timestamp(seconds: 4_000_000_000))
    return event
  }

  private static func compare(
    _ store: Store, _ models: [PartModel], _ recorded: [Timestamp], _ life: inout PartLife,
    _ place: String
  ) throws {
    var earlier: (moment: Moment, shown: [String: PartModel.Shown])?
    for number in 0..<24 {
      let sequence = number < 6 ? models.count - 1 : life.pick(1..<models.count)
      let clock = clock(after: recorded[sequence], &life)
      let moment = try store.at(sequence: UInt64(sequence), clock: clock, now: nil)
      let shown = models[sequence].shown(at: clock)
      let here = "\(place), sequence \(sequence), \(clock.rfc3339)"
      try compare(moment, shown, life.words, here)
      if let earlier {
        var changed: Set<String> = []
        try store.forEachPair(from: moment, to: earlier.moment, domain: nil) { (id, _, _) in
          changed.insert(id)
          return true
        }
        for id in Set(shown.keys).union(earlier.shown.keys)
        where shown[id] != earlier.shown[id] {
          #expect(changed.contains(id), "\(here): \(id) differs")
        }
      }
      earlier = (moment, shown)
    }
  }

  /// Some time from one on, the second of an end and the one before it among them.
  private static func clock(after start: Timestamp, _ life: inout PartLife) -> Timestamp {
    let later = life.ends.filter { $0 > start }
    guard !later.isEmpty, life.pick(0..<4) > 0 else {
      return Timestamp(seconds: start.seconds + life.pick(0..<100_000))
    }
    let end = later[life.pick(0..<later.count)]
    return life.pick(0..<2) == 0 ? end : max(start, Timestamp(seconds: end.seconds - 1))
  }

  private static func compare(
    _ moment: Moment, _ shown: [String: PartModel.Shown], _ words: [String], _ place: String
  ) throws {
    var found: [String: PartModel.Shown] = [:]
    for item in try moment.items() {
      found[item.id] = told(item)
      #expect(try moment.item(item.id) == item, "\(place)")
    }
    for id in Set(found.keys).union(shown.keys) {
      #expect(found[id] == shown[id], "\(place): \(id)")
    }
    var finders: [String: [String]] = [:]
    for (id, item) in shown { for word in item.words { finders[word, default: []].append(id) } }
    for word in words + ["shared"] {
      let wanted = (finders[word] ?? []).sorted()
      var request = SearchRequest(word)
      (request.limit, request.isExact) = (nil, true)
      let hits = try moment.search(request)
      #expect(hits.map(\.item).sorted() == wanted, "\(place): \(word)")
      request.limit = 2
      #expect(try moment.search(request).map(\.item) == hits.prefix(2).map(\.item), "\(place)")
    }
    let suggested = try moment.suggestions(for: "sha", limit: nil).contains { $0.text == "shared" }
    #expect(suggested == !shown.isEmpty, "\(place)")
  }

  private static func told(_ item: Item) -> PartModel.Shown {
    var shown = PartModel.Shown()
    for member in item.attributes {
      switch (member.key, member.value) {
      case ("eligibleForPublicIndexing", let value): shown.isPublic = value == true
      case ("alternateNames", .array(let names)): shown.names = names.compactMap(\.string)
      case (_, .string(let text)): shown.texts[member.key] = text
      default: break
      }
    }
    return shown
  }
}
