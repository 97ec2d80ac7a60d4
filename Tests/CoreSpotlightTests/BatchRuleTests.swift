import Cairn
import Testing

@testable import CoreSpotlight

/// Rules B: batches and client states.
@Suite struct BatchRuleTests {
  private static func state(_ index: CSSearchableIndex) async -> (Data?, (any Error)?) {
    await withCheckedContinuation { done in
      index.fetchLastClientState { done.resume(returning: ($0, $1)) }
    }
  }

  @Test func `B-1 the default index has no batches`() async throws {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      index.beginBatch()
      index.indexSearchableItems([item("a", "one")], completionHandler: nil)
      await #expect(throws: CSIndexError(.indexingUnsupported)) {
        try await index.endBatch(withClientState: Data())
      }
      #expect(try await names() == [])
    }
  }

  @Test func `B-2 each name has a state of its own`() async throws {
    try await withApplication { _, _ in
      for name in ["x", "y"] {
        let index = CSSearchableIndex(name: name)
        index.beginBatch()
        try await index.endBatch(withClientState: Data(name.utf8))
      }
      #expect(try await CSSearchableIndex(name: "x").fetchLastClientState() == Data("x".utf8))
      #expect(try await CSSearchableIndex(name: "y").fetchLastClientState() == Data("y".utf8))
      #expect(await Self.state(CSSearchableIndex(name: "z")).0 == nil)
    }
  }

  @Test func `B-2 an empty name is a name, and the default index has no state`() async throws {
    try await withApplication { (index: CSSearchableIndex, _: TestClock) async throws in
      let named = CSSearchableIndex(name: "")
      named.beginBatch()
      try await named.endBatch(withClientState: Data([1]))
      #expect(try await named.fetchLastClientState() == Data([1]))
      #expect(await Self.state(index).0 == nil)
      #expect(await Self.state(index).1 == nil)
    }
  }

  @Test(arguments: [0, 1, 249, 250]) func `B-3 a state of up to 250 bytes comes back as it was`(
    count: Int
  ) async throws {
    try await withApplication { _, _ in
      let index = CSSearchableIndex(name: "x")
      let state = Data((0..<count).map { UInt8($0 % 256) })
      index.beginBatch()
      try await index.endBatch(withClientState: state)
      #expect(await Self.state(index).0 == state)
    }
  }

  @Test func `B-3 a longer state is refused and nothing of the batch happens`() async throws {
    try await withApplication { _, _ in
      let index = CSSearchableIndex(name: "x")
      index.beginBatch()
      try await index.indexSearchableItems([item("a", "one")])
      await #expect(throws: CSIndexError(.invalidClientStateError)) {
        try await index.endBatch(withClientState: Data(count: 251))
      }
      #expect(try await names() == [])
      #expect(await Self.state(index).0 == nil)
    }
  }

  @Test func `W-2 and B-5 what the store refuses takes its own change along, and no other`()
    async throws
  {
    try await withApplication { index, _ in
      let store = try IndexStore.current.open()
      let title = #""title":{"type":"text","maxLength":3}"#
      let schema = #"{"cairnSchema":1,"domains":{"":{"attributes":{\#(title)}}}}"#
      try store.setSchema(try store.readSchema(Array(schema.utf8)))
      let named = CSSearchableIndex(name: "x")
      named.beginBatch()
      try await named.indexSearchableItems([item("a", "one"), item("b", "three")])
      await #expect(throws: CSIndexError(.invalidItemError)) {
        try await named.endBatch(withClientState: Data([1]))
      }
      #expect(await Self.state(named).0 == nil)
      index.indexSearchableItems([item("c", "two")], completionHandler: nil)
      let refused = [item("d", "six"), item("e", "four")]
      index.indexSearchableItems(refused, completionHandler: { _ in })
      try await index.indexSearchableItems([item("f", "ten")])
      #expect(try await names() == ["c", "f"])
      #expect(try store.events().map(\.event.item) == [nil, "c", "f"])
    }
  }

  @Test func `Handlers come in the order of calls, those of refused ones too`() async throws {
    try await withApplication { index, _ in
      let named = CSSearchableIndex(name: "x")
      let answers = Guarded<[String]>([])
      @Sendable func note(_ name: String) -> @Sendable ((any Error)?) -> Void {
        { error in answers { $0.append(error == nil ? name : "not " + name) } }
      }
      index.indexSearchableItems([item("a")], completionHandler: note("a"))
      index.indexSearchableItems([item("")], completionHandler: note("b"))
      named.endBatch(withClientState: Data(), completionHandler: note("c"))
      index.deleteSearchableItems(withIdentifiers: ["a"], completionHandler: note("d"))
      named.beginBatch()
      named.endBatch(withClientState: Data(count: 251), completionHandler: note("e"))
      try await index.indexSearchableItems([item("f")])
      #expect(answers { $0 } == ["a", "not b", "not c", "d", "not e"])
    }
  }

  @Test func `What a purge refuses is left out of a change, and of a batch`() async throws {
    try await withApplication { index, _ in
      try await index.indexSearchableItems([item("a", "one"), item("b", "two")])
      #expect(try IndexStore.current.open().purge(.item("b"), blocking: true) != nil)
      try await index.indexSearchableItems([item("b", "two"), item("c", "three")])
      let named = CSSearchableIndex(name: "x")
      named.beginBatch()
      try await named.indexSearchableItems([item("b", "two"), item("d", "four")])
      try await named.deleteSearchableItems(withIdentifiers: ["b", "a"])
      try await named.endBatch(withClientState: Data([1]))
      #expect(try await names() == ["c", "d"])
      #expect(await Self.state(named).0 == Data([1]))
    }
  }

  @Test func `B-4 and B-5 nothing is there before the end, everything after it`() async throws {
    try await withApplication { _, _ in
      let index = CSSearchableIndex(name: "x")
      try await index.indexSearchableItems([item("old", "one")])
      index.beginBatch()
      try await index.indexSearchableItems([item("new", "two")])
      try await index.deleteSearchableItems(withIdentifiers: ["old"])
      #expect(try await names() == ["old"])
      try await index.endBatch(withClientState: Data([7]))
      #expect(try await names() == ["new"])
      #expect(try await index.fetchLastClientState() == Data([7]))
      relaunch()
      #expect(try await CSSearchableIndex(name: "x").fetchLastClientState() == Data([7]))
    }
  }

  @Test func `B-6 a batch may begin once the end of the last one returned`() async throws {
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      let index = CSSearchableIndex(name: "x")
      for round in 0..<5 {
        index.beginBatch()
        index.indexSearchableItems([item("\(round)", "one")], completionHandler: nil)
        index.endBatch(withClientState: Data([UInt8(round)]), completionHandler: nil)
      }
      #expect(try await names() == ["0", "1", "2", "3", "4"])
      #expect(try await index.fetchLastClientState() == Data([4]))
    }
  }

  @Test func `B-6 a batch inside a batch, or an end without a beginning, fails`() async throws {
    try await withApplication { _, _ in
      let index = CSSearchableIndex(name: "x")
      index.beginBatch()
      index.beginBatch()
      await #expect(throws: CSIndexError(.unknownError)) {
        try await index.endBatch(withClientState: Data())
      }
      await #expect(throws: CSIndexError(.unknownError)) {
        try await index.endBatch(withClientState: Data())
      }
    }
  }

  @Test func `B-7 domains and everything can be deleted inside a batch too`() async throws {
    try await withApplication { _, _ in
      let index = CSSearchableIndex(name: "x")
      try await index.indexSearchableItems([item("a", "one", domain: "d"), item("b", "two")])
      index.beginBatch()
      try await index.deleteSearchableItems(withDomainIdentifiers: ["d"])
      try await index.endBatch(withClientState: Data())
      #expect(try await names() == ["b"])
      index.beginBatch()
      try await index.deleteAllSearchableItems()
      try await index.indexSearchableItems([item("c", "three")])
      try await index.endBatch(withClientState: Data([2]))
      #expect(try await names() == ["c"])
      #expect(try await index.fetchLastClientState() == Data([2]))
    }
  }

  @Test(arguments: [[], ["p"], ["z", "p.q"]])
  func `B-7 what a batch deletes does not come back with an item that it indexes`(
    domains: [String]
  ) async throws {
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      let index = CSSearchableIndex(name: "x")
      activity("secret", weak: "later") {
        $0.contentAttributeSet?.domainIdentifier = "p.q"
      }.becomeCurrent()
      #expect(try await search("secret").count == 1)
      index.beginBatch()
      if domains.isEmpty { try await index.deleteAllSearchableItems() }
      for domain in domains {
        try await index.deleteSearchableItems(withDomainIdentifiers: [domain])
      }
      try await index.indexSearchableItems([item("later", "tram")])
      try await index.endBatch(withClientState: Data())
      #expect(try await search("secret") == [])
      #expect(try await search("tram") == ["later"])
    }
  }

  @Test(arguments: [true, false])
  func `B-7 an item that a batch deletes and indexes anew has the words of its activities`(
    byName: Bool
  ) async throws {
    try await withApplication { (_: CSSearchableIndex, _: TestClock) async throws in
      let index = CSSearchableIndex(name: "x")
      try await index.indexSearchableItems([
        item("a", "tram", domain: "d"), item("b", "tram", domain: "e"),
      ])
      for name in ["a", "b"] { activity("harbour \(name)", weak: name).becomeCurrent() }
      #expect(try await search("harbour").sorted() == ["a", "b"])
      index.beginBatch()
      if byName {
        try await index.deleteSearchableItems(withIdentifiers: ["a"])
      } else {
        try await index.deleteSearchableItems(withDomainIdentifiers: ["d"])
      }
      try await index.indexSearchableItems([item("a", "bus", domain: "d"), item("b", "bus")])
      try await index.endBatch(withClientState: Data())
      #expect(try await search("harbour").sorted() == ["a", "b"])
      #expect(try await search("bus").sorted() == ["a", "b"])
      // The activity is a part of it, and outlives it.
      try await index.deleteSearchableItems(withIdentifiers: ["a"])
      #expect(try await found(#"title == "harbour a""#).map(\.attributeSet.title) == ["harbour a"])
    }
  }

  @Test func `B-8 a batch ends only on the expected state`() async throws {
    try await withApplication { _, _ in
      let index = CSSearchableIndex(name: "x")
      func end(expecting: Data?, _ new: Data, _ name: String) async throws {
        index.beginBatch()
        try await index.indexSearchableItems([item(name, "one")])
        try await index.endIndexBatch(expectedClientState: expecting, newClientState: new)
      }
      await #expect(throws: CSIndexError(.mismatchedClientState)) {
        try await end(expecting: Data([9]), Data([1]), "a")
      }
      try await end(expecting: nil, Data([1]), "b")
      await #expect(throws: CSIndexError(.mismatchedClientState)) {
        try await end(expecting: nil, Data([2]), "c")
      }
      try await end(expecting: Data([1]), Data([2]), "d")
      #expect(try await names() == ["b", "d"])
      #expect(try await index.fetchLastClientState() == Data([2]))
    }
  }

  @Test func `B-8 what a task fetched is what a batch may expect, also where there is no state`()
    async throws
  {
    try await withApplication { _, _ in
      let index = CSSearchableIndex(name: "x")
      for (number, state) in [Data(), Data([1]), Data([2])].enumerated() {
        let expected = try await index.fetchLastClientState()
        index.beginBatch()
        try await index.indexSearchableItems([item("\(number)", "one")])
        try await index.endIndexBatch(expectedClientState: expected, newClientState: state)
      }
      index.beginBatch()
      await #expect(throws: CSIndexError(.mismatchedClientState)) {
        try await index.endIndexBatch(expectedClientState: Data(), newClientState: Data([3]))
      }
      #expect(try await names() == ["0", "1", "2"])
    }
  }

  @Test func `B-8 a batch is made again where another process wrote meanwhile`() async throws {
    try await withApplication { index, _ in
      let store = try index.store.open()
      let attempts = Guarded(0)
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        var write = PendingWrite(isConditional: true) { _ in
          let attempt = attempts { count in
            count += 1
            return count
          }
          if attempt < 3 { try store.appendBlocking(Event(kind: .view, item: "x")) }
          return [Event(kind: .index, item: "a", attributes: ["title": "one"])]
        }
        write.completion = { error in
          if let error { done.resume(throwing: error) } else { done.resume() }
        }
        index.store.enqueue(write)
      }
      let count = attempts { $0 }
      #expect(count == 3)
      #expect(try await names("title == *") == ["a"])
    }
  }

  @Test func `B-9 and B-10 there is no state before the first batch and after deleting all`()
    async throws
  {
    try await withApplication { _, _ in
      let index = CSSearchableIndex(name: "x")
      var answer = await Self.state(index)
      #expect(answer.0 == nil && answer.1 == nil)
      index.beginBatch()
      try await index.endBatch(withClientState: Data([1]))
      try await index.deleteAllSearchableItems()
      answer = await Self.state(index)
      #expect(answer.0 == nil && answer.1 == nil)
    }
  }

  @Test func `B-11 updates inside a batch keep what they do not say`() async throws {
    try await withApplication { _, _ in
      let index = CSSearchableIndex(name: "x")
      try await index.indexSearchableItems([item("a", "one") { $0.pageCount = 3 }])
      index.beginBatch()
      try await index.indexSearchableItems([item("a", "two", update: true)])
      try await index.endBatch(withClientState: Data())
      let only = try #require(try await found().first)
      #expect(only.attributeSet.title == "two" && only.attributeSet.pageCount == 3)
    }
  }

  @Test func `a batch of more changes than one append takes is refused whole`() async throws {
    try await withApplication { _, _ in
      let index = CSSearchableIndex(name: "x")
      index.beginBatch()
      let names = (0..<65_536).map { String($0) }
      try await index.deleteSearchableItems(withIdentifiers: names)
      await #expect(throws: CSIndexError(.quotaExceeded)) {
        try await index.endBatch(withClientState: Data([1]))
      }
      #expect(await Self.state(index).0 == nil)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a process killed inside a batch leaves the old state and nothing of the batch`()
    async throws
  {
    let directory = FileManager.default.temporaryDirectory.path + "/cairn-kill-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for round in 1...4 {
      let delay = UInt32(round * round * 4_000)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [directory = directory as String, delay = delay as UInt32] in
        try await IndexLocation.$directory.withValue(directory) { try await batches(delay) }
      }
      try await IndexLocation.$directory.withValue(directory) {
        let state = try await CSSearchableIndex(name: "x").fetchLastClientState()
        let ended = Int(String(decoding: state, as: UTF8.self)) ?? 0
        // Each batch adds three items and deletes one of the batch before.
        #expect(try await found().count == ended * 2 + (ended > 0 ? 1 : 0), "killed after \(delay)")
        let acknowledged = try? String(contentsOfFile: directory + ".acks", encoding: .utf8)
        #expect(ended >= Int(acknowledged ?? "0") ?? 0)
        relaunch()
      }
    }
    try? FileManager.default.removeItem(atPath: directory + ".acks")
  }
}

/// Batch after batch from where the state says, until the end comes.
private func batches(_ delay: UInt32) async throws {
  let index = CSSearchableIndex(name: "x")
  let state = try await index.fetchLastClientState()
  var number = Int(String(decoding: state, as: UTF8.self)) ?? 0
  Thread.detachNewThread {
    usleep(delay)
    kill(getpid(), SIGKILL)
  }
  while true {
    number += 1
    index.beginBatch()
    try await index.indexSearchableItems((0..<3).map { item("\(number).\($0)", "one") })
    try await index.deleteSearchableItems(withIdentifiers: ["\(number - 1).0"])
    try await index.endBatch(withClientState: Data(String(number).utf8))
    try String(number).write(
      toFile: IndexLocation.current + ".acks", atomically: true, encoding: .utf8)
  }
}
