import Cairn
import TestSupport
import Testing

/// Order, counts and groups, held against a model of their rules: now and then, through deletions,
/// moves, purges and changes of schema.
@Suite struct ResultsModelTests {
  private static func withLife(_ seed: UInt64, _ check: (inout ResultsLife, Store) throws -> Void)
    async throws
  {
    try await withStore { store in
      var life = ResultsLife(seed, store)
      try life.append(60)
      try life.setFirst()
      try life.append(120)
      try check(&life, store)
      try life.setSecond()
      try life.append(60)
      try check(&life, store)
      _ = try store.purge(.item("item 3"))
      _ = try store.purge(.domain("a.x"))
      try check(&life, store)
      try life.undo()
      try life.append(20)
      #expect(try #require(try store.rebuild()).allSatisfy { $0.isEqual })
      try check(&life, store)
    }
  }

  private static func moments(_ life: inout ResultsLife, _ store: Store) throws -> [Moment] {
    let head = try store.at().sequence
    let past = UInt64(life.pick(1..<Int(head)))
    return [try store.at(), try store.at(.sequence(past)), try store.at(.sequence(head / 2))]
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `items are in the order of the rules at every point`(seed: UInt64) async throws {
    try await Self.withLife(seed) { life, store in
      for moment in try Self.moments(&life, store) {
        let items = try moment.items()
        for key in ResultsModel.keys + ["title"] {
          for isDescending in [false, true] {
            let order = AttributeOrder(key, isDescending: isDescending)
            let wanted = life.model.sorted(items, order)
            var request = ItemRequest()
            request.order = order
            let place: Comment = "seed \(seed), \(order.rawValue), event \(moment.sequence)"
            #expect(try moment.results(of: request).rows == wanted, place)
            (request.limit, request.offset) = (7, 5)
            #expect(
              try moment.results(of: request).rows == Array(wanted.dropFirst(5).prefix(7)), place)
          }
        }
      }
    }
  }

  @Test func `a negative number of values or of hits is refused`() async throws {
    try await Self.withLife(4) { _, store in
      let moment = try store.at()
      for key in ResultsModel.keys {
        let few = AttributeLimit(key, limit: -1)
        var items = ItemRequest()
        items.facets = [few]
        expectError(.badArgument) { try moment.results(of: items) }
        (items.facets, items.groupBy) = ([], few)
        expectError(.badArgument) { try moment.results(of: items) }
        var search = SearchRequest("item")
        search.groupBy = few
        expectError(.badArgument) { try moment.results(of: search) }
      }
    }
  }

  @Test(arguments: [5, 6] as [UInt64])
  func `facets count every item once for each of its values`(seed: UInt64) async throws {
    try await Self.withLife(seed) { life, store in
      for moment in try Self.moments(&life, store) {
        for filter in [nil, "yr >= 1993", "kinds == \"noir\"", "good == 1"] {
          var request = ItemRequest()
          (request.filter, request.limit) = (filter, 3)
          request.domain = life.pick(0..<2) == 0 ? "a" : nil
          request.facets = ResultsModel.keys.map { AttributeLimit($0, limit: nil) }
          request.facets.append(AttributeLimit("yr", limit: 2))
          let items = try moment.items(domain: request.domain, filter: filter)
          let results = try moment.results(of: request)
          #expect(results.rows == Array(items.prefix(3)))
          #expect(results.facets.map(\.key) == ResultsModel.keys + ["yr"])
          for facet in results.facets { Self.expect(facet, of: items, life.model) }
        }
      }
    }
  }

  private static func expect(_ facet: FacetCounts, of items: [Item], _ model: ResultsModel) {
    let key = facet.key == "yr" ? "year" : facet.key
    let wanted = model.counts(items, key)
    let listed = facet.key == "yr" ? min(2, wanted.count) : wanted.count
    let found = facet.values.map { ResultsModel.place($0.value, key) }
    #expect(found == wanted.prefix(listed).map(\.place), "\(key)")
    #expect(facet.values.map(\.count) == wanted.prefix(listed).map(\.count), "\(key)")
    #expect(facet.otherCount == wanted.dropFirst(listed).map(\.count).reduce(0, +))
    #expect(facet.missingCount == items.filter { model.places($0, key).isEmpty }.count, "\(key)")
  }

  @Test(arguments: [9, 10] as [UInt64])
  func `groups stand in the order of their best hit`(seed: UInt64) async throws {
    try await Self.withLife(seed) { life, store in
      for moment in try Self.moments(&life, store) {
        for key in ["year", "price", "seen", "good", "extra"] {
          for sort in [
            .relevance, .recent, .attribute(AttributeOrder("title", isDescending: true)),
          ]
            as [SearchRequest.Sort]
          {
            var request = SearchRequest("harbour")
            (request.limit, request.sort) = (nil, sort)
            let hits = try moment.search(request)
            request.groupBy = AttributeLimit(key, limit: 2)
            request.facets = [AttributeLimit(key, limit: nil)]
            let results = try moment.results(of: request)
            #expect(results.rows.isEmpty)
            let groups = try #require(results.groups)
            try Self.expect(groups, of: hits, key, moment, life.model)
            let items = try hits.map { try #require(try moment.item($0.item)) }
            Self.expect(results.facets[0], of: items, life.model)
            (request.limit, request.offset) = (2, 1)
            #expect(try moment.results(of: request).groups == Array(groups.dropFirst().prefix(2)))
          }
        }
      }
    }
  }

  private static func expect(
    _ groups: [Results<SearchHit>.Group], of hits: [SearchHit], _ key: String, _ moment: Moment,
    _ model: ResultsModel
  ) throws {
    var names: [[ResultsModel.Place]] = []
    var members: [[ResultsModel.Place]: [SearchHit]] = [:]
    for hit in hits {
      let places = model.places(try #require(try moment.item(hit.item)), key)
      if members[places] == nil { names.append(places) }
      members[places, default: []].append(hit)
    }
    #expect(groups.map(\.count) == names.map { members[$0]?.count ?? 0 }, "\(key)")
    #expect(groups.map { $0.value == nil } == names.map(\.isEmpty), "\(key)")
    for (group, name) in zip(groups, names) {
      if let value = group.value { #expect(ResultsModel.place(value, key) == name.first) }
      #expect(group.rows == Array(members[name]?.prefix(2) ?? []), "\(key)")
    }
  }

  @Test(arguments: [12, 13] as [UInt64])
  func `hits are in the order of the rules`(seed: UInt64) async throws {
    try await Self.withLife(seed) { life, store in
      for moment in try Self.moments(&life, store) {
        for key in ResultsModel.keys {
          var request = SearchRequest("harbour")
          request.limit = nil
          let found = try moment.search(request).map(\.item)
          let items = try moment.items().filter { found.contains($0.id) }
          let order = AttributeOrder(key, isDescending: life.pick(0..<2) == 0)
          request.sort = .attribute(order)
          let wanted = life.model.sorted(items, order).map(\.id)
          let hits = try moment.search(request)
          #expect(hits.map(\.item) == wanted, "\(order.rawValue)")
          #expect(hits.map(\.rank) == Array(1..<hits.count + 1))
          (request.limit, request.offset) = (3, 2)
          #expect(try moment.search(request) == Array(hits.dropFirst(2).prefix(3)))
        }
      }
    }
  }

  @Test func `what is not declared so is refused`() async throws {
    try await withStore { store in
      var request = ItemRequest()
      request.order = AttributeOrder("year")
      expectError(.badArgument) { try store.at().results(of: request) }
      var search = SearchRequest("harbour")
      search.sort = .attribute(AttributeOrder("year"))
      expectError(.badArgument) { try store.at().search(search) }
      var life = ResultsLife(1, store)
      try life.setFirst()
      try life.append(20)
      let moment = try store.at()
      for key in ["plain", "none", "cairn.text.x", "kMDItemTitle"] {
        request = ItemRequest()
        request.order = AttributeOrder(key)
        expectError(.badArgument) { try moment.results(of: request) }
        request = ItemRequest()
        request.facets = [AttributeLimit(key, limit: 1)]
        expectError(.badArgument) { try moment.results(of: request) }
      }
      for key in ["kinds", "title"] {
        request = ItemRequest()
        request.groupBy = AttributeLimit(key, limit: 1)
        expectError(.badArgument) { try moment.results(of: request) }
      }
      request = ItemRequest()
      (request.order, request.limit) = (AttributeOrder("year"), -1)
      expectError(.badArgument) { try moment.results(of: request) }
    }
  }

  @Test func `options are read as written`() {
    #expect(AttributeOrder(rawValue: "a:desc") == AttributeOrder("a", isDescending: true))
    #expect(AttributeOrder(rawValue: "a:asc") == AttributeOrder("a"))
    for bad in ["", ":desc", "a:up", "a:asc:b", "a:"] {
      #expect(AttributeOrder(rawValue: bad) == nil)
    }
    for sort in ["relevance", "recent", "frequent", "a", "a:desc"] {
      #expect(SearchRequest.Sort(rawValue: sort)?.rawValue == sort)
    }
    #expect(AttributeLimit("a", otherwise: 10)?.limit == 10)
    #expect(AttributeLimit("a:0", otherwise: 10)?.limit == nil)
    for bad in ["", ":3", "a:", "a:-1", "a:+1", "a:x", "a:1:2"] {
      #expect(AttributeLimit(bad, otherwise: 1) == nil)
    }
  }
}
