import EventLog
import Events
import LMDB
import TestSupport
import Testing

/// A folder of its own for one test, removed when the test is over.
final class Scratch {
  private let directory = TestDirectory()

  var path: String { directory.path }

  var store: String { "\(path)/store" }

  func open(_ access: EventLog.Access = .readWrite, entropy: Entropy = .system) throws -> EventLog {
    try EventLog.open(
      directory: store, access: access, create: access == .readWrite,
      writer: WriterThread(name: "test writer"), entropy: entropy)
  }

  /// The file of the log, as somebody with the program could write it.
  func environment() throws -> Environment {
    try Environment.open(
      "\(store)/log.mdb",
      Environment.Configuration(
        access: .readWrite, durability: .synchronous,
        tables: [.main, "events", "ids", "tree", "meta", "snapshots"],
        writer: WriterThread(name: "forger"), create: false))
  }
}

extension EncodedEvent {
  /// A view of an item with this name.
  static func view(
    _ item: String, id: EventID? = nil, recorded: Timestamp? = nil, time: Timestamp? = nil
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
  /// All live events of the log.
  func all() throws -> [StoredEvent] {
    var events: [StoredEvent] = []
    try read { (event) throws(CairnError) in
      events.append(copy event)
      return true
    }
    return events
  }
}

extension SeededGenerator { mutating func id() -> EventID { EventID(high: next(), low: next()) } }
