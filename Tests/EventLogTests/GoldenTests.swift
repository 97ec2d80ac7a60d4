import EventLog
import Events
import Foundation
import HashTree
import LMDB
import Synchronization
import TestSupport
import Testing
import Values

/// Each format, pinned by a store that a program of its time wrote.
///
/// `Golden/format-N.store` is its `log.mdb`, `Golden/format-N.txt` what it says. They stay; a later
/// format adds files of its own. `RECORD_GOLDEN=1` writes those of the present format where
/// they are missing.
@Suite struct GoldenTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  private static func store(_ format: UInt16) -> URL {
    folder.appendingPathComponent("format-\(format).store")
  }

  private static func text(_ format: UInt16) -> URL {
    folder.appendingPathComponent("format-\(format).txt")
  }

  /// Clock, salts and ids that only count.
  static func countingEntropy() -> Entropy {
    let count = Counter()
    return Entropy(
      now: { Timestamp(seconds: 1_700_000_000 + Int64(count.next() * 2_000), nanoseconds: 5) },
      fill: { bytes in
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 7 &+ 1) }
      },
      identifier: { (_, random) in EventID(high: 0x0123_4567_89ab_7def, low: 2 << 62 | random >> 2)
      })
  }

  private final class Counter: Sendable {
    private let value = Atomic<UInt64>(0)
    func next() -> UInt64 { value.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  /// The appends that the golden store was made by.
  private static func fill(_ log: EventLog) throws {
    let lines = [
      #"{"kind":"index","item":"a","domain":"x.y","attributes":{"title":"Erste","keywords":["k"]}}"#,
      #"{"kind":"view","item":"a","time":"2023-01-02T03:04:05.000000006Z"}"#,
      #"{"kind":"view","item":"a","id":"AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE","recorded":1690000000}"#,
      #"{"kind":"select","query":"er","item":"a","position":1,"shown":["a","b"],"dwell":2.5}"#,
      #"{"kind":"delete","domain":"x"}"#,
    ]
    for line in lines { _ = try log.append([EventLine.parse(Array(line.utf8))]) }
    let long = String(repeating: "Wort ", count: 900)
    _ = try log.append(
      (0..<20).map { try .view($0 == 3 ? String(long.prefix(3_900)) : "Ding \($0)") })
    _ = try log.erase([4, 9], recording: EncodedEvent(kind: .purge, payload: [0xa0]))
    _ = try log.createNamedPoint(
      NamedPoint(
        name: "Punkt", sequence: 5, recorded: Timestamp(seconds: 1_700_000_000),
        created: Timestamp(seconds: 1_700_000_001), root: try log.root(at: 5), items: 1))
    try log.setMetadata(Array("golden".utf8), for: "origin")
  }

  /// All that the log says, one line a fact.
  private static func describe(_ log: EventLog) throws -> String {
    func hex(_ bytes: [UInt8]) -> String { Hexadecimal.text(bytes) }
    let head = try log.head()
    var lines: [String] = []
    for sequence in 1...head.sequence {
      if let event = try log.event(at: sequence) {
        lines.append(
          """
          \(event.sequence) \(event.kind) \(event.id) \(event.recorded) \(event.time) \
          \(event.schema) - \(hex(event.header.bytes)) \(hex(event.payload))
          """)
      } else if let stub = try log.stub(at: sequence) {
        // What a header of version 1 still tells.
        let size = stub.header.first.map { first in
          let hour = Timestamp(seconds: first.hour * 3_600)
          return "\(first.kind) \(first.id) \(hour) \(hour) \(first.schema)"
        }
        lines.append("\(sequence) \(size ?? "-") \(stub.purge) \(hex(stub.header.bytes)) ")
      }
    }
    lines.append("head \(head.sequence) \(head.root) \(head.recorded?.description ?? "-")")
    for size in 0...head.sequence { lines.append("root \(size) \(try log.root(at: size))") }
    for point in try log.namedPoints() {
      lines.append(
        "point \(point.name) \(point.sequence) \(point.recorded?.description ?? "-") \(point.created) "
          + "\(point.root) \(point.items)")
    }
    for key in try log.metadataKeys() {
      lines.append("meta \(key) \(hex(try log.metadata(key) ?? []))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Writes the files of the present format where they are missing and that is asked for.
  private static func record() throws {
    guard !FileManager.default.fileExists(atPath: store(EventLog.format).path),
      ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"
    else { return }
    let scratch = Scratch()
    let log = try scratch.open(entropy: countingEntropy())
    try fill(log)
    try Data(describe(log).utf8).write(to: text(EventLog.format))
    log.close()
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: "\(scratch.store)/log.mdb"), to: store(EventLog.format))
  }

  /// A copy of the store that a format wrote.
  private static func copy(_ format: UInt16) throws -> Scratch {
    try record()
    let scratch = Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.store, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: store(format), to: URL(fileURLWithPath: "\(scratch.store)/log.mdb"))
    return scratch
  }

  @Test(arguments: EventLog.oldestFormat...EventLog.format)
  func `a store of every format is read, verified and appended to`(format: UInt16) throws {
    let scratch = try Self.copy(format)
    let log = try scratch.open()
    let expected = try String(contentsOf: Self.text(format), encoding: .utf8)
    #expect(try Self.describe(log) == expected)
    #expect(try log.verify().problems == [])
    let next = try log.head().sequence + 1
    #expect(try log.append([.view("weiter")]).first == next)
    #expect(try log.verify().problems == [])
    // Everything before is as it was.
    let text = try Self.describe(log)
    for line in expected.split(separator: "\n") where !line.hasPrefix("head ") {
      #expect(text.contains(line))
    }
  }

  @Test func `the same appends give the same bytes as ever`() throws {
    try Self.record()
    let scratch = Scratch()
    let log = try scratch.open(entropy: Self.countingEntropy())
    try Self.fill(log)
    #expect(
      try Self.describe(log) == String(contentsOf: Self.text(EventLog.format), encoding: .utf8))
  }

  @Test func `a log of format 1 goes on in format 2, and old proofs hold`() throws {
    let scratch = try Self.copy(1)
    let log = try scratch.open()
    let roots = try (0...26).map { try log.root(at: $0) }
    let proof = try log.inclusionProof(of: 3, size: 26)
    let leaf = try #require(try log.leaf(at: 3))
    #expect(try log.erasedIDCount() == 2)
    _ = try log.append((0..<300).map { try .view("neu \($0)") })
    // One of each version: of the old one the header keeps the id, which doctor counts.
    let purge = EncodedEvent(kind: .purge, payload: [0xa0])
    #expect(try log.erase([3, 27, 28], recording: purge) == 327)
    #expect(try log.erasedIDCount() == 3)
    #expect(try log.stub(at: 3)?.header.first?.id.description.hasPrefix("aaaaaaaa") == true)
    #expect(try log.stub(at: 27)?.header.first == nil)
    #expect(try log.leaf(at: 27)?.count == 48)
    #expect(try log.leaf(at: 3) == leaf)
    #expect(try (0...26).map { try log.root(at: $0) } == roots)
    #expect(proof.verify(leaf: HashTree.leaf(leaf), root: roots[26]))
    let report = try log.verify()
    #expect(report.problems == [])
    #expect(report.erased == 5)
    // A copy up to any size, also one that ends with an erased event, has the same root.
    for size in [3, 9, 26, 27, 28] as [UInt64] {
      let path = "\(scratch.path)/copy-\(size)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      #expect(try log.copy(toFile: "\(path)/log.mdb", through: size).root == log.root(at: size))
    }
  }

  @Test func `programs that know only format 1 refuse a log from its first event of format 2 on`()
    throws
  {
    let scratch = try Self.copy(1)
    let log = try scratch.open()
    #expect(try Self.format(of: scratch) == [0, 1])
    _ = try log.append([.view("weiter")])
    #expect(try Self.format(of: scratch) == [0, 2])
  }

  @Test func `a log of a newer format is refused and left as it is`() throws {
    let scratch = try Self.copy(EventLog.format)
    let environment = try scratch.environment()
    let meta = environment["meta"]
    try environment.write { (txn) throws(CairnError) in
      try txn.put(meta, Array("format".utf8), [0, 5])
    }
    environment.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: "\(scratch.store)/log.mdb"))
    expectError(.unsupportedFormat) { try scratch.open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(scratch.store)/log.mdb")) == before)
  }

  /// What of a row only a newer program can have written: header version and flags, the row's
  /// state, the facts' kind and flags.
  @Test(arguments: [(1, 3), (3, 1), (4, 1), (0, 8), (81, 77), (82, 4)] as [(Int, UInt8)])
  func `what a newer program wrote is refused by name`(place: Int, byte: UInt8) throws {
    let scratch = try Self.copy(EventLog.format)
    let environment = try scratch.environment()
    let events = environment["events"]
    let key: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    try environment.write { (txn) throws(CairnError) in
      var row = try txn.reader.get(events, key)?.array() ?? []
      row[place] = byte
      try txn.put(events, key, row)
    }
    environment.close()
    let log = try scratch.open()
    expectError(.unsupportedFormat) { try log.event(at: 1) }
  }

  private static func format(of scratch: Scratch) throws -> [UInt8] {
    let environment = try scratch.environment()
    defer { environment.close() }
    let meta = environment["meta"]
    return try environment.read { (txn) throws(CairnError) in
      try txn.get(meta, Array("format".utf8))?.array() ?? []
    }
  }
}
