import Testing

@testable import CoreSpotlight

/// Rules A (activities), relations of §2.8 and X (one result for one thing).
@Suite struct ActivityRuleTests {
  @Test func `A-1 an activity is remembered when it is eligible and becomes current`() async throws
  {
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      let never = activity("harbour")
      let secret = activity("harbour") { $0.isEligibleForSearch = false }
      secret.becomeCurrent()
      #expect(try await search("harbour") == [])
      never.becomeCurrent()
      #expect(try await search("harbour").count == 1)
    }
  }

  @Test func `A-2 one activity is current at most`() async throws {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      let first = activity("one")
      let second = activity("two")
      first.becomeCurrent()
      #expect(index.store.currentActivity === first)
      second.becomeCurrent()
      #expect(index.store.currentActivity === second)
      first.resignCurrent()
      #expect(index.store.currentActivity === second)
      second.resignCurrent()
      #expect(index.store.currentActivity == nil)
      first.becomeCurrent()
      #expect(index.store.currentActivity === first)
    }
  }

  @Test func `A-2 what needs to be saved is saved when another one becomes current`() async throws {
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      let first = activity("harbour")
      first.becomeCurrent()
      first.title = "survey"
      first.needsSave = true
      activity("tide", type: "com.example.other").becomeCurrent()
      #expect(!first.needsSave)
      #expect(try await search("survey").count == 1)
      #expect(try await search("harbour") == [])
    }
  }

  @Test func `A-3 an invalid activity never becomes current`() async throws {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      let activity = activity("harbour")
      activity.invalidate()
      activity.becomeCurrent()
      #expect(index.store.currentActivity == nil)
      #expect(try await search("harbour") == [])
    }
  }

  @Test func `A-5 an activity without a title is accepted`() async throws {
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      activity(nil) { $0.keywords = ["quay"] }.becomeCurrent()
      #expect(try await search("quay").count == 1)
    }
  }

  @Test func `A-6 what became current is remembered even if it is released at once`() async throws {
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      do { activity("harbour").becomeCurrent() }
      #expect(try await search("harbour").count == 1)
    }
  }

  @Test func `A-7 an activity that belongs to no item that is there is not remembered`()
    async throws
  {
    try await withApplication { index, _ in
      activity("visit", related: "a").becomeCurrent()
      try await index.indexSearchableItems([item("a", "one")])
      #expect(try await search("visit") == [])
    }
  }

  @Test func `A-7 what we keep for ourselves is no item that an activity belongs to`() async throws
  {
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      let own = Reserved.activityPrefix + "p:x"
      activity("harbour", weak: own) { $0.persistentIdentifier = "x" }.becomeCurrent()
      #expect(try await search("harbour") == ["x"])
      #expect(try await found(#"title == "harbour""#).map(\.uniqueIdentifier) == ["x"])
      activity("tide", related: own) { $0.persistentIdentifier = "y" }.becomeCurrent()
      #expect(try await search("tide") == [])
    }
  }

  @Test func `A-8 and R-1 what was visited more comes first`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "tram"), item("b", "tram")])
      for _ in 0..<3 { activity("visit", related: "b").becomeCurrent() }
      #expect(try await search("tram") == ["b", "a"])
    }
  }

  @Test func `A-9 a visit to the same content is one result, brought up to date`() async throws {
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      func visit(_ title: String, _ change: (NSUserActivity) -> Void) {
        activity(title, change).becomeCurrent()
      }
      for title in ["old tram", "new tram"] {
        visit(title) { $0.persistentIdentifier = "p" }
        visit(title) { $0.webpageURL = URL(string: "https://example.org/1?q#f") }
        visit(title) { $0.userInfo = ["id": 1] }
        visit(title) {
          $0.userInfo = ["id": 2, "scroll": title]
          $0.requiredUserInfoKeys = ["id"]
        }
      }
      #expect(try await search("old tram") == [])
      #expect(try await search("new tram").count == 4)
    }
  }

  @Test func `the delegate brings the activity up to date before it is remembered`() async throws {
    final class Owner: NSObject, NSUserActivityDelegate {
      func userActivityWillSave(_ userActivity: NSUserActivity) { userActivity.title = "harbour" }
    }
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      let owner = Owner()
      let activity = activity("nothing") { $0.delegate = owner }
      activity.becomeCurrent()
      #expect(try await search("harbour") == [])
      activity.needsSave = true
      activity.becomeCurrent()
      #expect(!activity.needsSave)
      #expect(try await search("harbour").count == 1)
    }
  }

  @Test func `a delegate that makes the activity current when it is to be saved is told once`()
    async throws
  {
    final class Owner: NSObject, NSUserActivityDelegate {
      var count = 0
      func userActivityWillSave(_ userActivity: NSUserActivity) {
        count += 1
        userActivity.becomeCurrent()
      }
    }
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      let owner = Owner()
      let activity = activity("harbour") { $0.delegate = owner }
      activity.needsSave = true
      activity.becomeCurrent()
      #expect(owner.count == 1 && !activity.needsSave)
      #expect(try await search("harbour").count == 1)
    }
  }

  @Test func `entries are added in place of those with the same keys`() {
    let activity = NSUserActivity(activityType: "t")
    activity.addUserInfoEntries(from: ["a": 1, "b": 1])
    activity.addUserInfoEntries(from: ["b": 2])
    #expect(activity.userInfo as? [String: Int] == ["a": 1, "b": 2])
  }

  @Test func `remembered activities are deleted by the names they were given`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "harbour")])
      activity("harbour one") { $0.persistentIdentifier = "1" }.becomeCurrent()
      activity("harbour two") { $0.persistentIdentifier = "2" }.becomeCurrent()
      activity("harbour three").becomeCurrent()
      await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["1", "none"])
      #expect(try await search("harbour").count == 3)
      await NSUserActivity.deleteAllSavedUserActivities()
      #expect(try await search("harbour") == ["a"])
    }
  }

  @Test func `a weak relation outlives the item, is linked later and counts for it`() async throws {
    try await withApplication { index, _ in
      activity("visit", weak: "a").becomeCurrent()
      #expect(try await found(#"title == "visit""#).count == 1)
      try await index.indexSearchableItems([item("a", "tram"), item("b", "tram")])
      #expect(try await search("visit") == ["a"])
      activity("visit", weak: "a").becomeCurrent()
      #expect(try await search("tram") == ["a", "b"])
      try await index.deleteSearchableItems(withIdentifiers: ["a"])
      #expect(try await found(#"title == "visit""#).count == 1)
    }
  }

  @Test func `an item is found by the titles of its activities beside its own names`() async throws
  {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "tram") { $0.alternateNames = ["line 28"] }])
      for name in ["one", "two"] {
        activity("visit \(name)", related: "a") { $0.persistentIdentifier = name }.becomeCurrent()
      }
      for words in ["tram", "line 28", "visit one", "two"] {
        #expect(try await search(words) == ["a"], "\(words)")
      }
      #expect(
        try await found(#"title == "tram""#).first?.attributeSet.alternateNames == [
          "line 28", "visit one", "visit two",
        ])
      await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["one"])
      #expect(try await search("one") == [])
      #expect(try await search("visit two") == ["a"])
      try await index.indexSearchableItems([item("a", "bus")])
      #expect(try await search("tram") == [])
      #expect(try await search("two") == ["a"])
      try await index.deleteSearchableItems(withIdentifiers: ["a"])
      #expect(try await search("two") == [])
    }
  }

  @Test func `an activity's domain lets the domain's deletion remove it`() async throws {
    try await withApplication { index, _ in
      activity("harbour") {
        $0.contentAttributeSet = CSSearchableItemAttributeSet(contentType: .text)
        $0.contentAttributeSet?.domainIdentifier = "com.example.places"
      }.becomeCurrent()
      #expect(try await search("harbour").count == 1)
      try await index.deleteSearchableItems(withDomainIdentifiers: ["com.example"])
      #expect(try await search("harbour") == [])
    }
  }

  @Test func `X-1 an item and its activity are one result, shown as the item`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "Harbour survey")])
      activity("Harbour visit", related: "a").becomeCurrent()
      let results = try await found(#"title == "Harbour*""#)
      #expect(results.map(\.attributeSet.title) == ["Harbour survey"])
      #expect(try await search("harbour") == ["a"])
      // Two results when nothing says that they are one.
      activity("Harbour walk").becomeCurrent()
      #expect(try await search("harbour").count == 2)
    }
  }

  @Test func `X-2 two activities for one page are one result, by the exact address`() async throws {
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      for address in [
        "https://e.org/a", "https://e.org/a", "https://e.org/a#b", "https://e.org/a?b",
      ] {
        activity("page", type: UUID().uuidString) { $0.webpageURL = URL(string: address) }
          .becomeCurrent()
      }
      #expect(try await search("page").count == 3)
    }
  }

  @Test func `X-3 the page's address as every name makes one result`() async throws {
    try await withApplication { index, _ in
      let address = "https://example.org/tram/28"
      try await index.indexSearchableItems([item(address, "Tram 28")])
      activity("Tram 28", related: address) { $0.webpageURL = URL(string: address) }.becomeCurrent()
      #expect(try await search("tram") == [address])
    }
  }

  @Test func `X-5 and R-5 the merged result ranks before the item alone`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("alone", "tram"), item("merged", "tram")])
      activity("tram", related: "merged").becomeCurrent()
      #expect(try await search("tram") == ["merged", "alone"])
    }
  }
}
