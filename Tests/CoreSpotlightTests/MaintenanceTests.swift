import Cairn
import LMDB
import Testing

@testable import CoreSpotlight

/// Policies, protection, and what the delegate is asked and told.
@Suite struct MaintenanceTests {
  private final class Owner: NSObject, CSSearchableIndexDelegate, @unchecked Sendable {
    let steps = Guarded<[String]>([])
    let acknowledges: Bool

    init(acknowledges: Bool = true) { self.acknowledges = acknowledges }

    func searchableIndex(
      _ searchableIndex: CSSearchableIndex,
      reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
        @escaping () -> Void
    ) {
      steps { $0.append("all") }
      if acknowledges { acknowledgementHandler() }
    }

    func searchableIndex(
      _ searchableIndex: CSSearchableIndex,
      reindexSearchableItemsWithIdentifiers identifiers: [String],
      acknowledgementHandler: @escaping () -> Void
    ) {
      steps { $0.append(identifiers.joined(separator: " ")) }
      acknowledgementHandler()
    }

    func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {
      steps { $0.append("slow") }
    }

    func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {
      steps { $0.append("fast") }
    }

    func data(
      for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data { Data((itemIdentifier + typeIdentifier).utf8) }
  }

  /// Waits until everything asked of the delegate so far was asked.
  private func settle(_ index: CSSearchableIndex) async {
    await withCheckedContinuation { done in index.store.afterAll { done.resume() } }
  }

  @Test func `a new store asks for everything until that is acknowledged`() async throws {
    try await withApplication { index, _ in
      let lazy = Owner(acknowledges: false)
      index.indexDelegate = lazy
      await settle(index)
      relaunch()
      let again = CSSearchableIndex.default()
      let diligent = Owner()
      again.indexDelegate = diligent
      await settle(again)
      relaunch()
      let last = CSSearchableIndex.default()
      let third = Owner()
      last.indexDelegate = third
      await settle(last)
      #expect(lazy.steps { $0 } == ["all"] && diligent.steps { $0 } == ["all"])
      #expect(third.steps { $0 } == [])
      // Deleting everything is no loss.
      try await last.deleteAllSearchableItems()
      last.requestWhatIsDue()
      await settle(last)
      #expect(third.steps { $0 } == [])
    }
  }

  @Test func `E-4 items about to expire are asked for`() async throws {
    try await withApplication { index, clock in
      let owner = Owner()
      index.indexDelegate = owner
      await settle(index)
      let short = item("short", "x")
      short.expirationDate = clock.now.addingTimeInterval(3_600)
      try await index.indexSearchableItems([short, item("long", "x")])
      index.requestWhatIsDue()
      await settle(index)
      #expect(owner.steps { $0 } == ["all", "short"])
    }
  }

  @Test func `more than the index can take is told, and its end`() async throws {
    try await withApplication { index, _ in
      let owner = Owner()
      index.indexDelegate = owner
      await settle(index)
      let names = (0...IndexStore.throttledItemCount).map { String($0) }
      index.deleteSearchableItems(withIdentifiers: names, completionHandler: nil)
      await settle(index)
      #expect(owner.steps { $0 } == ["all", "slow", "fast"])
    }
  }

  @Test func `promised data comes from the delegate`() async throws {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      let owner = Owner()
      index.indexDelegate = owner
      let data: Data? = await withCheckedContinuation { done in
        index.fetchData(forBundleIdentifier: "x", itemIdentifier: "a", contentType: .pdf) {
          data, _ in done.resume(returning: data)
        }
      }
      #expect(data == Data("acom.adobe.pdf".utf8))
      let waited = try await index.fetchData(
        forBundleIdentifier: "x", itemIdentifier: "b", contentType: .pdf)
      #expect(waited == Data("bcom.adobe.pdf".utf8))
      index.indexDelegate = nil
      await #expect(throws: (any Error).self) {
        try await index.fetchData(
          forBundleIdentifier: "x", itemIdentifier: "b", contentType: .pdf)
      }
    }
  }

  @Test func `whatever the index asks of an extension, its own answer is given`() {
    final class Extension: CSIndexExtensionRequestHandler {
      var known: [String] = []

      override func searchableItems(
        forIdentifiers identifiers: [String],
        searchableItemsHandler: @escaping ([CSSearchableItem]) -> Void
      ) { searchableItemsHandler(identifiers.map { item($0) }) }

      override func searchableItemsDidUpdate(_ items: [CSSearchableItem]) {
        known += items.map(\.uniqueIdentifier)
      }
    }
    let own = Extension()
    let delegate: any CSSearchableIndexDelegate = own
    delegate.searchableItems(forIdentifiers: ["a", "b"]) { items in
      delegate.searchableItemsDidUpdate(items)
    }
    #expect(own.known == ["a", "b"])
  }

  @Test func `items come from a delegate in whichever form it gives them`() async {
    final class Waiting: CSIndexExtensionRequestHandler {
      override func searchableItems(forIdentifiers names: [String]) async -> [CSSearchableItem] {
        names.map { item($0) }
      }
    }
    final class Calling: CSIndexExtensionRequestHandler {
      override func searchableItems(
        forIdentifiers names: [String],
        searchableItemsHandler: @escaping ([CSSearchableItem]) -> Void
      ) { searchableItemsHandler(names.map { item($0) }) }
    }
    let delegates: [any CSSearchableIndexDelegate] = [Waiting(), Calling()]
    for delegate in delegates {
      let items = await delegate.searchableItems(forIdentifiers: ["a", "b"])
      #expect(items.map(\.uniqueIdentifier) == ["a", "b"])
    }
  }

  @Test func `protected items are found when their class is asked for and can be read`()
    async throws
  {
    try await withApplication { index, _ in
      let secret = CSSearchableIndex(name: "secret", protectionClass: .complete)
      try await secret.indexSearchableItems([item("secret", "x")])
      try await index.indexSearchableItems([item("usual", "x")])
      func seen(_ classes: [FileProtectionType]? = nil) async throws -> [String] {
        try await found(#"title == "x""#, protection: classes).map(\.uniqueIdentifier)
      }
      let both: [FileProtectionType] = [.complete, .completeUntilFirstUserAuthentication]
      #expect(try await seen() == ["usual"])
      #expect(try await seen(both) == ["secret", "usual"])
      CSSearchableIndex.deviceLockState = .locked
      #expect(try await seen(both) == ["usual"])
      await #expect(throws: CSIndexError(.indexUnavailableError)) {
        try await secret.indexSearchableItems([item("more", "x")])
      }
      let open = CSSearchableIndex(name: "open", protectionClass: .completeUnlessOpen)
      try await open.indexSearchableItems([item("open", "x")])
      CSSearchableIndex.deviceLockState = .beforeFirstUnlock
      #expect(try await seen(both) == [])
      CSSearchableIndex.deviceLockState = .unlocked
      #expect(try await seen([.completeUnlessOpen]) == ["open"])
    }
  }

  @Test func `nothing of what a query may not find is suggested`() async throws {
    try await withApplication { index, _ in
      let secret = CSSearchableIndex(name: "secret", protectionClass: .complete)
      try await secret.indexSearchableItems([item("secret", "Protected boat")])
      try await index.indexSearchableItems([item("usual", "Protocol of the harbour")])
      func suggested(_ classes: [FileProtectionType]? = nil) async throws -> Set<String> {
        let query = CSUserQuery(userQueryString: "prot")
        if let classes { query.protectionClasses = classes }
        var texts: Set<String> = []
        for try await suggestion in query.suggestions {
          texts.insert(String(suggestion.suggestion.localizedAttributedSuggestion.characters))
        }
        return texts
      }
      let usual: Set = ["Protocol of the harbour", "protocol"]
      let hidden: Set = ["Protected boat", "protected"]
      let both: [FileProtectionType] = [.complete, .completeUntilFirstUserAuthentication]
      #expect(try await suggested() == usual)
      #expect(try await suggested(both) == usual.union(hidden))
      CSSearchableIndex.deviceLockState = .locked
      #expect(try await suggested(both) == usual)
    }
  }

  @Test func `the store is where the environment says, as for the command`() {
    func place(_ environment: [String: String]) -> String {
      String(IndexLocation.standard(in: environment).split(separator: "/cairn-apps/")[0])
    }
    #expect(IndexLocation.standard(in: ["CAIRN_STORE": "/s", "HOME": "/h"]) == "/s")
    #expect(place(["XDG_DATA_HOME": "/d", "HOME": "/h"]) == "/d")
    #expect(place(["HOME": "/h"]) == "/h/.local/share")
  }

  @Test func `8, 11 and 39 while disabled nothing is indexed`() async throws {
    try await withApplication { index, _ in
      #expect(index.indexingPolicy == .allRecords)
      try await index.setIndexingPolicy(.disabled)
      try await index.indexSearchableItems([item("a", "tram")])
      activity("tram").becomeCurrent()
      #expect(try await search("tram") == [])
    }
  }

  @Test func `12 with viewed records activities stand alone and items are not indexed`()
    async throws
  {
    try await withApplication { index, _ in
      try await index.setIndexingPolicy(.viewedRecords)
      try await index.indexSearchableItems([item("a", "tram")])
      activity("tram", related: "a").becomeCurrent()
      let results = try await found(#"title == "tram""#)
      #expect(results.count == 1 && results.first?.attributeSet.relatedUniqueIdentifier == nil)
    }
  }

  @Test func `13 with all records items and activities are one`() async throws {
    try await withApplication { index, _ in
      try await index.setIndexingPolicy(.allRecords)
      try await index.indexSearchableItems([item("a", "tram")])
      activity("tram", related: "a").becomeCurrent()
      #expect(try await search("tram") == ["a"])
    }
  }

  @Test func `10, 14 and 15 disabling purges at the next launch and not before`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "tram")])
      activity("tram walk").becomeCurrent()
      try await index.setIndexingPolicy(.disabled)
      #expect(try await search("tram").count == 2)
      relaunch()
      #expect(try await search("tram") == [])
      #expect(CSSearchableIndex.default().indexingPolicy == .disabled)
      try await CSSearchableIndex.default().setIndexingPolicy(.allRecords)
      relaunch()
      #expect(CSSearchableIndex.default().indexingPolicy == .allRecords)
    }
  }

  @Test func `errors have Apple's domains and numbers`() {
    let codes = CSIndexError.Code.allCases.map(\.rawValue)
    #expect(codes == [-1, -1000, -1001, -1002, -1003, -1004, -1005, -1006])
    #expect(CSSearchQueryError.Code.allCases.map(\.rawValue) == [-2000, -2001, -2002, -2003])
    let error = CSIndexError(.quotaExceeded) as NSError
    #expect(error.domain == "CSIndexErrorDomain" && error.code == -1004)
    #expect((CSSearchQueryError(.cancelled) as NSError).domain == CSSearchQueryErrorDomain)
    let more = CSIndexError(.quotaExceeded, userInfo: [NSFilePathErrorKey: "/a"])
    #expect((more as NSError).userInfo[NSFilePathErrorKey] as? String == "/a")
    do { throw CSIndexError(.quotaExceeded) } catch CSIndexError.quotaExceeded {} catch {
      Issue.record("the pattern does not match")
    }
  }

  @Test func `changes that wait together wait once for another process that writes`() async throws {
    try await withApplication { index, clock in
      try await index.indexSearchableItems([item("a", "one")])
      relaunch()
      let store = try Store.open(at: IndexLocation.current, patience: .milliseconds(500))
      defer { store.close() }
      let lock = try FileLock(path: store.directory + "/writer.lock")
      #expect(try lock.tryLock())
      defer { lock.unlock() }
      var writer = IndexWriter(store: store, now: { clock.now })
      let failures = Guarded<[CSIndexErrorCode?]>([])
      for number in 0..<20 {
        var write = PendingWrite { _ in [Event(kind: .view, item: String(number))] }
        write.completion = { error in failures { $0.append((error as? CSIndexError)?.code) } }
        writer.add(write)
      }
      let start = ContinuousClock.now
      writer.settle()
      #expect(ContinuousClock.now - start < .seconds(5))
      let busy = [CSIndexErrorCode?](repeating: .indexUnavailableError, count: 20)
      #expect(failures { $0 } == busy)
    }
  }

  @Test func `a place that cannot hold a store makes the index unavailable`() async throws {
    await IndexLocation.$directory.withValue("/proc/none/store") {
      await #expect(throws: CSIndexError(.indexUnavailableError)) {
        try await CSSearchableIndex.default().indexSearchableItems([item("a", "x")])
      }
      await #expect(throws: CSSearchQueryError(.indexUnreachable)) { try await names() }
    }
  }
}
