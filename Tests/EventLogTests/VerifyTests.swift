import EventLog
import Events
import Foundation
import LMDB
import TestSupport
import Testing

@Suite struct VerifyTests {
  /// Where a bit is flipped, and what has to be named.
  enum Place: CaseIterable, Sendable {
    case state, header, commitment, salt, payload, laterPart, key, tombstone, id, node, head, format
    case point
  }

  /// A log with every sort of row: 7 is short, 8 long, 9 erased.
  private static func make(_ scratch: Scratch) throws {
    let log = try scratch.open()
    _ = try log.append(
      (UInt64(1)...40).map {
        let name = $0 == 8 ? String(repeating: "long item ", count: 400) : "item number \($0)"
        return try .view(name, id: EventID(high: $0 &* 0x9e37_79b9_7f4a_7c15, low: ~$0))
      })
    _ = try log.erase([9], recording: EncodedEvent(kind: .purge, payload: [0xa0]))
    let point = NamedPoint(
      name: "a point of note", sequence: 5, recorded: Timestamp(seconds: 1),
      created: Timestamp(seconds: 2), root: try log.root(at: 5), items: 3)
    _ = try log.createNamedPoint(point)
    log.close()
  }

  /// Bytes of the file that hold the place, and how far into them the flipped byte is.
  private static func pattern(_ place: Place, _ log: EventLog) throws -> (bytes: [UInt8], at: Int) {
    func header(_ sequence: UInt64) throws -> [UInt8] { try #require(try log.leaf(at: sequence)) }
    func key(_ sequence: UInt8, _ part: UInt8 = 0) -> [UInt8] {
      [0, 0, 0, 0, 0, 0, 0, sequence, 0, part]
    }
    let second = try #require(try log.event(at: 8)).payload.suffix(40)
    switch place {
    case .state: return (key(7) + [0] + (try header(7)), 10)
    case .header: return (try header(7), 5)
    case .commitment: return (try header(7), 30)
    case .salt: return (try header(7), 48 + 3)
    case .payload: return (Array("item number 7".utf8), 5)
    case .laterPart: return (Array(second), 30)
    case .key: return (key(7) + [0] + (try header(7)), 7)
    case .tombstone: return (key(9) + [1] + (try header(9)), 40)
    case .id:
      return (
        EventID(high: 3 &* 0x9e37_79b9_7f4a_7c15, low: ~3).bytes + [0, 0, 0, 0, 0, 0, 0, 3], 20
      )
    case .node: return ([4, 0, 0, 0, 0, 0, 0, 0, 1], 20)
    case .head: return (Array("head".utf8), 30)
    case .format: return (Array("format".utf8), 7)
    case .point: return (Array("a point of note".utf8), 30)
    }
  }

  private static func flip(_ place: Place, in scratch: Scratch) throws -> Int {
    let log = try scratch.open()
    let (pattern, at) = try pattern(place, log)
    log.close()
    return try flip(1 << UInt8(at % 8), of: pattern, at: at, in: scratch)
  }

  private static func flip(_ bit: UInt8, of pattern: [UInt8], at: Int, in scratch: Scratch) throws
    -> Int
  {
    let url = URL(fileURLWithPath: "\(scratch.store)/log.mdb")
    var bytes = try Data(contentsOf: url)
    var start = bytes.startIndex
    var count = 0
    // Pages that no longer count may hold the row too.
    while let range = bytes.range(of: Data(pattern), in: start..<bytes.endIndex) {
      bytes[range.lowerBound + at] ^= bit
      start = range.upperBound
      count += 1
    }
    try bytes.write(to: url)
    return count
  }

  @Test(arguments: Place.allCases) func `a flipped bit is found and named`(_ place: Place) throws {
    let scratch = Scratch()
    try Self.make(scratch)
    #expect(try Self.flip(place, in: scratch) > 0)
    // A key out of its order leads searches astray: such a file is not opened at all.
    if place == .format || place == .key {
      expectError(.corrupt) { try scratch.open() }
      return
    }
    let log = try scratch.open(.readWrite)
    let report = try log.verify()
    #expect(!report.isSound)
    switch place {
    case .state, .header, .commitment, .salt, .payload:
      #expect(report.firstBadSequence == 7)
      #expect(report.problems.first?.place == "log.mdb, event 7")
      expectError(.corrupt) { try log.event(at: 7) }
      expectError(.corrupt) { try log.all() }
    case .laterPart: #expect(report.firstBadSequence == 8)
    case .tombstone: #expect(report.firstBadSequence == 9)
    case .id: #expect(report.problems.map(\.place) == ["log.mdb, table ids"])
    case .node: #expect(report.problems.allSatisfy { $0.place == "log.mdb, table tree" })
    case .head: #expect(report.problems.first?.place == "log.mdb, table head")
    case .point: #expect(report.problems.map(\.place) == ["log.mdb, table snapshots"])
    case .format, .key: break
    }
  }

  /// `haad` stands in order among the tables, so that the structure of the file is sound.
  @Test func `a head under another name does not make the log an empty one`() throws {
    let scratch = Scratch()
    try Self.make(scratch)
    #expect(try Self.flip(4, of: Array("head".utf8), at: 1, in: scratch) > 0)
    for access in [EventLog.Access.readOnly, .readWrite] {
      let log = try scratch.open(access)
      defer { log.close() }
      expectError(.corrupt) { try log.head() }
      expectError(.corrupt) { try log.all() }
      #expect(try log.verify().problems.first?.place == "log.mdb, table head")
      if access == .readWrite { expectError(.corrupt) { try log.append([.view("new")]) } }
    }
  }

  /// `snme` stands in order among the keys, so that the structure of the file is sound.
  @Test func `a value under another name is not one that was never set`() throws {
    let scratch = Scratch()
    try Self.make(scratch)
    let log = try scratch.open()
    for name in ["a name", "some name", "z name"] { try log.setMetadata([1], for: name) }
    log.close()
    for key in ["engine/some name", "a point of note"] {
      #expect(try Self.flip(1, of: Array(key.utf8), at: 8, in: scratch) > 0)
    }
    let damaged = try scratch.open()
    expectError(.corrupt) { try damaged.metadata("some name") }
    expectError(.corrupt) { try damaged.namedPoint("a point of note") }
    #expect(try damaged.metadata("A name") == nil)
    #expect(try damaged.metadata("z name") == [1])
    #expect(try !damaged.verify().isSound)
  }

  /// Rewrites a row of an open log with a right checksum.
  private static func forge(
    _ scratch: Scratch, table: TableName, key: [UInt8], _ change: (inout [UInt8]) -> Void
  ) throws {
    let environment = try scratch.environment()
    let table = environment[table]
    var value = try environment.read { (txn) throws(CairnError) in
      try txn.get(table, key)?.array() ?? []
    }
    change(&value)
    let forged = value
    try environment.write { (txn) throws(CairnError) in try txn.put(table, key, forged) }
  }

  @Test func `a forged row with a right checksum is found by the commitment and the tree`() throws {
    let scratch = Scratch()
    try Self.make(scratch)
    let log = try scratch.open()
    let key: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 7, 0, 0]
    // The last byte of the payload.
    try Self.forge(scratch, table: "events", key: key) { $0[$0.count - 1] ^= 1 }
    #expect(try log.verify().firstBadSequence == 7)
    try Self.forge(scratch, table: "events", key: key) { $0[$0.count - 1] ^= 1 }
    #expect(try log.verify().isSound)
    // The header's commitment: the content denies it, and so does the tree.
    try Self.forge(scratch, table: "events", key: key) { $0[30] ^= 1 }
    #expect(try log.verify().problems.contains { $0.message.contains("events 1 to 16") })
    try Self.forge(scratch, table: "events", key: key) { $0[30] ^= 1 }
    // A stored node, a head, an id.
    try Self.forge(scratch, table: "tree", key: [4, 0, 0, 0, 0, 0, 0, 0, 1]) { $0[5] ^= 1 }
    #expect(try log.verify().problems.map(\.place) == ["log.mdb, table tree"])
    try Self.forge(scratch, table: "tree", key: [4, 0, 0, 0, 0, 0, 0, 0, 1]) { $0[5] ^= 1 }
    try Self.forge(scratch, table: .main, key: Array("head".utf8)) { $0[20] ^= 1 }
    #expect(try log.verify().problems.map(\.place) == ["log.mdb, table head"])
    try Self.forge(scratch, table: .main, key: Array("head".utf8)) { $0[20] ^= 1 }
    let id = EventID(high: 3 &* 0x9e37_79b9_7f4a_7c15, low: ~3).bytes
    try Self.forge(scratch, table: "ids", key: id) { $0[7] ^= 1 }
    #expect(try log.verify().problems.map(\.place) == ["log.mdb, table ids"])
  }

  /// A log of some groups of events that are looked at together: 300 is in parts, 600 is erased.
  private static func makeLong(_ scratch: Scratch) throws -> EventLog {
    let log = try scratch.open()
    _ = try log.append(
      (UInt64(1)...1_100).map {
        let name = $0 == 300 ? String(repeating: "long item ", count: 400) : "item number \($0)"
        let id = $0 % 2 == 0 ? EventID(high: $0 &* 0x9e37_79b9_7f4a_7c15, low: ~$0) : nil
        return try .view(name, id: id)
      })
    _ = try log.erase([600], recording: EncodedEvent(kind: .purge, payload: [0xa0]))
    return log
  }

  @Test(arguments: [1, 256, 257, 300, 511, 512, 600, 700, 1_024, 1_025] as [UInt64])
  func `an event among many is named alone`(sequence: UInt64) throws {
    let scratch = Scratch()
    let log = try Self.makeLong(scratch)
    let sound = try log.verify()
    #expect(sound.problems == [])
    #expect(sound.events == 1_100)
    #expect(sound.erased == 1)
    let key = (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) } + [0, 0]
    // The last byte: of the payload, or of the number of the purge.
    if sequence != 600 {
      try Self.forge(scratch, table: "events", key: key) { $0[$0.count - 1] ^= 1 }
      let damaged = try log.verify()
      #expect(damaged.problems.map(\.sequence) == [sequence])
      #expect(damaged.events == 1_100)
      try Self.forge(scratch, table: "events", key: key) { $0[$0.count - 1] ^= 1 }
    }
    // The header's commitment, which the tree covers, and a row of an unknown state.
    try Self.forge(scratch, table: "events", key: key) { $0[30] ^= 1 }
    let first = (sequence - 1) / 16 * 16 + 1
    let node = "events \(first) to \(first + 15)"
    #expect(try log.verify().problems.contains { $0.message.hasPrefix(node) })
    try Self.forge(scratch, table: "events", key: key) { $0[30] ^= 1 }
    try Self.forge(scratch, table: "events", key: key) { $0[0] ^= 2 }
    #expect(try log.verify().firstBadSequence == sequence)
    try Self.forge(scratch, table: "events", key: key) { $0[0] ^= 2 }
    #expect(try log.verify().problems == [])
  }

  @Test(arguments: [(4, 0), (4, 20), (8, 1), (8, 3)] as [(UInt8, UInt8)])
  func `a node over many events is named`(level: UInt8, index: UInt8) throws {
    let scratch = Scratch()
    let log = try Self.makeLong(scratch)
    let key: [UInt8] = [level, 0, 0, 0, 0, 0, 0, 0, index]
    try Self.forge(scratch, table: "tree", key: key) { $0[5] ^= 1 }
    let width = UInt64(1) << UInt64(level)
    let first = UInt64(index) * width + 1
    let problems = try log.verify().problems
    #expect(problems.allSatisfy { $0.place == "log.mdb, table tree" })
    #expect(
      problems.first?.message == "events \(first) to \(first + width - 1) do not hash to their node"
    )
  }

  @Test func `a long log is verified in pieces, and each names what is wrong in it`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let event = try EncodedEvent.view("one of many")
    _ = try log.append(Array(repeating: event, count: 9_000))
    let report = try log.verify()
    #expect(report.problems == [])
    #expect(report.events == 9_000)
    for sequence in [100, 8_000] as [UInt64] {
      let key =
        (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) } + [0, 0]
      try Self.forge(scratch, table: "events", key: key) { $0[$0.count - 1] ^= 1 }
    }
    let damaged = try log.verify()
    #expect(damaged.problems.map(\.sequence) == [100, 8_000])
    #expect(damaged.firstBadSequence == 100)
    var seen: [UInt64] = []
    _ = try log.verify { count in
      seen.append(count)
      return false
    }
    #expect(seen.count == 1)
  }
}

extension EventLog {
  func verify(progress: (UInt64) -> Bool = { _ in true }) throws -> VerifyReport {
    let verification = try verification()
    while verification.lookAtPiece(progress) {}
    return try verification.finish()
  }
}

extension VerifyReport {
  fileprivate var firstBadSequence: UInt64? { problems.compactMap(\.sequence).min() }
}
