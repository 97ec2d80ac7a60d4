import Cairn
import Testing

@testable import CoreSpotlight

/// Rules C: what an application is handed when a person chooses a result.
@Suite struct ContinuationRuleTests {
  private final class App: CSContinuationHandler {
    var steps: [String] = []
    var known: Set<String> = ["a"]

    func willContinueUserActivity(withType activityType: String) {
      steps.append("will " + activityType)
    }

    func continueUserActivity(_ userActivity: NSUserActivity) -> Bool {
      guard userActivity.activityType == CSSearchableItemActionType,
        let name = userActivity.userInfo?[CSSearchableItemActivityIdentifier] as? String,
        known.contains(name)
      else { return false }
      steps.append("show " + name)
      return true
    }
  }

  @Test func `C-1, C-2 and C-7 a chosen item is announced, then named`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "tram")])
      let result = try #require(try await found().first)
      let activity = try await index.continuation(for: result, query: "tr", visibleItems: [result])
      #expect(activity.activityType == "com.apple.corespotlightitem")
      #expect(activity.userInfo?["kCSSearchableItemActivityIdentifier"] as? String == "a")
      #expect(activity.userInfo?["kCSSearchQueryString"] as? String == "tr")
      let app = App()
      #expect(CSSearchableIndex.hand(activity, to: app))
      #expect(app.steps == ["will com.apple.corespotlightitem", "show a"])
    }
  }

  @Test func `C-7 and C-8 what the application does not know it does not take`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("b", "tram")])
      let result = try #require(try await found().first)
      let app = App()
      #expect(!CSSearchableIndex.hand(try await index.continuation(for: result), to: app))
      #expect(!CSSearchableIndex.hand(NSUserActivity(activityType: "other"), to: app))
    }
  }

  @Test func `C-3 a chosen activity comes back with its own type and entries`() async throws {
    try await withApplication { index, _ in
      let entries: [AnyHashable: Any] = [
        "id": 7, "name": "Zoë", "when": Date(timeIntervalSinceReferenceDate: 0.1),
        "link": URL(string: "https://example.org")!, "list": [1, 2.5, true],
        "set": Set<AnyHashable>(["x"]), "nested": ["a": Data([1])], "none": NSNull(), 3: "three",
        "uuid": UUID(),
      ]
      activity("Harbour walk", type: "com.example.walk") {
        $0.userInfo = entries
        $0.keywords = ["quay"]
      }.becomeCurrent()
      let result = try #require(try await found(#"title == "Harbour walk""#).first)
      let activity = try await index.continuation(for: result, query: "harb")
      #expect(activity.activityType == "com.example.walk" && activity.title == "Harbour walk")
      #expect(activity.keywords == ["quay"])
      let given = try #require(activity.userInfo)
      #expect(NSDictionary(dictionary: given) == NSDictionary(dictionary: entries))
      // As well where the result went through an archive on its way.
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: result, requiringSecureCoding: true)
      let unarchived = try NSKeyedUnarchiver.unarchivedObject(
        ofClass: CSSearchableItem.self, from: data)
      let again = try await index.continuation(for: try #require(unarchived))
      #expect(again.activityType == "com.example.walk")
    }
  }

  private struct Place: Codable, Equatable {
    var isOpen: Bool
    var floors: [Int]
  }

  @Test func `numbers come back whole, as any type of Swift that holds them`() async throws {
    try await withApplication { index, _ in
      let place = Place(isOpen: true, floors: [0, 1])
      let visit = activity("Harbour walk") {
        $0.userInfo = [
          "row": Int64.max, "mask": UInt64.max, "level": Int8(-3), "ratio": Float(0.5),
          "offset": CGFloat(1.5), "set": Set([1, 2]), 3: "three",
        ]
      }
      try visit.setTypedPayload(place)
      visit.becomeCurrent()
      let result = try #require(try await found(#"title == "Harbour walk""#).first)
      let back = try await index.continuation(for: result)
      let entries = try #require(back.userInfo)
      #expect(entries["row"] as? Int64 == .max)
      #expect(entries["mask"] as? UInt64 == .max)
      #expect(entries["level"] as? Int8 == -3)
      #expect(entries["level"] as? Int == -3)
      #expect(entries["ratio"] as? Float == 0.5)
      #expect(entries["offset"] as? Double == 1.5)
      #expect(entries["set"] as? Set<Int> == [1, 2])
      #expect(entries[3] as? String == "three")
      #expect(try back.typedPayload(Place.self) == place)
    }
  }

  @Test func `only required entries come back, none when a page is enough`() async throws {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      let entries: [AnyHashable: Any] = ["id": 7, "scroll": 0.5]
      func entriesBack(_ change: (NSUserActivity) -> Void) async throws -> NSDictionary {
        try await index.deleteAllSearchableItems()
        activity("walk") {
          $0.userInfo = entries
          change($0)
        }.becomeCurrent()
        let result = try #require(try await found(#"title == "walk""#).first)
        return NSDictionary(dictionary: try await index.continuation(for: result).userInfo ?? [:])
      }
      #expect(try await entriesBack { _ in } == ["id": 7, "scroll": 0.5])
      #expect(try await entriesBack { $0.requiredUserInfoKeys = ["id"] } == ["id": 7])
      #expect(try await entriesBack { $0.webpageURL = URL(string: "https://e.org") } == [:])
      #expect(
        try await entriesBack {
          $0.webpageURL = URL(string: "https://e.org")
          $0.requiredUserInfoKeys = ["id"]
        } == ["id": 7])
    }
  }

  @Test func `C-4, C-5 and C-6 pages, actions and searches go on as documented`() async throws {
    try await withApplication { index, _ in
      let page = try #require(URL(string: "https://example.org/a"))
      let browsing = CSSearchableIndex.continuation(forWebpage: page)
      #expect(browsing.activityType == NSUserActivityTypeBrowsingWeb)
      #expect(browsing.webpageURL == page)
      let searching = CSSearchableIndex.continuation(forQuery: "tram")
      #expect(searching.activityType == CSQueryContinuationActionType)
      #expect(searching.userInfo?[CSSearchQueryString] as? String == "tram")
      try await index.indexSearchableItems([item("a", "tram") { $0.actionIdentifiers = ["call"] }])
      let result = try #require(try await found().first)
      #expect(result.attributeSet.actionIdentifiers == ["call"])
      let acting = try await index.continuation(for: result, actionIdentifier: "call")
      #expect(acting.userInfo?[CSActionIdentifier] as? String == "call")
    }
  }

  @Test func `a choice is remembered with its query, place and neighbours`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "tram"), item("b", "tram")])
      let results = try await found(#"title == "tram""#)
      _ = try await index.continuation(for: results[1], query: "tr", visibleItems: results)
      let events = try index.store.open().events()
      let choice = try #require(events.last).event
      #expect(choice.kind == .select && choice.item == "b" && choice.query == "tr")
      #expect(choice.position == 2 && choice.shown == ["a", "b"])
    }
  }
}
