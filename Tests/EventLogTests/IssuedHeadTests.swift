import EventLog
import Events
import HashTree
import LMDB
import TestSupport
import Testing

@Suite struct `Heads that were signed` {
  private static let now = Timestamp(seconds: 1_700_000_000)

  private static func append(_ count: Int, to log: EventLog) throws {
    _ = try log.append((0..<count).map { try .view("item \($0)") })
  }

  @Test func `are remembered once each, in order, with the time of the first signature`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    var sizes: [UInt64] = []
    for step in 0..<5 {
      let time = Timestamp(seconds: 1_700_000_000 + Int64(step))
      let head = try log.noteIssuedHead(size: nil, time: time)
      #expect(head.root == (try log.head().root) && head.time == time)
      let again = try log.noteIssuedHead(size: head.size, time: Timestamp(seconds: 9))
      #expect(again == head)
      sizes.append(head.size)
      try Self.append(step * 7 + 1, to: log)
    }
    let early = try log.noteIssuedHead(size: 3, time: Self.now)
    #expect(early.root == (try log.root(at: 3)))
    #expect(try log.issuedHeads().map(\.size) == (sizes + [3]).sorted())
    expectError(.badArgument) {
      try log.noteIssuedHead(size: 1_000, time: Self.now)
    }
    let report = try log.verify()
    #expect(report.problems == [] && report.signedHeads == 6)
    try log.removeIssuedHeads()
    #expect(try log.issuedHeads().isEmpty)
  }

  /// Rewrites rows with a right checksum.
  private static func forge(
    _ scratch: Scratch, table: TableName,
    _ change: (inout WriteTransaction, Table) throws(CairnError) -> Void
  ) throws {
    let environment = try scratch.environment()
    let table = environment[table]
    try environment.write { (txn) throws(CairnError) in try change(&txn, table) }
  }

  @Test func `that are not on the tree are named, and nothing more is signed`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    try Self.append(20, to: log)
    let head = try log.noteIssuedHead(size: nil, time: Self.now)
    let key = Array("engine/checkpoint/0000000000000014".utf8)
    let forged = [1] + HashTree.leaf([7]).bytes + [UInt8](repeating: 0, count: 12)
    try Self.forge(scratch, table: "meta") { (txn, table) throws(CairnError) in
      try txn.put(table, key, forged)
    }
    let report = try log.verify()
    #expect(report.problems.map(\.place) == ["log.mdb, table meta"])
    for size in [nil, 20, 7] as [UInt64?] {
      expectError(.corrupt) {
        try log.noteIssuedHead(size: size, time: Self.now)
      }
    }
    // One beyond the end: the log was put back to an older state.
    let right = [1] + head.root.bytes + [UInt8](repeating: 0, count: 12)
    try Self.forge(scratch, table: "meta") { (txn, table) throws(CairnError) in
      try txn.put(table, key, right)
      try txn.put(table, Array("engine/checkpoint/0000000000000015".utf8), right)
    }
    let gone = try log.verify()
    #expect(gone.problems.map(\.place) == ["log.mdb, table meta"])
    #expect(gone.problems.first?.message.contains("events are gone") == true)
    expectError(.corrupt) {
      try log.noteIssuedHead(size: nil, time: Self.now)
    }
  }

  @Test func `a snapshot with a root of its own is named`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    try Self.append(20, to: log)
    for (name, root) in [("right", try log.root(at: 9)), ("wrong", HashTree.leaf([1]))] {
      _ = try log.createNamedPoint(
        NamedPoint(
          name: name, sequence: 9, recorded: Self.now, created: Self.now, root: root, items: 0))
    }
    #expect(try log.verify().problems.map(\.place) == ["log.mdb, table snapshots"])
  }

  @Test func `leaves come in order and as single leaves do`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    try Self.append(40, to: log)
    #expect(try log.leaves(3...40) == (3...40).map { try #require(try log.leaf(at: $0)) })
    expectError(.corrupt) { try log.leaves(40...41) }
  }
}
