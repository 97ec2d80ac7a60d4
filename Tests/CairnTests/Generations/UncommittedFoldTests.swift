import Cairn
import EventLog
import Events
import Foundation
import Testing

/// Folds that are committed some at a time.
@Suite struct UncommittedFoldTests {
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

  @Test func `a process killed before it committed its folds loses nothing`() async throws {
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
      { _ = try $0.verify(deep: true) }, { _ = try $0.createSnapshot("now") },
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
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      defer { store.close() }
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
}
