package import Events
import LMDB

/// The engine's own small values, kept with the log: origin, migrations applied, purge state.
///
/// Rows of table `meta` under "engine/" ‖ key.
extension EventLog {
  package func metadata(_ key: String) throws(CairnError) -> [UInt8]? {
    let key = EventLog.metadataKey(key)
    return try environment.read { (txn) throws(CairnError) -> [UInt8]? in
      try txn.find(self.tables.meta, key)?.array()
    }
  }

  /// Sets the value under a key, or removes it with `nil`; durable when it returns.
  /// - Throws: `.badArgument` for more than ``LogLimits/metadataByteCount`` bytes.
  package func setMetadata(_ value: [UInt8]?, for key: String) throws(CairnError) {
    try environment.write { (txn) throws(CairnError) in
      try EventLog.setMetadata(value, for: key, tables, &txn)
    }
  }

  /// Sets a value that folds depend on, which programs of older formats are not to serve without;
  /// durable when it returns.
  /// - Throws: `.badArgument` for more than ``LogLimits/metadataByteCount`` bytes.
  package func setFoldSetting(_ value: [UInt8], for key: String) throws(CairnError) {
    try environment.write { (txn) throws(CairnError) in
      try EventLog.setMetadata(value, for: key, tables, &txn)
      try EventLog.raiseFormat(tables, to: EventLog.settingsFormat, &txn)
    }
  }

  /// Where errors say that these values stand.
  package static let metadataPlace = "log.mdb, table meta"
  /// The key of the horizon before which old versions of items are let go.
  package static let horizonKey = "horizon"
  /// The key of the names, versions and domains of an application's upcasters.
  package static let upcastersKey = "upcasters"

  /// The upcasters that projections are made with, as far as this program has them.
  /// - Complexity: about a microsecond.
  package func eventUpcasters() throws(CairnError) -> EventUpcasters {
    guard let row = try metadata(EventLog.upcastersKey), !row.isEmpty else { return .none }
    let identity = String(decoding: row, as: UTF8.self)
    if let givenUpcasters, givenUpcasters.identity == identity { return givenUpcasters }
    return EventUpcasters(identity: identity, closures: nil)
  }

  /// All keys in byte order.
  package func metadataKeys() throws(CairnError) -> [String] {
    let prefix = EventLog.metadataKey("")
    return try environment.read { (txn) throws(CairnError) in
      var keys: [String] = []
      try txn.scan(self.tables.meta, prefix: prefix) { (key, _) throws(CairnError) in
        keys.append(String(decoding: key.array().dropFirst(prefix.count), as: UTF8.self))
      }
      return keys
    }
  }

  static func setMetadata(
    _ value: [UInt8]?, for key: String, _ tables: Tables, _ txn: inout WriteTransaction
  ) throws(CairnError) {
    let row = metadataKey(key)
    guard let value else {
      _ = try txn.delete(tables.meta, row)
      return
    }
    guard value.count <= LogLimits.metadataByteCount else {
      throw CairnError(
        .badArgument, "a metadata value has at most \(LogLimits.metadataByteCount) bytes")
    }
    try txn.put(tables.meta, row, value)
  }

  static func metadataKey(_ key: String) -> [UInt8] { Array("engine/\(key)".utf8) }
}
