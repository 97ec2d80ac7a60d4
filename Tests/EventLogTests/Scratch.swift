import EventLog
import Events
import Foundation
import LMDB
import Testing

/// A folder of its own for one test, removed when the test is over.
final class Scratch {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("eventlog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var store: String { "\(path)/store" }

  func open(
    _ access: EventLog.Access = .readWrite,
    entropy: Entropy = .system
  ) throws -> EventLog {
    try EventLog.open(
      directory: store,
      access: access,
      create: access == .readWrite,
      writer: WriterThread(name: "test writer"),
      entropy: entropy
    )
  }
}

/// Seeded numbers, the same on every machine (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  mutating func id() -> EventID { EventID(high: next(), low: next()) }
}

extension EncodedEvent {
  /// A view of an item with this name.
  static func view(
    _ item: String,
    id: EventID? = nil,
    recorded: Timestamp? = nil,
    time: Timestamp? = nil
  ) throws -> EncodedEvent {
    var event = Event(kind: .view)
    event.item = item
    event.id = id
    event.recorded = recorded
    event.time = time
    return try event.encoded()
  }
}

extension StoredEvent {
  /// The name of the item.
  var item: String {
    get throws {
      let range = try #require(try EventLayout(payload).item)
      return String(decoding: payload[range], as: UTF8.self)
    }
  }
}

extension EventLog {
  /// All events of the log.
  func all(includeErased: Bool = false) throws -> [StoredEvent] {
    var events: [StoredEvent] = []
    try read(includeErased: includeErased) { (event) throws(StorageError) in
      events.append(copy event)
      return true
    }
    return events
  }
}
