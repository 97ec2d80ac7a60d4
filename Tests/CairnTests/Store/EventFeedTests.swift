import Cairn
import Foundation
import LMDB
import Testing

@Suite struct EventFeedTests {
  private func items(_ range: Range<Int>) -> [Event] {
    range.map { index("item-\($0)", title: "harbour", domain: $0 < 400 ? "near" : "far") }
  }

  @Test func `gives every event once, those that come later too, until it is cancelled`()
    async throws
  {
    try await withStore { store in
      try await store.append(items(0..<600))
      let done = Semaphore()
      let task = Task {
        var sequences: [UInt64] = []
        for try await event in store.events(after: 10) {
          sequences.append(event.sequence)
          // The first of these is only appended once all others were taken.
          if event.sequence == 600 { try await store.append(items(600..<900)) }
          if event.sequence == 900 { done.signal() }
        }
        return sequences
      }
      Thread.detachNewThread {
        done.wait()
        task.cancel()
      }
      #expect(try await task.value == Array(11...900))
    }
  }

  @Test func `waiting gives the last sequence there is, also to who names a later one`()
    async throws
  {
    try await withStore { store in
      #expect(try store.wait(after: 0, atMost: .zero) == 0)
      try await store.append(items(0..<3))
      for known: UInt64 in [0, 2, 3, 4, .max] {
        #expect(try store.wait(after: known, atMost: .zero) == 3)
      }
    }
  }

  @Test func `reads no further than it was asked`() async throws {
    try await withStore { store in
      try await store.append(items(0..<1_000))
      var feed = store.events(after: 0).makeAsyncIterator()
      #expect(try await feed.next()?.sequence == 1)
      // Whatever had been read before would come all the same.
      #expect(try store.purge(.domain("far"))?.isComplete == true)
      var last: UInt64 = 1
      while last < 400 { last = try await #require(feed.next()).sequence }
      #expect(try await feed.next()?.sequence == 1_001)
    }
  }

  @Test func `ends with an error once its store is closed, begun before or after that`()
    async throws
  {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await store.append(items(0..<1))
      let (firsts, first) = AsyncStream.makeStream(of: Void.self)
      let task = Task { for try await _ in store.events(after: 0) { first.yield() } }
      for await _ in firsts { break }
      store.close()
      await #expect(throws: CairnError.self) { try await task.value }
      await #expect(throws: CairnError.self) {
        for try await _ in store.events(after: 0) { break }
      }
    }
  }

  @Test func `waits for the first event of an empty store, whoever appends it`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      defer { store.close() }
      let first = Task {
        for try await event in store.events(after: 0) { return event.sequence }
        return 0
      }
      await #expect(processExitsWith: .success) { [directory = directory as String] in
        let other = try Store.open(at: directory + "/store")
        try other.appendBlocking([index("a", title: "harbour")])
        other.close()
      }
      #expect(try await first.value == 1)
    }
  }
}
