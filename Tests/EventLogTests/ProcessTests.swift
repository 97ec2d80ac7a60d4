import EventLog
import Events
import Foundation
import Glibc
import LMDB
import TestSupport
import Testing

/// What one child process does: it appends until something ends it, and notes what was
/// acknowledged in a file of its own, one line for each append: first, last.
enum Child {
  static func append(store: String, acks: String, seed: UInt64, count: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let log = try EventLog.open(
      directory: store, access: .readWrite, create: true, writer: WriterThread(name: "child"))
    let file = try #require(FileHandle(appendingTo: acks))
    for step in 0..<count {
      let size = [1, 1, 2, 40].randomElement(using: &generator) ?? 1
      let receipt = try log.append(
        (0..<size).map { try .view("\(seed) \(step) \($0)", id: generator.id()) })
      let line = "\(receipt.first ?? 0) \(receipt.last ?? 0) \(seed) \(step)\n"
      try file.write(contentsOf: Data(line.utf8))
    }
  }

  /// Ends this process without warning after some microseconds.
  static func killSelf(afterMicroseconds delay: UInt32) {
    Thread.detachNewThread {
      usleep(delay)
      kill(getpid(), SIGKILL)
    }
  }

  /// Has the lock file of a log say what it said before the last commit, as after a kill between
  /// the write of a commit and the word to readers.
  static func takeBackLastCommit(ofLogIn store: String) {
    let descriptor = unsafe open("\(store)/log.mdb-lock", O_RDWR)
    // Two numbers and a mutex stand before the last transaction's (`mdb.c`, `MDB_txbody`).
    let mutexByteCount = unsafe MemoryLayout<pthread_mutex_t>.size
    let offset = off_t(8 + mutexByteCount)
    var last: UInt = 0
    // SAFETY: both calls take one number's bytes and keep nothing.
    unsafe pread(descriptor, &last, MemoryLayout<UInt>.size, offset)
    last -= 1
    unsafe pwrite(descriptor, &last, MemoryLayout<UInt>.size, offset)
  }

  /// The acknowledged appends in a file: sequences and the item of each first event.
  static func acknowledged(_ path: String) throws -> [(range: ClosedRange<UInt64>, item: String)] {
    let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: true).compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 4, let first = UInt64(words[0]), let last = UInt64(words[1]) else {
        return nil
      }
      return (first...last, "\(words[2]) \(words[3]) 0")
    }
  }
}

extension FileHandle {
  /// Opens a file for writing at its end, making it when it is not there.
  fileprivate convenience init?(appendingTo path: String) {
    // SAFETY: the call reads the text it is lent and keeps nothing.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    guard descriptor >= 0 else { return nil }
    self.init(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}

@Suite struct ProcessTests {
  /// Everything acknowledged is there, once, and the log is whole.
  private func check(_ log: EventLog, _ acks: String, _ note: Comment) throws {
    let report = try log.verify()
    #expect(report.problems == [], note)
    let events = try log.all()
    #expect(events.indices.allSatisfy { events[$0].sequence == UInt64($0 + 1) }, note)
    let items = try events.map { try $0.item }
    #expect(Set(items).count == items.count, note)
    for (range, item) in try Child.acknowledged(acks) {
      #expect(range.upperBound <= UInt64(events.count), note)
      #expect(items[Int(range.lowerBound) - 1] == item, note)
    }
  }

  @Test(.timeLimit(.minutes(3)))
  func `killed at any moment, no acknowledged event is lost and none comes twice`() async throws {
    let scratch = Scratch()
    let acks = "\(scratch.path)/acks"
    var generator = SeededGenerator(seed: 11)
    for round in 0..<12 {
      let seed = UInt64(1_000 + round)
      let delay = UInt32.random(in: 0...60_000, using: &generator)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          store = scratch.store as String, acks = acks as String, seed = seed as UInt64,
          delay = delay as UInt32
        ] in
        Child.killSelf(afterMicroseconds: delay)
        try Child.append(store: store, acks: acks, seed: seed, count: .max)
      }
      let log = try scratch.open()
      try check(log, acks, "round \(round), killed after \(delay) µs")
      log.close()
    }
    #expect(try !Child.acknowledged(acks).isEmpty)
  }

  @Test func `a commit whose process was killed before readers knew is the next writer's`()
    async throws
  {
    let scratch = Scratch()
    let log = try scratch.open()
    _ = try await log.append([.view("a")])
    await #expect(processExitsWith: .signal(SIGKILL)) { [store = scratch.store as String] in
      let child = try EventLog.open(
        directory: store, access: .readWrite, create: false, writer: WriterThread(name: "child"))
      _ = try await child.append([.view("b")])
      child.close()
      let file = try Environment.open("\(store)/log.mdb", .init(tables: [.main]))
      try file.write { (txn) throws(CairnError) in
        Child.takeBackLastCommit(ofLogIn: store)
        kill(getpid(), SIGKILL)
      }
    }
    // What the child left: readers still take the log to end there.
    #expect(try log.head().sequence == 1)
    let head = try log.withWriterLock { () throws(CairnError) in try log.head().sequence }
    #expect(head == 2)
  }

  @Test(.timeLimit(.minutes(5)))
  func `processes that append at the same time interleave without a gap`() async throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let acks = "\(scratch.path)/acks"
    let mine = Task.detached { for step in 0..<100 { _ = try log.append([.view("own \(step)")]) } }
    await #expect(processExitsWith: .success) {
      [store = scratch.store as String, acks = acks as String] in
      try Child.append(store: store, acks: acks, seed: 3, count: 60)
    }
    try await mine.value
    try check(log, acks, "two processes")
    #expect(try log.all().filter { try $0.item.hasPrefix("own") }.count == 100)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a process that appends without pause does not keep another one out`() async throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let isDone = Shared(false)
    // Two at once, so that the next commit waits while one goes on.
    let batch = Array(repeating: try EncodedEvent.view("busy"), count: 400)
    let busy = (0..<2).map { _ in
      Task.detached { while !isDone.value { _ = try await log.append(batch) } }
    }
    await #expect(processExitsWith: .success) { [store = scratch.store as String] in
      let log = try EventLog.open(
        directory: store, access: .readWrite, create: false, writer: WriterThread(name: "child"))
      for step in 0..<10 { _ = try log.append([.view("guest \(step)")], wait: .seconds(2)) }
    }
    isDone.value = true
    for task in busy { try await task.value }
    #expect(try log.all().filter { try $0.item.hasPrefix("guest") }.count == 10)
  }

  @Test func `a writer lock that stays held is busy after the wait, and nothing is appended`()
    throws
  {
    let scratch = Scratch()
    let log = try scratch.open()
    _ = try log.append([.view("a")])
    let lock = try FileLock(path: "\(scratch.store)/writer.lock")
    #expect(try lock.tryLock())
    let start = ContinuousClock.now
    expectError(.busy) {
      try log.append([.view("b")], wait: .milliseconds(80))
    }
    #expect(ContinuousClock.now - start >= .milliseconds(80))
    expectError(.busy) {
      try log.withWriterLock(wait: .zero) { () throws(CairnError) in }
    }
    lock.unlock()
    #expect(try log.append([.view("b")]).outcomes == [.appended(2)])
  }

  @Test func `the hook runs under the lock before the append returns, and may append`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let ranges = Shared<[String]>([])
    let lock = try FileLock(path: "\(scratch.store)/writer.lock")
    log.afterCommit = { range, events in
      ranges.change { $0.append("\(range)") }
      if events.map(\.sequence) != Array(range) { ranges.change { $0.append("other events") } }
      if (try? lock.tryLock()) == true { ranges.change { $0.append("lock was free") } }
      if range.upperBound < 4 { _ = try? log.append([.view("echo")]) }
      return nil
    }
    _ = try log.append([.view("a"), .view("b")])
    #expect(ranges.value == ["1...2", "3...3", "4...4"])
    try log.withWriterLock { () throws(CairnError) in
      let receipt = try log.append([EncodedEvent(kind: .view, payload: [0xa0])])
      ranges.change { $0.append("\(receipt.first ?? 0)") }
    }
    #expect(ranges.value.suffix(2) == ["5...5", "5"])
  }

  @Test func `the hook is called at the same depth after any number of commits`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let ranges = Shared<[String]>([])
    log.afterCommit = { range, _ in
      ranges.change { $0.append("\(range)") }
      return nil
    }
    // Each commit asks for it once; one more layer a time would be the end of the stack.
    var found = 0
    for _ in 0..<300_000 where log.afterCommit != nil { found += 1 }
    #expect(found == 300_000)
    _ = try log.append([.view("a")])
    #expect(ranges.value == ["1...1"])
  }
}
