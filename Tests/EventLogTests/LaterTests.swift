import EventLog
import Events
import LMDB
import Synchronization
import Testing

/// Folding after appends are answered.
@Suite struct LaterTests {
  private func open(_ scratch: Scratch, _ haste: Haste?) throws -> EventLog {
    try EventLog.open(
      directory: scratch.store, access: .readWrite, create: true,
      writer: WriterThread(name: "writer"), folder: WriterThread(name: "folder", lendsTurn: true),
      haste: haste)
  }

  /// Every append follows the one before, and no question is followed by more.
  private static let always = Duration.seconds(1_000_000)

  @Test
  func `what is left for later is folded, without gaps and under the lock, when somebody asks`()
    throws
  {
    let scratch = try Scratch()
    let log = try open(scratch, Haste(burst: Self.always, question: .zero))
    let folds = try Folds(log, scratch)
    for number in 1...50 { _ = try log.append([.view("item-\(number)")]) }
    // The first one follows none.
    #expect(folds.last == 1)
    try log.foldDeferred(wait: .seconds(10))
    #expect(folds.last == 50)
    #expect(folds.notes.all == [])
    _ = try log.append([.view("more")])
    #expect(folds.last == 50)
    try log.withWriterLock { () throws(StorageError) in }
    #expect(folds.last == 51)
  }

  @Test func `appends that are not made in haste are folded before they return`() throws {
    let scratch = try Scratch()
    let log = try open(scratch, Haste(burst: .zero, question: .zero))
    let folds = try Folds(log, scratch)
    for number in 1...10 {
      let receipt = try log.append([.view("item-\(number)")])
      #expect(folds.last == receipt.last)
    }
  }

  @Test func `appends among questions are folded before they return`() throws {
    let scratch = try Scratch()
    let log = try open(scratch, Haste(burst: Self.always, question: Self.always))
    let folds = try Folds(log, scratch)
    for number in 1...10 {
      try log.foldDeferred(wait: .zero)
      let receipt = try log.append([.view("item-\(number)")])
      #expect(folds.last == receipt.last)
    }
  }

  @Test func `while another has the log open nothing is left for later`() throws {
    let scratch = try Scratch()
    let log = try open(scratch, Haste(burst: Self.always, question: .zero))
    let folds = try Folds(log, scratch)
    for number in 1...10 { _ = try log.append([.view("item-\(number)")]) }
    #expect(folds.last == 1)
    let other = try scratch.open(.readOnly)
    #expect(try log.append([.view("seen")]).last == folds.last)
    #expect(folds.last == 11)
    other.close()
    _ = try log.append([.view("alone")])
    #expect(folds.last == 11)
  }

  @Test func `a large append is folded before it returns, and what waited before it`() throws {
    let scratch = try Scratch()
    let log = try open(scratch, Haste(burst: Self.always, question: .zero))
    let folds = try Folds(log, scratch)
    for number in 1...10 { _ = try log.append([.view("item-\(number)")]) }
    let many = try (0..<1_000).map { try EncodedEvent.view("one-\($0)") }
    #expect(try log.append(many).last == 1_010)
    #expect(folds.last == 1_010)
    #expect(folds.notes.all == [])
  }

  @Test func `what waits stays below a limit, and many appenders lose nothing`() async throws {
    let scratch = try Scratch()
    let log = try open(scratch, Haste(burst: Self.always, question: .zero))
    let folds = try Folds(log, scratch)
    let behind = try await withThrowingTaskGroup(of: UInt64.self) { group in
      for appender in 0..<64 {
        group.addTask {
          var most: UInt64 = 0
          for round in 0..<100 {
            let receipt = try await log.append([.view("\(appender)-\(round)")])
            let last = receipt.last ?? 0
            most = max(most, last - min(last, folds.last))
          }
          return most
        }
      }
      return try await group.reduce(0) { max($0, $1) }
    }
    #expect(behind <= LogLimits.laterLagMax)
    try log.foldDeferred(wait: .seconds(10))
    #expect(folds.last == 6_400)
    #expect(folds.notes.all == [])
  }

  @Test func `what is left for later is folded when nothing more comes`() async throws {
    let scratch = try Scratch()
    let log = try open(scratch, Haste(burst: .milliseconds(50), question: .zero))
    let folds = try Folds(log, scratch)
    for number in 1...20 { _ = try await log.append([.view("item-\(number)")]) }
    while folds.last < 20 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(folds.notes.all == [])
  }
}

/// What the hook of a log is told.
private final class Folds: Sendable {
  let notes = Notes()
  private let folded = Atomic<UInt64>(0)

  /// The last sequence folded.
  var last: UInt64 { folded.load(ordering: .acquiring) }

  init(_ log: EventLog, _ scratch: Scratch) throws {
    let lock = try FileLock(path: "\(scratch.store)/writer.lock")
    log.afterCommit = { [notes, weak self] range, events in
      guard let self else { return }
      if range.lowerBound != self.last + 1 { notes.add("fold of \(range) after \(self.last)") }
      if events.map(\.sequence) != Array(range) { notes.add("other events in \(range)") }
      if (try? lock.tryLock()) == true {
        notes.add("lock was free in \(range)")
        lock.unlock()
      }
      self.folded.store(range.upperBound, ordering: .releasing)
    }
  }
}
