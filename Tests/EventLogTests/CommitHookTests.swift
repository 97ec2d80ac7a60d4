import EventLog
import Events
import LMDB
import TestSupport
import Testing

@Suite struct CommitHookTests {
  @Test func `folds follow the commits without gaps, under the lock, before the answers`()
    async throws
  {
    let scratch = Scratch()
    let log = try scratch.open()
    let lock = try FileLock(path: "\(scratch.store)/writer.lock")
    let notes = Shared<[String]>([])
    let folded = Shared<UInt64>(0)
    log.afterCommit = { range, events in
      if range.lowerBound != folded.value + 1 {
        notes.change { $0.append("fold of \(range) after \(folded.value)") }
      }
      if events.map(\.sequence) != Array(range) {
        notes.change { $0.append("other events in \(range)") }
      }
      if (try? lock.tryLock()) == true { notes.change { $0.append("lock was free in \(range)") } }
      folded.value = range.upperBound
      return nil
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
    #expect(notes.value == [])
    try lock.lock(wait: .seconds(10))
    #expect(Set(try log.all().map { try $0.item }).count == 1_280)
  }

  @Test func `what it could not do is told with the answers of what was appended`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let id = EventID(high: 1, low: 2)
    _ = try log.append([.view("a", id: id)])
    log.afterCommit = { _, _ in CairnError(.diskFull, "no room") }
    let lock = try FileLock(path: "\(scratch.store)/writer.lock")
    #expect(try lock.tryLock())
    // Both in one commit: one of them appends nothing.
    let known = try log.submit([.view("a", id: id)])
    let new = try log.submit([.view("b")])
    lock.unlock()
    #expect(try known.wait() == AppendReceipt(outcomes: [.duplicate(1)]))
    let receipt = try new.wait()
    #expect(receipt.outcomes == [.appended(2)])
    #expect(receipt.projectionFailure?.code == .diskFull)
    #expect(try log.append([.view("a", id: id)]).projectionFailure == nil)
    log.afterCommit = { _, _ in nil }
    #expect(try log.append([.view("c")]).projectionFailure == nil)
  }

  @Test func `what was handed over after a refused append is refused as well`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let lock = try FileLock(path: "\(scratch.store)/writer.lock")
    #expect(try lock.tryLock())
    let refused = try log.submit([.view("a")], expected: .exactly(9))
    let next = try log.submit([.view("b")], after: refused)
    lock.unlock()
    expectError(.conflict) { try refused.wait() }
    expectError(.conflict) { try next.wait() }
    let late = try log.submit([.view("c")], after: next)
    expectError(.conflict) { try late.wait() }
    #expect(try log.submit([.view("d")]).wait().outcomes == [.appended(1)])
  }
}
