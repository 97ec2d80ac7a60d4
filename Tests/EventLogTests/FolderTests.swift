import EventLog
import Events
import LMDB
import Synchronization
import Testing

@Suite struct FolderTests {
  private func open(_ scratch: Scratch) throws -> EventLog {
    try EventLog.open(
      directory: scratch.store, access: .readWrite, create: true,
      writer: WriterThread(name: "writer"), folder: WriterThread(name: "folder", lendsTurn: true))
  }

  @Test func `folds follow the commits without gaps, under the lock, before the answers`()
    async throws
  {
    let scratch = try Scratch()
    let log = try open(scratch)
    let lock = try FileLock(path: "\(scratch.store)/writer.lock")
    let notes = Notes()
    let folded = Count()
    log.afterCommit = { range, events in
      if range.lowerBound != folded.value + 1 {
        notes.add("fold of \(range) after \(folded.value)")
      }
      if events.map(\.sequence) != Array(range) { notes.add("other events in \(range)") }
      if (try? lock.tryLock()) == true { notes.add("lock was free in \(range)") }
      folded.value = range.upperBound
    }
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for appender in 0..<64 {
        group.addTask {
          var count = 0
          for round in 0..<20 {
            let receipt = try await log.append([.view("\(appender)-\(round)")])
            if receipt.last ?? .max <= folded.value { count += 1 }
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(total == 1_280)
    #expect(folded.value == 1_280)
    #expect(notes.all == [])
    try lock.lock(wait: .seconds(10))
    #expect(Set(try log.all().map { try $0.item }).count == 1_280)
  }

  @Test func `the next commit is written while one is folded`() throws {
    let scratch = try Scratch()
    let log = try open(scratch)
    let committed = Semaphore()
    log.afterCommit = { range, _ in if range.lowerBound == 1 { committed.wait() } }
    let many = try (0..<10_000).map { try EncodedEvent.view("item-\($0)") }
    // Both wait before either is committed, and are too many for one group.
    let lock = try FileLock(path: "\(scratch.store)/writer.lock")
    #expect(try lock.tryLock())
    let first = try log.submit(many)
    let second = try log.submit([.view("a")] + many)
    lock.unlock()
    let head = try log.waitForHead(after: 10_000, timeout: .seconds(60))
    #expect(head?.sequence == 20_001)
    committed.signal()
    #expect(try first.wait().last == 10_000)
    #expect(try second.wait().first == 10_001)
  }

  @Test func `what was handed over after a refused append is refused as well`() throws {
    let scratch = try Scratch()
    let log = try open(scratch)
    let lock = try FileLock(path: "\(scratch.store)/writer.lock")
    #expect(try lock.tryLock())
    let refused = try log.submit([.view("a")], expected: .exactly(9))
    let next = try log.submit([.view("b")], after: refused)
    lock.unlock()
    #expect(throws: StorageError(.aborted, "")) { try refused.wait() }
    #expect(throws: StorageError(.aborted, "")) { try next.wait() }
    let late = try log.submit([.view("c")], after: next)
    #expect(throws: StorageError(.aborted, "")) { try late.wait() }
    #expect(try log.submit([.view("d")]).wait().outcomes == [.appended(1)])
  }
}

/// A number that one thread changes and others read.
private final class Count: Sendable {
  private let number = Atomic<UInt64>(0)

  var value: UInt64 {
    get { number.load(ordering: .acquiring) }
    set { number.store(newValue, ordering: .releasing) }
  }
}
