import TestSupport
import Testing

@testable import CoreSpotlight

/// Queries: the truth table through the façade, rules W and C of queries, handlers, sequences.
@Suite struct QueryRuleTests {
  /// The four items of the specification.
  private static func tram(_ index: CSSearchableIndex) async throws {
    func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }
    try await index.indexSearchableItems([
      item("i1", "Lisbon Tram 28") {
        $0.keywords = ["tram", "portugal"]
        $0.authorNames = ["Zoë Bär"]
        $0.pageCount = 12
        $0.contentModificationDate = date("2024-05-15T08:00:00Z")
        $0.textContent = "Ride the yellow tram uphill"
      },
      item("i2", "MyTramPlanner") {
        $0.pageCount = 40
        $0.contentModificationDate = date("2024-05-14T09:00:00Z")
      },
      item("i3", "Trampoline park") {
        $0.keywords = ["sport"]
        $0.pageCount = 5
        $0.contentModificationDate = date("2024-04-30T12:00:00Z")
      },
      item("i4", "NSTram") {
        $0.pageCount = 3
        $0.contentModificationDate = date("2023-12-31T23:00:00Z")
      },
    ])
  }

  @Test func `Each row of the specification's truth table holds through the façade`() async throws {
    try await withApplication { index, _ in
      try await Self.tram(index)
      for (query, expected) in TruthTable.rows {
        #expect(try await names(query).joined(separator: " ") == expected, "\(query)")
      }
    }
  }

  @Test(arguments: [#"title = = "x""#, #"title == "x"#, "", " ", "title == 1) || (title == 2"])
  func `Row 27 what cannot be read is error -2002`(query: String) async throws {
    try await withApplication { _, _ in
      let error = await #expect(throws: CSSearchQueryError.self) { try await names(query) }
      #expect(error?.code == .invalidQuery && error?.errorCode == -2002)
      #expect(error?.localizedDescription.contains("byte") ?? false)
      let printed = error.map { "\($0)" } ?? ""
      #expect(printed.hasPrefix("CSSearchQueryErrorDomain invalidQuery (-2002): "), "\(printed)")
      let context = CSSearchQueryContext()
      context.filterQueries = ["title == *", query]
      await #expect(throws: CSSearchQueryError(.invalidQuery)) {
        try await found("title == *", context)
      }
    }
  }

  @Test func `W-1 success is on disk`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "one")])
      relaunch()
      #expect(try await names() == ["a"])
    }
  }

  @Test func `W-2 a call that fails changes nothing`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "one")])
      await #expect(throws: CSIndexError(.invalidItemError)) {
        try await index.indexSearchableItems([
          item("b", "two"), item("c", "three") { $0.rating = NSNumber(value: Double.nan) },
        ])
      }
      await #expect(throws: CSIndexError(.invalidItemError)) {
        try await index.indexSearchableItems([item("d", "four", domain: "a..b")])
      }
      #expect(try await names() == ["a"])
    }
  }

  @Test func `W-2 one call that fails takes no other along`() async throws {
    try await withApplication { index, _ in
      let bad = Guarded<[Bool]>([])
      for round in 0..<20 {
        index.indexSearchableItems([item("\(round)", "x", domain: round % 4 == 0 ? "." : "d")]) {
          error in bad { $0.append(error != nil) }
        }
      }
      #expect(try await names().count == 15)
      try await index.indexSearchableItems([])
      #expect(bad { $0.filter { $0 }.count } == 5)
    }
  }

  @Test func `W-4 a query sees what was asked for before it, unwaited`() async throws {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      index.indexSearchableItems((0..<50).map { item("\($0)", "x") }, completionHandler: nil)
      index.deleteSearchableItems(withIdentifiers: ["7"], completionHandler: nil)
      #expect(try await names().count == 49)
    }
  }

  @Test func `W-6 an application's store is its own and no other user's`() async throws {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      try await index.indexSearchableItems([item("a", "one")])
      let parent = URL(filePath: IndexLocation.current).deletingLastPathComponent().path
      let mode = try FileManager.default.attributesOfItem(atPath: parent)[.posixPermissions]
      #expect(mode as? Int == 0o700)
      let others = try await withApplication { _, _ in try await names() }
      #expect(others == [])
    }
  }

  @Test func `handlers get new groups, then the end once`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems((0..<250).map { item("\($0)", "x") })
      let groups = Guarded<[Int]>([])
      let query = CSSearchQuery(queryString: #"title == "x""#, queryContext: nil)
      query.foundItemsHandler = { items in groups { $0.append(items.count) } }
      let error: (any Error)? = await withCheckedContinuation { done in
        query.completionHandler = { done.resume(returning: $0) }
        query.start()
        query.start()
      }
      #expect(error == nil)
      #expect(groups { $0 } == [100, 100, 50])
      #expect(query.foundItemCount == 250)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `what a handler holds may use its query when it ends with the handler`() async throws {
    final class Owner: Sendable {
      let query: CSSearchQuery
      init(_ query: CSSearchQuery) { self.query = query }
      deinit { query.cancel() }
    }
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "tram")])
      let (replaced, finished) = (Self.trams(false), Self.trams(true))
      for query in [replaced, finished] {
        query.foundItemsHandler = { [owner = Owner(query)] _ in withExtendedLifetime(owner) {} }
      }
      replaced.foundItemsHandler = nil
      #expect(replaced.isCancelled)
      let error: (any Error)? = await withCheckedContinuation { done in
        finished.completionHandler = { done.resume(returning: $0) }
        finished.start()
      }
      #expect(error == nil && finished.foundItemCount == 1)
    }
  }

  @Test func `Q-17 a cancelled query completes with -2003 and gives nothing more`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems((0..<250).map { item("\($0)", "x") })
      let query = CSSearchQuery(queryString: #"title == "x""#, queryContext: nil)
      query.foundItemsHandler = { [weak query] _ in query?.cancel() }
      let error: (any Error)? = await withCheckedContinuation { done in
        query.completionHandler = { done.resume(returning: $0) }
        query.start()
      }
      #expect((error as? CSSearchQueryError)?.code == .cancelled)
      #expect(query.isCancelled && query.foundItemCount == 100)
    }
  }

  @Test(arguments: [false, true])
  func `Q-17 a query cancelled at its last results completes with -2003`(isSearch: Bool)
    async throws
  {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      try await index.indexSearchableItems([item("a", "tram")])
      let query = Self.trams(isSearch)
      query.foundItemsHandler = { [weak query] _ in query?.cancel() }
      let error: (any Error)? = await withCheckedContinuation { done in
        query.completionHandler = { done.resume(returning: $0) }
        query.start()
      }
      #expect((error as? CSSearchQueryError)?.code == .cancelled)
    }
  }

  @Test(arguments: [false, true])
  func `Q-17 a sequence gives nothing more once its query or its task is cancelled`(
    isSearch: Bool
  ) async throws {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      try await index.indexSearchableItems((0..<5).map { item("\($0)", "tram") })
      let query = Self.trams(isSearch)
      var count = 0
      do {
        for try await _ in query.results {
          count += 1
          query.cancel()
        }
        Issue.record("the sequence ended as if it were whole")
      } catch { #expect((error as? CSSearchQueryError)?.code == .cancelled) }
      #expect(count == 1)
      let other = Self.trams(isSearch)
      let (firsts, first) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        var count = 0
        for try await _ in other.results {
          count += 1
          first.yield()
          while !Task.isCancelled { await Task.yield() }
        }
        return count
      }
      for await _ in firsts { break }
      task.cancel()
      #expect(try await task.value == 1)
      #expect(other.isCancelled)
    }
  }

  private static func trams(_ isSearch: Bool) -> CSSearchQuery {
    isSearch
      ? CSUserQuery(userQueryString: "tram")
      : CSSearchQuery(queryString: #"title == "tram""#, queryContext: nil)
  }

  @Test func `a search gives the same in its task, beside an actor and through a handler`()
    async throws
  {
    try await withApplication { index, _ in
      try await Self.tram(index)
      let apart = try await Self.identifiers("tram")
      #expect(apart.count > 1)
      let besideActor = Task { @MainActor in try await Self.identifiers("tram") }
      let beside = try await besideActor.value
      #expect(beside == apart)
      let query = CSUserQuery(userQueryString: "tram")
      let handled = Guarded<[String]>([])
      query.foundItemsHandler = { items in handled { $0 += items.map(\.uniqueIdentifier) } }
      await withCheckedContinuation { done in
        query.completionHandler = { _ in done.resume() }
        query.start()
      }
      #expect(handled { $0 } == apart)
    }
  }

  @Test func `a search sees the changes asked for before it, which it waits for`() async throws {
    try await withApplication { index, _ in
      for number in 0..<20 {
        index.indexSearchableItems([item("\(number)", "harvest")], completionHandler: nil)
        let found = try await Self.identifiers("harvest")
        #expect(found.count == number + 1)
      }
    }
  }

  @Test func `a cancelled task gets no results and cancels its search`() async throws {
    try await withApplication { index, _ in
      try await Self.tram(index)
      let query = CSUserQuery(userQueryString: "tram")
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        var count = 0
        for try await _ in query.results { count += 1 }
        return count
      }
      task.cancel()
      let count = try await task.value
      #expect(count == 0)
      #expect(query.isCancelled)
    }
  }

  /// Runs where its caller does, on its actor or on none.
  private static func identifiers(_ text: String) async throws -> [String] {
    var identifiers: [String] = []
    for try await result in CSUserQuery(userQueryString: text).results {
      identifiers.append(result.id)
    }
    return identifiers
  }

  @Test func `results hold the attributes asked for and pass every filter`() async throws {
    try await withApplication { index, _ in
      try await Self.tram(index)
      let context = CSSearchQueryContext()
      context.fetchAttributes = ["title"]
      context.filterQueries = ["pageCount > 3", #"title != "*park""#]
      let results = try await found("title == *", context)
      #expect(results.map(\.uniqueIdentifier) == ["i1", "i2"])
      #expect(results.first?.attributeSet.title == "Lisbon Tram 28")
      #expect(results.first?.attributeSet.pageCount == nil)
    }
  }

  @Test func `attributes are asked for by any name that a query knows, the domain among them`()
    async throws
  {
    try await withApplication { index, _ in
      let link = try #require(URL(string: "https://example.org"))
      try await index.indexSearchableItems([
        item("a", "tram", domain: "d.e") {
          $0.url = link
          $0.userCreated = 1
          $0.rating = 3
        }
      ])
      let context = CSSearchQueryContext()
      context.fetchAttributes = ["kMDItemTitle", "url", "isUserCreated", "domainIdentifier"]
      let attributes = try #require(try await found("title == *", context).first?.attributeSet)
      #expect(attributes.title == "tram" && attributes.url == link)
      #expect(attributes.userCreated == 1 && attributes.rating == nil)
      #expect(attributes.domainIdentifier == "d.e")
      #expect(try await found().first?.attributeSet.domainIdentifier == "d.e")
    }
  }

  @Test func `a search for words ranks, limits and filters`() async throws {
    try await withApplication { index, _ in
      try await Self.tram(index)
      #expect(Set(try await search("tram")).isSuperset(of: ["i1", "i3"]))
      let context = CSUserQueryContext()
      context.filterQueries = ["pageCount < 10"]
      #expect(Set(try await search("tram", context)).isDisjoint(with: ["i1", "i2"]))
      #expect(try await search("tram", context).contains("i3"))
      context.filterQueries = []
      context.maxResultCount = 1
      #expect(try await search("tram", context).count == 1)
      #expect(try await search("") == [])
      #expect(try await search("uphil yell") == ["i1"])
    }
  }

  @Test func `a limit counts results, not the parts they are merged from`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems((0..<30).map { item("\($0)", "tram") })
      for number in 0..<25 {
        let visit = activity("tram", related: "\(number)") { $0.persistentIdentifier = "\(number)" }
        visit.becomeCurrent()
      }
      for limit in [1, 7, 20, 29, 40] {
        let context = CSUserQueryContext()
        context.maxResultCount = limit
        let results = try await search("tram", context)
        #expect(results.count == min(limit, 30) && Set(results).count == results.count)
      }
    }
  }

  @Test func `ranked results compare by rank, up to the limit`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems((0..<5).map { item("\($0)", "tram") })
      let context = CSUserQueryContext()
      #expect(context.enableRankedResults && context.maxRankedResultCount == 100)
      context.maxRankedResultCount = 3
      let query = CSUserQuery(userQueryString: "tram", userQueryContext: context)
      var items: [CSUserQuery.Item] = []
      for try await result in query.results { items.append(result) }
      #expect(items.count == 5)
      #expect(items[0].compare(byRank: items[1]) == .orderedAscending)
      #expect(items[2].compare(byRank: items[0]) == .orderedDescending)
      #expect(items[0].compare(byRank: items[4]) == .orderedAscending)
      #expect(items[3].compare(byRank: items[4]) == .orderedSame)
      #expect(items.shuffled().sorted().prefix(3) == items.prefix(3))
      #expect(Set(items).count == 5)
    }
  }

  @Test func `a query that runs before its sequence gives all, and a second sequence fails`()
    async throws
  {
    try await withApplication { index, _ in
      try await index.indexSearchableItems((0..<250).map { item("\($0)", "tram") })
      for query in [
        CSSearchQuery(queryString: "title == '*'", queryContext: nil),
        CSUserQuery(userQueryString: "tram"),
      ] {
        await withCheckedContinuation { done in
          query.completionHandler = { _ in done.resume() }
          query.start()
        }
        var found: Set<CSUserQuery.Item> = []
        for try await result in query.results { found.insert(result) }
        #expect(found.count == 250 && query.foundItemCount == 250)
        await #expect(throws: CSSearchQueryError.self) {
          for try await _ in query.results {}
        }
      }
      let running = CSSearchQuery(queryString: "title == '*'", queryContext: nil)
      running.start()
      var count = 0
      for try await _ in running.results { count += 1 }
      #expect(count == 250)
    }
  }

  @Test func `suggestions come whole, in order, with what was typed marked`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "Harbour survey"), item("b", "Harvest")])
      let context = CSUserQueryContext()
      context.maxSuggestionCount = 4
      let query = CSUserQuery(userQueryString: "har", userQueryContext: context)
      let given = Guarded<[[CSSuggestion]]>([])
      query.foundSuggestionsHandler = { list in given { $0.append(list) } }
      await withCheckedContinuation { done in
        query.completionHandler = { _ in done.resume() }
        query.start()
      }
      let lists = given { $0 }
      let list = try #require(lists.last)
      #expect(lists.count == 1 && list.count == query.foundSuggestionCount && list.count <= 4)
      let texts = list.map { String($0.localizedAttributedSuggestion.characters) }
      #expect(texts.contains("Harbour survey") && texts.contains("Harvest"))
      #expect(list[0].compare(byRank: list[1]) == .orderedAscending)
      let marked = list[0].localizedAttributedSuggestion
      let run = try #require(marked.runs.first)
      #expect(run[CSSuggestionHighlightAttribute.self] == texts[0])
      #expect(String(marked.characters[run.range]) == "Har" && marked.runs.count == 2)
    }
  }

  @Test(arguments: [
    ("at", "Water At dusk", ["At"]), ("survey harb", "Harbour survey", ["Harb", "survey"]),
    ("harbour ", "Harbour", ["Harbour"]), ("zoe", "Zoë Bär", ["Zoë"]), ("ebe", "Zebes", ["ebe"]),
    ("x", "Harbour", []), (" ", "Harbour", []),
  ]) func `what was typed is marked where words begin with it`(
    typed: String, text: String, marked: [String]
  ) {
    let suggestion = CSSuggestion(text, typed: typed, rank: 0).localizedAttributedSuggestion
    let runs = suggestion.runs.filter { $0[CSSuggestionHighlightAttribute.self] != nil }
    #expect(runs.map { String(suggestion.characters[$0.range]) } == marked)
    #expect(String(suggestion.characters) == text)
  }

  @Test func `nothing is suggested of what the filters keep out`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([
        item("a", "harbour map", domain: "mine"), item("b", "harvest plan", domain: "yours"),
      ])
      activity("harvester visited", related: "b").becomeCurrent()
      activity("harpoon visited", weak: "a").becomeCurrent()
      activity("harness visited").becomeCurrent()
      let query = CSUserQuery(userQueryString: "harv")
      for try await _ in query.responses {}
      for found in try await found("title == 'harvest*'") {
        query.userEngaged(found, visibleItems: [found], interaction: .select)
      }
      func suggestions(_ filters: String...) async throws -> Set<String> {
        let context = CSUserQueryContext()
        context.filterQueries = filters
        var texts: Set<String> = []
        for try await suggestion in CSUserQuery(userQueryString: "har", userQueryContext: context)
          .suggestions
        { texts.insert(suggestion.id) }
        return texts
      }
      let all = try await suggestions()
      #expect(all.isSuperset(of: ["harbour map", "harvest plan", "harv", "harness visited"]))
      let mine = try await suggestions("domainIdentifier == 'mine'", "title == *")
      #expect(mine.contains("harbour map"))
      #expect(mine.allSatisfy { $0.hasPrefix("harb") || $0.hasPrefix("harp") })
      #expect(try await suggestions("domainIdentifier == 'nobody'").isEmpty)
      await #expect(throws: CSSearchQueryError(.invalidQuery)) { try await suggestions("title ==") }
    }
  }

  @Test func `without anyone who asks there are no suggestions`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "Harbour survey")])
      let query = CSUserQuery(userQueryString: "har", userQueryContext: nil)
      await withCheckedContinuation { done in
        query.completionHandler = { _ in done.resume() }
        query.start()
      }
      #expect(query.foundSuggestionCount == 0 && query.foundItemCount == 1)
    }
  }

  @Test func `a chosen suggestion goes on as the query`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "Harbour survey"), item("b", "Harvest")])
      var chosen: CSSuggestion?
      for try await suggestion in CSUserQuery(userQueryString: "harv").suggestions {
        chosen = chosen ?? suggestion.suggestion
      }
      let context = CSUserQueryContext(currentSuggestion: chosen)
      var results: [String] = []
      for try await result in CSUserQuery(userQueryString: nil, userQueryContext: context).results {
        results.append(result.id)
      }
      #expect(results == ["b"])
    }
  }

  @Test func `a chosen suggestion moves up`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems(
        ["harbour", "harmony"].map { word in item(word) { $0.textContent = word } })
      for expected in [["harbour", "harmony"], ["harmony", "harbour"]] {
        let query = CSUserQuery(userQueryString: "har")
        var given: [CSUserQuery.Suggestion] = []
        for try await suggestion in query.suggestions { given.append(suggestion) }
        #expect(given.map(\.id) == expected)
        let chosen = try #require(given.last)
        query.userEngaged(chosen, visibleSuggestions: given, interaction: .select)
      }
    }
  }

  @Test func `R-2 a chosen result moves up`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "tram"), item("b", "tram")])
      let query = CSUserQuery(userQueryString: "tram")
      var items: [CSUserQuery.Item] = []
      for try await result in query.results { items.append(result) }
      #expect(items.map(\.id) == ["a", "b"])
      query.userEngaged(items[1], visibleItems: items, interaction: .select)
      #expect(try await search("tram") == ["b", "a"])
    }
  }
}
