import Cairn
import EventLog
import Events
import Foundation
import LMDB
import Testing

/// What an append returned for is on disk and seen by every read that begins afterwards, in any
/// process, however the writer ends; and no read waits for a writer.
@Suite struct AcknowledgedTests {
  private func history(_ count: Int) -> [Event] {
    (0..<count).map { number in
      switch number % 5 {
      case 0, 1: index("item-\(number % 40)", title: "harbour \(number)", domain: "d\(number % 4)")
      case 2:
        Event(
          kind: .delete, item: "item-\((number + 20) % 40)", time: Timestamp(seconds: 1_700_000_000)
        )
      default: view("item-\(number % 40)", at: 1_700_000_000 + Int64(number))
      }
    }
  }

  @Test func `each append is found at once, and the projections are those of other ways`()
    async throws
  {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/lone")
      defer { store.close() }
      let bulk = try Store.open(at: directory + "/bulk")
      defer { bulk.close() }
      let events = history(900)
      for (number, event) in events.enumerated() {
        try store.appendBlocking([event])
        #expect(try store.at().sequence == UInt64(number) + 1)
        guard event.kind == .index else { continue }
        let item = try #require(event.item)
        #expect(try store.at().search("\(number)").map(\.item) == [item])
        #expect(try store.at().item(item)?.title == "harbour \(number)")
      }
      try bulk.appendBlocking(events)
      #expect(try store.at().top().map(\.item) == bulk.at().top().map(\.item))
      try expectSame(store, bulk)
    }
  }

  @Test func `another process sees all that was acknowledged, whenever it opens the store`()
    async throws
  {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      defer { store.close() }
      for (number, event) in history(40).enumerated() {
        try store.appendBlocking([event])
        #expect(try store.at().sequence == UInt64(number) + 1)
        guard number % 8 == 7 else { continue }
        for access in [Store.Access.readOnly, .readWrite] {
          let isWritable = access == .readWrite
          await #expect(processExitsWith: .success) {
            [path = path as String, head = number + 1 as Int, isWritable = isWritable as Bool] in
            let other = try Store.open(at: path, access: isWritable ? .readWrite : .readOnly)
            guard try other.at().sequence == UInt64(head) else { exit(1) }
            other.close()
          }
        }
      }
    }
  }

  @Test func `a process killed loses nothing that it was answered`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let store = try Store.open(at: path)
        for number in 0..<150 {
          try store.appendBlocking([index("item-\(number)", title: "harbour \(number)")])
          guard try store.at().search("\(number)").count == 1 else { exit(1) }
        }
        kill(getpid(), SIGKILL)
      }
      let store = try Store.open(at: path, access: .readOnly)
      defer { store.close() }
      #expect(try store.at().sequence == 150)
      #expect(try store.at().search("149").count == 1)
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }

  @Test func `whatever needs the files finds all events in them`() async throws {
    let uses: [(Store) async throws -> Void] = [
      { _ = try $0.rebuild() }, { _ = try $0.purge(.domain("d1")) }, { try $0.flush() },
      { _ = try $0.verify(deep: true) }, { _ = try $0.createSnapshot("first") },
      { _ = try $0.at().statistics() }, { _ = try $0.at().items() },
    ]
    for use in uses {
      try await withDirectory { directory in
        let store = try Store.open(at: directory + "/store")
        for event in history(60) {
          try store.appendBlocking([event])
          _ = try store.at().search("harbour")
        }
        try await use(store)
        try store.appendBlocking([index("last", title: "lantern")])
        #expect(try store.at().search("lantern").map(\.item) == ["last"])
        #expect(try store.verify(deep: true).problems.isEmpty)
        store.close()
        let again = try Store.open(at: directory + "/store", access: .readOnly)
        #expect(try again.at().search("lantern").map(\.item) == ["last"])
        again.close()
      }
    }
  }

  @Test func `many ask and append at once, and each sees its own`() async throws {
    try await withStore { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for thread in 0..<6 {
          group.addTask {
            for number in 0..<60 {
              let name = "t\(thread)n\(number)"
              try await store.append([index(name, title: "harbour \(name)")])
              var request = SearchRequest(name)
              request.isExact = true
              #expect(try store.at().search(request).map(\.item) == [name])
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try store.at().sequence == 360)
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }

  /// Appends to the log alone, as when a process is killed between its two commits.
  private func appendUnfolded(_ events: [Event], to path: String) throws {
    let log = try EventLog.open(
      directory: path, access: .readWrite, create: false, writer: WriterThread(name: "killed"))
    defer { log.close() }
    _ = try log.append(events.map { try $0.encoded() })
  }

  @Test func `events that nobody folded are told, and folded by the next writer`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      var store = try Store.open(at: path)
      try store.appendBlocking(history(40))
      store.close()
      try appendUnfolded([index("late", title: "lantern")], to: path)
      // Another process has the writer lock: nobody waits for it.
      let lock = try FileLock(path: "\(path)/writer.lock")
      #expect(try lock.tryLock())
      store = try Store.open(at: path, access: .readOnly, patience: .seconds(1_000))
      #expect(try store.at().sequence == 40)
      #expect(try store.at().search("lantern").isEmpty)
      let statistics = try store.at().statistics()
      #expect(statistics.head == 41 && statistics.projections.allSatisfy { $0.lag == 1 })
      #expect(try store.verify().treeSize == 41)
      #expect(try store.at(.sequence(40)).statistics().eventCount == 40)
      store.close()
      lock.unlock()
      store = try Store.open(at: path)
      #expect(try store.at().sequence == 41)
      #expect(try store.at().search("lantern").map(\.item) == ["late"])
      store.close()
      try appendUnfolded([index("later", title: "lantern")], to: path)
      // Who opens it to read folds as well, where nobody writes.
      store = try Store.open(at: path, access: .readOnly)
      #expect(try store.at().search("lantern").count == 2)
      #expect(try store.verify(deep: true).problems.isEmpty)
      store.close()
    }
  }

  @Test func `an append folds what was left before it`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      defer { store.close() }
      try store.appendBlocking(history(10))
      await #expect(processExitsWith: .success) { [path = path as String] in
        let log = try EventLog.open(
          directory: path, access: .readWrite, create: false, writer: WriterThread(name: "killed"))
        _ = try log.append([try index("late", title: "lantern").encoded()])
      }
      #expect(try store.at().sequence == 10)
      #expect(try store.at().statistics().head == 11)
      try store.appendBlocking([view("late", at: 1_700_000_000)])
      #expect(try store.at().search("lantern").map(\.item) == ["late"])
      #expect(try store.at().statistics().projections.allSatisfy { $0.lag == 0 })
    }
  }

  @Test func `a purge erases what was not folded yet`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      var store = try Store.open(at: path)
      try store.appendBlocking(history(60))
      store.close()
      try appendUnfolded(history(90).suffix(30), to: path)
      store = try Store.open(at: path)
      defer { store.close() }
      let receipt = try #require(try store.purge(.domain("d1")))
      #expect(receipt.isComplete)
      #expect(receipt.residueByteCount == 0)
      #expect(try store.at().items(domain: "d1").isEmpty)
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }

  @Test func `no question waits for the writer lock`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path, patience: .seconds(1_000))
      defer { store.close() }
      try store.appendBlocking(history(39) + [view("item-0", at: 1_700_000_100)])
      let lock = try FileLock(path: "\(path)/writer.lock")
      #expect(try lock.tryLock())
      defer { lock.unlock() }
      let reader = try Store.open(at: path, access: .readOnly, patience: .seconds(1_000))
      defer { reader.close() }
      for asked in [store, reader] {
        #expect(try asked.at().search("harbour").isEmpty == false)
        #expect(try asked.at().items().isEmpty == false)
        #expect(try asked.at().top().isEmpty == false)
        #expect(try asked.at().suggestions(for: "harb").isEmpty == false)
        #expect(try asked.at().statistics().head == 40)
        #expect(try asked.events().count == 40)
        #expect(asked.projectionFailure == nil)
      }
    }
  }
}
