import Events
import LMDB
import ProjectionSupport
import Projections
import TestSupport
import Testing
import Timeline

/// The timeline against a list of its records; a failure names its seed.
@Suite struct TimelineTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `gives back every record, forwards, backwards and alone, however it was cut`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let events = MadeUpEvents.make(500, &random)
    let expected = events.map { TimelineRecord($0) }
    let store = try TimelineStore()
    var place = 0
    while place < events.count {
      let end = min(events.count, place + Int.random(in: 1...60, using: &random))
      try store.fold(Array(events[place..<end]))
      place = end
      #expect(try store.records() == Array(expected.prefix(end)), "seed \(seed)")
    }
    let last = try #require(events.last?.sequence)
    for _ in 0..<50 {
      let first = UInt64.random(in: 0...last + 2, using: &random)
      let through = UInt64.random(in: 0...last + 2, using: &random)
      let wanted = expected.filter { $0.sequence >= first && $0.sequence <= through }
      let range = "seed \(seed), \(first) to \(through)"
      #expect(try store.records(from: first, through: through) == wanted, "\(range)")
      if first <= through {
        #expect(
          try store.records(from: first, through: through, isReversed: true) == wanted.reversed(),
          "\(range)")
      }
      var some = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        UInt64.random(in: 0...last + 80, using: &random)
      }
      some.sort()
      let found = try store.records(of: some)
      let named = some.enumerated().filter { one in
        expected.contains { $0.sequence == one.element }
      }
      #expect(found.map(\.place) == named.map(\.offset), "seed \(seed), \(some)")
      #expect(found.map(\.record.sequence) == named.map(\.element), "seed \(seed), \(some)")
      #expect(found.allSatisfy { expected.contains($0.record) }, "seed \(seed), \(some)")
    }
  }

  @Test func `stops where the body says`() throws {
    var random = SeededGenerator(seed: 5)
    let store = try TimelineStore()
    try store.fold(MadeUpEvents.make(100, &random))
    let all = try store.records()
    for count in [1, 20, 21, 22, 99] {
      #expect(try store.records(atMost: count) == Array(all.prefix(count)))
      #expect(
        try store.records(isReversed: true, atMost: count) == Array(all.reversed().prefix(count)))
    }
  }

  @Test(arguments: [6, 7] as [UInt64])
  func `batches of any size give one digest, and it is that of the rows`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = MadeUpEvents.make(300, &random)
    let (whole, single) = (try TimelineStore(), try TimelineStore())
    try whole.fold(events)
    for event in events { try single.fold([event]) }
    #expect(whole.digest == single.digest)
    #expect(try whole.audit() == whole.digest)
    #expect(try single.audit() == single.digest)
    // Another order of the same events is the same history, other events are not.
    try single.fold(MadeUpEvents.make(1, after: 10_000, &random))
    #expect(whole.digest != single.digest)
  }

  @Test func `a purge is recorded and leaves the digest alone`() throws {
    var random = SeededGenerator(seed: 8)
    let events = MadeUpEvents.make(40, &random)
    let (with, without) = (try TimelineStore(), try TimelineStore())
    let purge = ResolvedEvent(
      sequence: 1_000, kind: .purge, timeMicroseconds: 5, recordedMicroseconds: 5, actorHash: 0)
    try with.fold(events + [purge])
    try without.fold(events)
    #expect(with.digest == without.digest)
    #expect(try with.records().count == without.records().count + 1)
  }

  @Test(arguments: [9, 10, 11] as [UInt64])
  func `a copy without some events is a fold without them`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = MadeUpEvents.make(400, &random)
    let gone = Set(
      events.map(\.sequence).filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
    let source = try TimelineStore()
    try source.fold(events)
    let kept = events.filter { !gone.contains($0.sequence) }
    let folded = try TimelineStore()
    try folded.fold(kept)
    let copy = try TimelineStore()
    try copy.fill(from: source, without: gone.sorted(), kept: kept)
    #expect(try copy.records() == folded.records(), "seed \(seed)")
    #expect(copy.digest == folded.digest, "seed \(seed)")
    #expect(try copy.audit() == copy.digest, "seed \(seed)")
    // A copy goes on like any other.
    let more = MadeUpEvents.make(60, after: 5_000, &random)
    try copy.fold(more)
    try folded.fold(more)
    #expect(copy.digest == folded.digest, "seed \(seed)")
  }

  @Test func `a block that ends inside a record is damage, and is not served`() throws {
    var random = SeededGenerator(seed: 12)
    let store = try TimelineStore()
    try store.fold(MadeUpEvents.make(100, &random))
    let sound = try store.records().count
    let table = store.environment[try #require(Timeline.tables.first)]
    var key: [UInt8] = []
    key.appendBigEndian(UInt64(1))
    for count in [1, 43, 45] {
      let (block, row) = (key, [UInt8](repeating: 7, count: count))
      try store.environment.write { (txn) throws(CairnError) in try txn.put(table, block, row) }
      #expect(throws: CairnError.self) { try store.records() }
      #expect(throws: CairnError.self) { try store.audit() }
      #expect(try store.records(from: 70).count < sound)
    }
    let shared = store.environment[SharedRows.tableName]
    try store.environment.write { (txn) throws(CairnError) in
      try txn.put(shared, SharedRows.timelineKey, [1, 2, 3])
    }
    #expect(throws: CairnError.self) { try store.records(from: 70) }
  }

  @Test func `events that follow one another take few bytes, and any others fit a row`() throws {
    let store = try TimelineStore()
    let plain = (1...3_000 as ClosedRange<UInt64>).map { sequence in
      var event = ResolvedEvent(
        sequence: sequence, kind: .index, timeMicroseconds: 1_700_000_000_000_000 + Int64(sequence),
        recordedMicroseconds: 1_700_000_000_000_000 + Int64(sequence), actorHash: 0)
      (event.item, event.domain) = (UInt32(sequence), UInt32(sequence % 90))
      return event
    }
    let wild = (1...64 as ClosedRange<UInt64>).map { step in
      var event = ResolvedEvent(
        sequence: 1 << 40 + step, kind: .view,
        timeMicroseconds: step.isMultiple(of: 2) ? .min : .max,
        recordedMicroseconds: step.isMultiple(of: 3) ? .max : .min,
        actorHash: step.isMultiple(of: 2) ? .max : 1)
      event.item = step.isMultiple(of: 2) ? 0 : 1 << 31
      event.domain = .max / 2 * UInt32(step % 2)
      (event.isView, event.weight) = (true, step.isMultiple(of: 2) ? -.infinity : 1)
      return event
    }
    try store.fold(plain + wild)
    #expect(try store.records() == (plain + wild).map { TimelineRecord($0) })
    var sizes: [Int] = []
    let table = store.environment[try #require(Timeline.tables.first)]
    try store.environment.read { (txn) throws(CairnError) in
      try txn.scan(table) { (_, row) throws(CairnError) in
        sizes.append(row.byteCount)
        return true
      }
    }
    #expect(sizes.prefix(90).reduce(0, +) < 90 * 32 * 8)
    // The longest value that any row may have.
    #expect(sizes.allSatisfy { $0 <= 1_896 })
  }

  @Test func `a changed record is found by the audit`() throws {
    var random = SeededGenerator(seed: 13)
    let store = try TimelineStore()
    try store.fold(MadeUpEvents.make(100, &random))
    let table = store.environment[try #require(Timeline.tables.first)]
    var key: [UInt8] = []
    key.appendBigEndian(UInt64(2))
    let stored = try store.environment.read { (txn) throws(CairnError) in
      try txn.get(table, key)?.array()
    }
    var row = try #require(stored)
    row[8] ^= 1
    let (block, changed) = (key, row)
    try store.environment.write { (txn) throws(CairnError) in try txn.put(table, block, changed) }
    #expect(try store.audit() != store.digest)
  }
}
