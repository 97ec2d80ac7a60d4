import Crypto
import Events
package import LMDB

/// A domain or an item that a purge refuses from then on, as a keyed digest: who reads the log can
/// tell that a name is blocked, not which.
///
/// Rows of table `meta` under "block/" ‖ HMAC-SHA-256 of the name under the log's own key.
package struct BlockedName: Sendable, Equatable {
  let rowKey: [UInt8]

  fileprivate static let prefix = Array("block/".utf8)

  fileprivate init(_ kind: UInt8, _ name: some Collection<UInt8>, key: [UInt8]) {
    var code = HMAC<SHA256>(key: SymmetricKey(data: key))
    code.update(data: [kind])
    code.update(data: Array(name))
    rowKey = Self.prefix + Array(code.finalize())
  }
}

extension EventLog {
  /// The metadata under which the key of blocked names lies.
  private static let blockKeyName = "block-key"

  /// The blocked form of an item's name.
  package func blockedItem(_ name: [UInt8]) throws(CairnError) -> BlockedName {
    BlockedName(BlockList.item, name, key: try secret(EventLog.blockKeyName))
  }

  /// The blocked form of a domain and everything below it.
  package func blockedDomain(_ name: [UInt8]) throws(CairnError) -> BlockedName {
    BlockedName(BlockList.domain, name, key: try secret(EventLog.blockKeyName))
  }

  /// Refuses names from now on; durable when it returns.
  package func block(_ names: [BlockedName], wait: Duration = .seconds(10)) throws(CairnError) {
    guard !names.isEmpty else { return }
    try withWriterLock(wait: wait) { () throws(CairnError) in
      let tables = tables
      try environment.write { (txn) throws(CairnError) in
        for name in names { try txn.put(tables.meta, name.rowKey, [0]) }
      }
    }
  }

  /// Accepts a blocked name again; durable when it returns.
  ///
  /// - Returns: Whether it was blocked.
  package func unblock(_ name: BlockedName, wait: Duration = .seconds(10)) throws(CairnError)
    -> Bool
  {
    try withWriterLock(wait: wait) { () throws(CairnError) in
      let tables = tables
      return try environment.write { (txn) throws(CairnError) in
        try txn.delete(tables.meta, name.rowKey)
      }
    }
  }

  /// Takes over what another copy of this log refuses; durable when it returns.
  package func addBlocks(of other: EventLog) throws(CairnError) {
    let prefix = BlockedName.prefix
    var rows: [[UInt8]] = []
    try other.environment.read { (txn) throws(CairnError) in
      try EventReader.walk(other.tables.meta, from: prefix, in: txn) {
        (key, _) throws(CairnError) in
        guard key.hasPrefix(prefix.rawSpan) else { return false }
        rows.append(key.array())
        return true
      }
    }
    guard !rows.isEmpty, let key = try other.metadata(EventLog.blockKeyName) else { return }
    let (found, tables) = (rows, tables)
    try withWriterLock { () throws(CairnError) in
      try environment.write { (txn) throws(CairnError) in
        // Names are keyed: both copies have the key that was made first.
        try EventLog.setMetadata(key, for: EventLog.blockKeyName, tables, &txn)
        for row in found { try txn.put(tables.meta, row, [0]) }
      }
    }
  }

  /// 32 random bytes of this log, made when they are first asked for; never leave the store.
  ///
  /// - Throws: `.readOnly` when they have to be made in a log open for reading.
  package func secret(_ name: String) throws(CairnError) -> [UInt8] {
    if let secret = try metadata(name) { return secret }
    return try withWriterLock { () throws(CairnError) in
      if let secret = try metadata(name) { return secret }
      var generator = SystemRandomNumberGenerator()
      let secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
      try setMetadata(secret, for: name)
      return secret
    }
  }
}

/// What a transaction has to refuse.
struct BlockList {
  static let item: UInt8 = 1
  static let domain: UInt8 = 2

  private let tables: Tables
  private let key: [UInt8]

  /// Nil when nothing is blocked.
  init?(_ tables: Tables, in txn: borrowing ReadTransaction) throws(CairnError) {
    var cursor = try txn.cursor(tables.meta)
    guard let first = try cursor.seek(BlockedName.prefix),
      first.key.hasPrefix(BlockedName.prefix.rawSpan),
      let key = try txn.get(tables.meta, EventLog.metadataKey("block-key"))
    else { return nil }
    self.tables = tables
    self.key = key.array()
  }

  /// Whether the event is of a blocked item or shows one, or says that it belongs to a blocked
  /// domain; or whether nobody can tell.
  func refuse(_ event: EncodedEvent, in txn: borrowing ReadTransaction) throws(CairnError) -> Bool {
    let payload = event.payload
    // What cannot be read may be of a blocked item.
    guard let layout = try? EventLayout(payload) else { return true }
    if let item = layout.item, try isBlocked(Self.item, payload[item], in: txn) { return true }
    if let shown = layout.shown {
      var items = ElementCursor(payload, shown)
      while let item = items.next() {
        if case .string(let item) = item, try isBlocked(Self.item, payload[item], in: txn) {
          return true
        }
      }
    }
    guard case .value(let domain) = layout.domain else { return false }
    for end in domain where payload[end] == UInt8(ascii: ".") {
      if try isBlocked(Self.domain, payload[domain.lowerBound..<end], in: txn) { return true }
    }
    return try isBlocked(Self.domain, payload[domain], in: txn)
  }

  private func isBlocked(
    _ kind: UInt8, _ name: ArraySlice<UInt8>, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    let name = BlockedName(kind, name, key: key)
    return try txn.get(tables.meta, name.rowKey) != nil
  }
}
