import Testing

@testable import Cairn

/// Filters that columns answer, held against the same filters asked of each item.
@Suite struct ColumnFilterTests {
  private static let tests = [
    "InRange(year, 1992, 1995)", "yr >= 1993", "year == 1996", "year < 1991.5", "year != 1993",
    "year > 1999", "price > 2", "price <= 2", "price == 9007199254740993",
    "price == 9007199254740992", "price < 0", "InRange(price, -1e301, 0)", "good == 1", "good < 1",
    "seen == $time.iso(2023-01-01T00:00:00Z)", "seen < $time.iso(2023-01-01T00:00:00Z)",
    "InRange(seen, $time.iso(2022-12-31T00:00:00Z), $time.iso(2023-06-01T12:00:00Z))",
    "seen >= 694224000", "kinds == \"noir\"", "kinds == \"NOIR\"c", "kinds == \"*r*\"",
    "kinds == \"ete\"cd", "kinds == \"none\"", "kinds > 3", "title == \"*1*\"", "extra == 2",
    "extra == \"none\"", "plain == *", "year == *", "seen == \"2023*\"",
  ]

  private static func expectSame(_ life: inout ResultsLife, _ store: Store) throws {
    let head = try store.at().sequence
    let moments = [try store.at(), try store.at(.sequence(UInt64(life.pick(1..<Int(head)))))]
    for moment in moments {
      let all = try moment.items()
      for _ in 0..<40 {
        let tests = (0..<life.pick(1..<4)).map { _ in Self.tests[life.pick(0..<Self.tests.count)] }
        let text =
          switch life.pick(0..<6) {
          case 0: tests.joined(separator: " || ")
          case 1: "!(\(tests.joined(separator: " && ")))"
          default: tests.joined(separator: " && ")
          }
        let domain = life.pick(0..<3) == 0 ? ["a", "b", "a.x"][life.pick(0..<3)] : nil
        let schema = try store.schemas.history(of: store.log).definition
        var filter = try #require(try Filter(text, clock: moment.clock, schema: schema))
        let wanted = try all.filter { item in
          let isInside = domain.map { name in
            item.domain == name || item.domain?.hasPrefix(name + ".") == true
          }
          guard isInside ?? true else { return false }
          return try filter.passes(
            item.encodedAttributes, domain: item.domain.map { Array($0.utf8) })
        }
        let place: Comment = "\(text), event \(moment.sequence)"
        #expect(try moment.items(domain: domain, filter: text) == wanted, place)
        #expect(try moment.itemCount(domain: domain, filter: text) == wanted.count, place)
        var request = ItemRequest()
        (request.domain, request.filter) = (domain, text)
        #expect(try moment.results(of: request).rows == wanted, place)
        (request.limit, request.offset) = (4, 3)
        #expect(try moment.results(of: request).rows == Array(wanted.dropFirst(3).prefix(4)), place)
        try Self.expectSearch(text, domain, wanted, moment, place)
      }
    }
  }

  private static func expectSearch(
    _ filter: String, _ domain: String?, _ wanted: [Item], _ moment: Moment, _ place: Comment
  ) throws {
    for (text, mode) in [("harbour", .all), ("\"harbour 1\"", .all), ("harbour 12", .any)]
      as [(String, SearchRequest.Mode)]
    {
      var request = SearchRequest(text)
      (request.mode, request.limit) = (mode, nil)
      let names = Set(wanted.map(\.id))
      let found = try moment.search(request).map(\.item)
      (request.filter, request.domain) = (filter, domain)
      let hits = try moment.search(request)
      // With a filter a misspelling may come in that none is needed of without it.
      guard found.count > Moment.foundEnough, !hits.contains(where: \.isMisspelt) else { continue }
      #expect(Set(hits.map(\.item)) == names.intersection(found), place)
      // What is counted without scores is what is found with them.
      request.facets = [AttributeLimit("good", limit: nil)]
      let facet = try moment.results(of: request).facets[0]
      #expect(facet.values.reduce(facet.missingCount) { $0 + $1.count } == hits.count, place)
      request.sort = .attribute(AttributeOrder("year"))
      let sorted = try moment.results(of: request).rows
      #expect(Set(sorted.map(\.item)) == Set(hits.map(\.item)), place)
      let scores = Dictionary(hits.map { ($0.item, $0.score) }) { one, _ in one }
      #expect(sorted.allSatisfy { scores[$0.item] == $0.score }, place)
    }
  }

  @Test(arguments: [21, 22] as [UInt64])
  func `filters by columns are those by items`(seed: UInt64) async throws {
    try await withStore { store in
      var life = ResultsLife(seed, store)
      try life.append(40)
      try life.setFirst()
      try life.append(150)
      try Self.expectSame(&life, store)
      try life.setSecond()
      try life.append(60)
      try Self.expectSame(&life, store)
      _ = try store.purge(.item("item 3"))
      _ = try store.purge(.domain("a.x"))
      #expect(try store.verify(deep: true).problems == [])
      try life.append(20)
      try Self.expectSame(&life, store)
      #expect(try #require(try store.rebuild(only: ["columns"])).allSatisfy { $0.isEqual })
      #expect(try #require(try store.rebuild()).allSatisfy { $0.isEqual })
      try life.undo()
      try Self.expectSame(&life, store)
      #expect(try store.verify(deep: true).problems == [])
      #expect(try store.replayVerify().allSatisfy { $0.result.isEqual && $0.first == nil })
    }
  }

  @Test func `to filters a value that breaks its declaration is missing`() async throws {
    let schema = """
      {"cairnSchema": 1, "domains": {"": {"invalid": "keep"},
        "a": {"attributes": {"year": {"type": "integer"}, "where": {"type": "place"},
          "ex_kind": {"type": "keyword", "searchable": true}}}}}
      """
    try await withStore { store in
      _ = try store.setSchema(try store.readSchema(Array(schema.utf8)))
      for domain in ["a", "b"] {
        let attributes: Attributes = ["title": "x", "year": "soon", "where": "here", "ex_kind": 7]
        try store.appendBlocking([
          Event(kind: .index, item: domain, domain: .value(domain), attributes: attributes)
        ])
      }
      func found(_ filter: String) throws -> [String] {
        let items = try store.at().items(filter: filter).map(\.id)
        #expect(try store.at(.sequence(3)).items(filter: filter).map(\.id) == items)
        var request = SearchRequest("x")
        request.filter = filter
        #expect(try store.at().search(request).map(\.item).sorted() == items)
        return items
      }
      #expect(try found("year == \"soon\"") == ["b"])
      #expect(try found("year != \"soon\"") == ["a"])
      #expect(try found("year == *") == ["b"])
      #expect(try found("!(where == \"h*\")") == ["a"])
      #expect(try found("!(* == 7)") == ["a", "b"])
    }
  }

  @Test func `another greatest length is obeyed, though no row is made anew`() async throws {
    func schema(_ limit: String) -> [UInt8] {
      Array(
        """
        {"cairnSchema": 1, "domains": {"": {"invalid": "keep", "attributes": {
          "ex_kind": {"type": "keyword", "facet": true, "sortable": true\(limit)}}}}}
        """.utf8)
    }
    try await withStore { store in
      _ = try store.setSchema(try store.readSchema(schema("")))
      for (item, kind) in [("a", "noir"), ("b", "documentary"), ("c", "noir")] {
        _ = try store.appendBlocking([
          Event(kind: .index, item: item, attributes: ["title": "x", "ex_kind": .string(kind)])
        ])
      }
      func found() throws -> [String] {
        try store.at().items(filter: "ex_kind == \"*oc*\" || ex_kind == \"documentary\"").map(\.id)
          + store.at().items(filter: "ex_kind == \"documentary\"").map(\.id)
          + store.at().items(filter: "ex_kind != \"documentary\"").map(\.id)
      }
      func counts() throws -> [String] {
        var request = ItemRequest()
        request.facets = [AttributeLimit("ex_kind", limit: nil)]
        let facet = try store.at().results(of: request).facets[0]
        return facet.values.map { "\($0.value) \($0.count)" } + ["\(facet.missingCount)"]
      }
      let all = try counts()
      #expect(all.count == 3 && all.last == "0")
      #expect(try found() == ["b", "b", "a", "c"])
      let change = try store.setSchema(try store.readSchema(schema(", \"maxLength\": 4")))
      #expect(change?.projections.isEmpty == true)
      #expect(try counts() == [all[0], "1"])
      #expect(try found() == ["a", "b", "c"])
      _ = try store.setSchema(try store.readSchema(schema(", \"maxLength\": 40")))
      #expect(try counts() == all)
    }
  }
}
