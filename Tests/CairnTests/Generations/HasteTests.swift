import Cairn
import EventLog
import Events
import Foundation
import Testing

/// Stores that leave events to be folded later.
@Suite struct HasteTests {
  /// Every append follows the one before, and no question is followed by more.
  private static func haste() -> Haste { Haste(burst: .seconds(1_000_000), question: .zero) }

  private func history() -> [Event] {
    (0..<300).map { number in
      number % 3 == 0
        ? index("item-\(number % 40)", title: "harbour \(number)", domain: "d\(number % 4)")
        : view("item-\(number % 40)", at: 1_700_000_000 + Int64(number))
    }
  }

  @Test func `every question sees all that was acknowledged`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store", haste: Self.haste())
      defer { store.close() }
      for (number, event) in history().enumerated() {
        try store.appendBlocking([event])
        if number % 7 == 0 {
          #expect(try store.at().sequence == UInt64(number) + 1)
          #expect(try store.at().statistics().projections.allSatisfy { $0.lag == 0 })
        }
      }
      try store.appendBlocking([index("last", title: "lantern")])
      #expect(try store.at().search("lantern").map(\.item) == ["last"])
    }
  }

  @Test func `the projections are those of appends that were folded at once`() async throws {
    try await withDirectory { directory in
      let hasty = try Store.open(at: directory + "/hasty", haste: Self.haste())
      defer { hasty.close() }
      let calm = try Store.open(at: directory + "/calm", haste: Haste(burst: .zero))
      defer { calm.close() }
      for event in history() {
        try hasty.appendBlocking([event])
        try calm.appendBlocking([event])
      }
      try expectSame(hasty, calm)
    }
  }

  @Test func `another process sees all that was acknowledged, whenever it opens the store`()
    async throws
  {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path, haste: Self.haste())
      defer { store.close() }
      for event in history() { try store.appendBlocking([event]) }
      await #expect(processExitsWith: .success) { [path = path as String] in
        let other = try Store.open(at: path, access: .readOnly)
        guard try other.at().sequence == 300 else { exit(1) }
        other.close()
      }
      try store.appendBlocking([index("last", title: "lantern")])
      #expect(try store.at().sequence == 301)
    }
  }

  @Test func `a process killed before it folded loses nothing`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let store = try Store.open(
          at: path, haste: Haste(burst: .seconds(1_000_000), question: .zero))
        for number in 0..<100 {
          try store.appendBlocking([index("item-\(number)", title: "harbour \(number)")])
        }
        kill(getpid(), SIGKILL)
      }
      let store = try Store.open(at: path, access: .readOnly)
      defer { store.close() }
      #expect(try store.at().sequence == 100)
      #expect(try store.at().search("99").count == 1)
    }
  }

  @Test func `a purge erases what was not folded yet`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store", haste: Self.haste())
      defer { store.close() }
      for event in history() { try store.appendBlocking([event]) }
      let receipt = try #require(try store.purge(.domain("d1")))
      #expect(receipt.isComplete)
      #expect(receipt.residueByteCount == 0)
      #expect(try store.at().items(domain: "d1").isEmpty)
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }
}
