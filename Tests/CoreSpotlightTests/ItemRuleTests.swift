import Testing

@testable import CoreSpotlight

/// Rules U (insert, replace, update), I (identifiers), E (expiry), D (deletion) and the domain
/// table.
@Suite struct ItemRuleTests {
  @Test func `U-1 the same item indexed twice is one item`() async throws {
    try await withApplication { index, _ in
      for _ in 0..<2 { try await index.indexSearchableItems([item("a", "one")]) }
      #expect(try await names() == ["a"])
    }
  }

  @Test func `U a replacement loses what it does not say`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "one") { $0.pageCount = 3 }])
      try await index.indexSearchableItems([item("a", "two")])
      let only = try #require(try await found().first)
      #expect(only.attributeSet.title == "two")
      #expect(only.attributeSet.pageCount == nil)
    }
  }

  @Test func `U an update of what is not there does nothing`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "one", update: true)])
      #expect(try await names() == [])
    }
  }

  @Test func `U-2 an update writes values, takes away nils and keeps the rest`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([
        item("a", "one", domain: "d") {
          $0.pageCount = 3
          $0.comment = "goes"
        }
      ])
      let change = CSSearchableItemAttributeSet()
      change.title = "two"
      change.comment = nil
      let update = CSSearchableItem(
        uniqueIdentifier: "a", domainIdentifier: nil, attributeSet: change)
      update.isUpdate = true
      try await index.indexSearchableItems([update])
      let only = try #require(try await found().first)
      #expect(only.attributeSet.title == "two")
      #expect(only.attributeSet.comment == nil)
      #expect(only.attributeSet.pageCount == 3)
      #expect(only.domainIdentifier == "d")
      #expect(try await names("comment == *") == [])
    }
  }

  @Test func `U-2 a type that an update takes away or replaces takes its tree along`()
    async throws
  {
    try await withApplication { index, _ in
      try await index.indexSearchableItems(["a", "b", "c"].map { item($0, "one") })
      #expect(try await names(#"contentTypeTree == "public.text""#) == ["a", "b", "c"])
      try await index.indexSearchableItems([
        item("a", update: true) { $0.contentType = nil },
        item("b", update: true) { $0.contentType = "image" }, item("c", "two", update: true),
      ])
      #expect(try await names(#"contentTypeTree == "public.text""#) == ["c"])
    }
  }

  @Test func `U-3 of two items with one identifier in a call the later counts`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "one"), item("a", "two")])
      #expect(try await found().map(\.attributeSet.title) == ["two"])
    }
  }

  @Test func `U-4 the same identifier in another domain moves the item`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "one", domain: "x")])
      try await index.indexSearchableItems([item("a", "one", domain: "y")])
      #expect(try await found().map(\.domainIdentifier) == ["y"])
      try await index.deleteSearchableItems(withDomainIdentifiers: ["x"])
      #expect(try await names() == ["a"])
      #expect(try await names(#"domainIdentifier == "y""#) == ["a"])
    }
  }

  @Test func `U-5 records of two kinds stay apart by their prefixes`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("contact.1", "Ann"), item("order.1", "Tea")])
      #expect(try await names() == ["contact.1", "order.1"])
    }
  }

  @Test func `U-5 two spellings of one letter are two names`() async throws {
    try await withApplication { index, _ in
      let spellings = ["\u{E9}", "e\u{301}"]
      try await index.indexSearchableItems(spellings.map { item($0, "a") })
      let found = try await names().map { Array($0.utf8) }
      #expect(Set(found) == Set(spellings.map { Array($0.utf8) }) && found.count == 2)
      for name in spellings { activity("visit", related: name).becomeCurrent() }
      try await index.deleteSearchableItems(withIdentifiers: ["\u{E9}"])
      #expect(try await names().map { Array($0.utf8) } == [Array("e\u{301}".utf8)])
      #expect(try await search("visit").count == 1)
    }
  }

  @Test func `I-1 an item without a name gets one at once`() {
    let first = item(nil).uniqueIdentifier
    #expect(UUID(uuidString: first) != nil)
    #expect(item(nil).uniqueIdentifier != first)
  }

  @Test func `I-2 the name can be changed until the item was indexed`() async throws {
    try await withApplication { index, _ in
      let item = item("a", "one")
      item.uniqueIdentifier = "b"
      try await index.indexSearchableItems([item])
      item.uniqueIdentifier = "c"
      #expect(item.uniqueIdentifier == "b")
      #expect(try await names() == ["b"])
    }
  }

  @Test func `I-2 the name of a copy can be changed, and leaves the first item as it is`()
    async throws
  {
    try await withApplication { index, _ in
      let first = item("a", "one")
      try await index.indexSearchableItems([first])
      let copy = try #require(first.copy() as? CSSearchableItem)
      copy.uniqueIdentifier = "b"
      copy.attributeSet.title = "two"
      try await index.indexSearchableItems([copy])
      copy.uniqueIdentifier = "c"
      #expect(copy.uniqueIdentifier == "b")
      #expect(try await names(#"title == "one""#) == ["a"])
      #expect(try await names() == ["a", "b"])
    }
  }

  @Test func `I-2 the name can be changed after a call that indexed nothing`() async throws {
    try await withApplication { index, _ in
      let (fine, bad) = (item("fine", "x"), item("", "y"))
      await #expect(throws: CSIndexError(.invalidItemError)) {
        try await index.indexSearchableItems([fine, bad])
      }
      bad.uniqueIdentifier = "b"
      fine.uniqueIdentifier = "a"
      try await index.indexSearchableItems([fine, bad])
      #expect(try await names() == ["a", "b"])
    }
  }

  @Test(arguments: ["", "\u{1}policy", String(repeating: "x", count: 4_097)])
  func `I-3 a name that is none is an invalid item, and takes its call along`(name: String)
    async throws
  {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      await #expect(throws: CSIndexError(.invalidItemError)) {
        try await index.indexSearchableItems([item("fine", "x"), item(name, "y")])
      }
      #expect(try await names() == [])
    }
  }

  @Test(arguments: [.nan, .infinity, -.infinity] as [Double])
  func `a date that is no moment makes an item invalid, and no activity is remembered`(
    seconds: Double
  ) async throws {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let key = try #require(CSCustomAttributeKey(keyName: "when"))
      let ending = item("ending", "x")
      ending.expirationDate = date
      let bad = [
        ending, item("due", "x") { $0.dueDate = date },
        item("dates", "x") { $0.importantDates = [Date(timeIntervalSince1970: 0), date] },
        item("custom", "x") { $0.setValue(date, forCustomKey: key) },
      ]
      for item in bad {
        await #expect(throws: CSIndexError(.invalidItemError), "\(item.uniqueIdentifier)") {
          try await index.indexSearchableItems([item])
        }
      }
      activity("visit") { $0.expirationDate = date }.becomeCurrent()
      #expect(try await names() == [])
      #expect(try await search("visit") == [])
    }
  }

  @Test func `E-1 and E-8 an item goes after thirty days`() async throws {
    try await withApplication { index, clock in
      let item = item("a", "one")
      #expect(item.expirationDate == clock.now.addingTimeInterval(30 * 86_400))
      try await index.indexSearchableItems([item])
      clock.advance(by: 30 * 86_400 - 1)
      #expect(try await names() == ["a"])
      clock.advance(by: 1)
      #expect(try await names() == [])
    }
  }

  @Test func `E-2 and E-9 an own date holds, and nil brings the default back`() async throws {
    try await withApplication { index, clock in
      let kept = item("kept", "one")
      kept.expirationDate = .distantFuture
      let usual = item("usual", "one")
      usual.expirationDate = .distantFuture
      usual.expirationDate = nil
      #expect(usual.expirationDate == clock.now.addingTimeInterval(30 * 86_400))
      try await index.indexSearchableItems([kept, usual])
      clock.advance(by: 400 * 86_400)
      #expect(try await found().map(\.expirationDate) == [.distantFuture])
    }
  }

  @Test func `E-3 indexing again extends an item's life, an update does not`() async throws {
    try await withApplication { index, clock in
      try await index.indexSearchableItems([item("a", "one"), item("b", "one")])
      clock.advance(by: 20 * 86_400)
      try await index.indexSearchableItems([item("a", "one"), item("b", "two", update: true)])
      clock.advance(by: 20 * 86_400)
      #expect(try await names() == ["a"])
    }
  }

  @Test func `E-5 what expired is deleted for the activities that belong to it`() async throws {
    try await withApplication { index, clock in
      let short = item("a", "one")
      short.expirationDate = clock.now.addingTimeInterval(60)
      try await index.indexSearchableItems([short])
      activity("visit", related: "a").becomeCurrent()
      #expect(try await search("visit") == ["a"])
      clock.advance(by: 60)
      #expect(try await search("visit") == [])
      // What comes back under the name is another thing.
      try await index.indexSearchableItems([item("a", "one")])
      #expect(try await search("visit") == [])
    }
  }

  @Test func `E-5 an update brings nothing back that expired, whatever end it gives`() async throws
  {
    try await withApplication { index, clock in
      func until(_ seconds: TimeInterval, _ item: CSSearchableItem) -> CSSearchableItem {
        item.expirationDate = clock.now.addingTimeInterval(seconds)
        return item
      }
      try await index.indexSearchableItems(["a", "b"].map { until(60, item($0, "one")) })
      try await index.indexSearchableItems([until(120, item("b", "two", update: true))])
      clock.advance(by: 60)
      try await index.indexSearchableItems([until(60, item("a", "two", update: true))])
      #expect(try await names() == ["b"])
      // What a call or a batch indexes anew, it can update.
      try await index.indexSearchableItems([
        item("a", "three"), until(60, item("a", "four", update: true)),
      ])
      #expect(try await names(#"title == "four""#) == ["a"])
      clock.advance(by: 60)
      #expect(try await names() == [])
      let named = CSSearchableIndex(name: "x")
      named.beginBatch()
      try await named.indexSearchableItems([item("b", "three")])
      try await named.indexSearchableItems([until(60, item("b", "four", update: true))])
      try await named.endBatch(withClientState: Data())
      #expect(try await names(#"title == "four""#) == ["b"])
    }
  }

  @Test func `E-6 an activity past its end is not remembered, one before it goes then`()
    async throws
  {
    try await withApplication { (_: CSSearchableIndex, clock: TestClock) async throws in
      activity("late") { $0.expirationDate = clock.now }.becomeCurrent()
      activity("early") { $0.expirationDate = clock.now.addingTimeInterval(10) }.becomeCurrent()
      #expect(try await search("late") == [])
      #expect(try await search("early").count == 1)
      clock.advance(by: 10)
      #expect(try await search("early") == [])
    }
  }

  @Test func `E-6 an activity past its end leaves nothing in the item that it belongs to`()
    async throws
  {
    try await withApplication { index, clock in
      let item = item("a", "tram")
      item.expirationDate = .distantFuture
      try await index.indexSearchableItems([item])
      activity("quay", related: "a") {
        $0.contentAttributeSet?.comment = "harbour"
        $0.expirationDate = clock.now.addingTimeInterval(10)
      }.becomeCurrent()
      for words in ["quay", "harbour", "tram"] { #expect(try await search(words) == ["a"]) }
      #expect(try await names(#"comment == "harbour""#) == ["a"])
      clock.advance(by: 9.5)
      #expect(try await search("quay") == ["a"])
      clock.advance(by: 0.5)
      for words in ["quay", "harbour"] { #expect(try await search(words) == [], "\(words)") }
      #expect(try await names(#"comment == "harbour" || alternateNames == "quay""#) == [])
      #expect(try await search("tram") == ["a"])
      let left = try #require(try await found().first)
      #expect(left.attributeSet.comment == nil && left.attributeSet.alternateNames == nil)
      activity("quay", related: "a").becomeCurrent()
      #expect(try await search("quay") == ["a"])
    }
  }

  @Test func `E-7 an item is there before its date and gone at it`() async throws {
    try await withApplication { index, clock in
      let item = item("a", "one")
      item.expirationDate = clock.now.addingTimeInterval(0.5)
      try await index.indexSearchableItems([item])
      clock.advance(by: 0.25)
      #expect(try await names() == ["a"])
      clock.advance(by: 0.25)
      #expect(try await names() == [])
    }
  }

  static let domains = ["a", "a.b", "a.b.c", "ab", "a.bc"]

  @Test(arguments: [
    ("a", "ab nil"), ("a.b", "a a.bc ab nil"), ("a.b.c", "a a.b a.bc ab nil"),
    ("ab", "a a.b a.b.c a.bc nil"), ("A", "a a.b a.b.c a.bc ab nil"),
    ("", "a a.b a.b.c a.bc ab nil"), ("a.", "a a.b a.b.c a.bc ab nil"),
  ]) func `Each column of the domain table holds`(request: String, left: String) async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems(
        Self.domains.map { item($0, "x", domain: $0) } + [item("nil", "x")])
      try await index.deleteSearchableItems(withDomainIdentifiers: [request])
      #expect(try await names().joined(separator: " ") == left)
    }
  }

  @Test func `D-1 names that are not there are no error`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "one"), item("b", "two")])
      try await index.deleteSearchableItems(withIdentifiers: ["b", "none", ""])
      #expect(try await names() == ["a"])
    }
  }

  @Test func `D-2 an item that goes takes the activities that belong to it along`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "one"), item("b", "two", domain: "d.e")])
      activity("first visit", related: "a").becomeCurrent()
      activity("second visit", related: "b").becomeCurrent()
      try await index.deleteSearchableItems(withIdentifiers: ["a"])
      #expect(try await search("visit") == ["b"])
      try await index.deleteSearchableItems(withDomainIdentifiers: ["d"])
      #expect(try await search("visit") == [])
      try await index.indexSearchableItems([item("a", "one"), item("b", "two")])
      #expect(try await search("visit") == [])
    }
  }

  @Test func `D-2 replacing an item leaves its activities`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "one")])
      activity("visit", related: "a").becomeCurrent()
      try await index.indexSearchableItems([item("a", "another")])
      #expect(try await search("visit") == ["a"])
    }
  }

  @Test func `D-3, D-4 and D-5 deleting all deletes items, activities and client states`()
    async throws
  {
    try await withApplication { index, _ in
      let named = CSSearchableIndex(name: "mail")
      named.beginBatch()
      try await named.indexSearchableItems([item("a", "one")])
      try await named.endBatch(withClientState: Data([1]))
      try await index.indexSearchableItems([item("b", "two")])
      activity("visit").becomeCurrent()
      try await index.deleteAllSearchableItems()
      #expect(try await names() == [])
      #expect(try await search("visit") == [])
      #expect(try await named.fetchLastClientState().isEmpty)
    }
  }

  @Test func `D-7 deleting and indexing in one batch happens in order`() async throws {
    try await withApplication { _, _ in
      let index = CSSearchableIndex(name: "mail")
      try await index.indexSearchableItems([item("a", "old"), item("b", "old")])
      index.beginBatch()
      try await index.deleteSearchableItems(withIdentifiers: ["a"])
      try await index.indexSearchableItems([item("a", "new"), item("b", "new")])
      try await index.deleteSearchableItems(withIdentifiers: ["b"])
      try await index.endBatch(withClientState: Data())
      #expect(try await found().map(\.attributeSet.title) == ["new"])
    }
  }
}
