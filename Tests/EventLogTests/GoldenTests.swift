import EventLog
import Events
import Foundation
import HashTree
import LMDB
import Synchronization
import Testing

/// Format 1, pinned by a store that format 1 wrote.
///
/// `Golden/format-1.store` is its `log.mdb`, `Golden/format-1.txt` what it says. Both stay for ever;
/// a later format adds files of its own. `RECORD_GOLDEN=1` writes them where they are missing.
@Suite struct GoldenTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")
  private static let store = folder.appendingPathComponent("format-1.store")
  private static let text = folder.appendingPathComponent("format-1.txt")

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
    func hex(_ bytes: [UInt8]) -> String {
      bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    var lines = try log.all(includeErased: true).map { event in
      let purge = event.purge.map(String.init) ?? "-"
      return """
        \(event.sequence) \(event.kind) \(event.id) \(event.recorded) \(event.time) \
        \(event.schema) \(purge) \(hex(event.header.bytes)) \(hex(event.payload))
        """
    }
    let head = try log.head()
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

  @Test func `a store of format 1 is read, verified and appended to`() throws {
    let scratch = try Scratch()
    if !FileManager.default.fileExists(atPath: Self.store.path),
      ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"
    {
      let log = try scratch.open(entropy: Self.countingEntropy())
      try Self.fill(log)
      try Data(Self.describe(log).utf8).write(to: Self.text)
      log.close()
      try FileManager.default.copyItem(
        at: URL(fileURLWithPath: "\(scratch.store)/log.mdb"), to: Self.store)
      try FileManager.default.removeItem(atPath: scratch.store)
    }
    try FileManager.default.createDirectory(
      atPath: scratch.store, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Self.store, to: URL(fileURLWithPath: "\(scratch.store)/log.mdb"))
    let log = try scratch.open()
    let expected = try String(contentsOf: Self.text, encoding: .utf8)
    #expect(try Self.describe(log) == expected)
    #expect(try log.verify().problems == [])
    let next = try log.head().sequence + 1
    #expect(try log.append([.view("weiter")]).first == next)
    #expect(try log.verify().problems == [])
  }

  @Test func `the same appends give the same bytes as ever`() throws {
    let scratch = try Scratch()
    let log = try scratch.open(entropy: Self.countingEntropy())
    try Self.fill(log)
    #expect(try Self.describe(log) == String(contentsOf: Self.text, encoding: .utf8))
  }
}
