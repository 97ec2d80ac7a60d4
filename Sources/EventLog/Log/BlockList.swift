import Cryptography
package import Events
import LMDB

/// A domain, an item or an event's id that a purge refuses from then on, as a keyed digest: who
/// reads the log can tell that a name is blocked, not which.
///
/// Rows of table `meta` under "block/" ‖ HMAC-SHA-256 of the name under the log's own key. The
/// value is 0, or for an id the digest of the purge's conditions, which leads to all its ids.
package struct BlockedName: Sendable, Equatable {
  let rowKey: [UInt8]
  fileprivate(set) var value: [UInt8] = [0]

  fileprivate static let prefix = Array("block/".utf8)

  /// Under the log's key, which the empty message stands for.
  fileprivate init(_ kind: UInt8, _ name: some Collection<UInt8>, _ keyed: HMAC) {
    var code = keyed
    code.add(kind)
    code.add(Array(name))
    rowKey = Self.prefix + code.finish().bytes
  }

  fileprivate var digest: [UInt8] { Array(rowKey.dropFirst(Self.prefix.count)) }
}

/// How much purges refuse from then on; which names it is, nobody can list.
package struct BlockCounts: Sendable, Equatable {
  /// Domains and items.
  package var names = 0
  /// Events, by their ids.
  package var events = 0
}

extension EventLog {
  /// The metadata under which the key of blocked names lies.
  fileprivate static let blockKeyName = "block-key"

  package func blockedItem(_ name: [UInt8], wait: Duration = .seconds(10)) throws(CairnError)
    -> BlockedName
  { BlockedName(BlockList.item, name, try blockKey(wait: wait)) }

  /// The blocked form of a domain and everything below it.
  package func blockedDomain(_ name: [UInt8], wait: Duration = .seconds(10)) throws(CairnError)
    -> BlockedName
  { BlockedName(BlockList.domain, name, try blockKey(wait: wait)) }

  /// The blocked forms of events' ids, which belong to the conditions of a purge.
  package func blockedEvents(_ ids: [EventID], of conditions: [UInt8]) throws(CairnError)
    -> [BlockedName]
  {
    let key = try blockKey()
    let group = BlockedName(BlockList.conditions, conditions, key).digest
    return ids.map { id in
      var name = BlockedName(BlockList.event, id.bytes, key)
      name.value = group
      return name
    }
  }

  /// Accepts the events again that a purge with these conditions refused; durable when it returns.
  /// - Returns: Whether there were any.
  package func unblockEvents(of conditions: [UInt8], wait: Duration = .seconds(10))
    throws(CairnError) -> Bool
  {
    let group = BlockedName(BlockList.conditions, conditions, try blockKey(wait: wait)).digest
    return try withWriterLock(wait: wait) { () throws(CairnError) in
      try environment.write { (txn) throws(CairnError) in
        var rows: [[UInt8]] = []
        try txn.reader.scan(tables.meta, prefix: BlockedName.prefix) {
          (key, value) throws(CairnError) in
          if value.array() == group { rows.append(key.array()) }
        }
        for row in rows { _ = try txn.delete(tables.meta, row) }
        return !rows.isEmpty
      }
    }
  }

  /// Refuses names from now on; durable when it returns.
  package func block(_ names: [BlockedName], wait: Duration = .seconds(10)) throws(CairnError) {
    guard !names.isEmpty else { return }
    try withWriterLock(wait: wait) { () throws(CairnError) in
      try environment.write { (txn) throws(CairnError) in
        for name in names { try txn.put(tables.meta, name.rowKey, name.value) }
      }
    }
  }

  /// Accepts a blocked name again; durable when it returns.
  /// - Returns: Whether it was blocked.
  package func unblock(_ name: BlockedName, wait: Duration = .seconds(10)) throws(CairnError)
    -> Bool
  {
    try withWriterLock(wait: wait) { () throws(CairnError) in
      try environment.write { (txn) throws(CairnError) in
        try txn.delete(tables.meta, name.rowKey)
      }
    }
  }

  package func hasBlocks() throws(CairnError) -> Bool {
    try environment.read { (txn) throws(CairnError) in
      try BlockList(self, in: txn) != nil
    }
  }

  /// Whether an event would be refused after those that were asked about or appended before.
  package func refuses(_ event: EncodedEvent) throws(CairnError) -> Bool {
    try environment.read { (txn) throws(CairnError) in
      guard let blocks = try BlockList(self, in: txn) else { return false }
      return try blocks.refuse(event, in: txn)
    }
  }

  /// How many names and events are refused.
  package func blockCounts() throws(CairnError) -> BlockCounts {
    try environment.read { (txn) throws(CairnError) in
      var counts = BlockCounts()
      try txn.scan(self.tables.meta, prefix: BlockedName.prefix) { (_, value) throws(CairnError) in
        if value.byteCount > 1 { counts.events += 1 } else { counts.names += 1 }
      }
      return counts
    }
  }

  /// Takes over what another copy of this log refuses; durable when it returns.
  package func addBlocks(of other: EventLog) throws(CairnError) {
    var rows: [(key: [UInt8], value: [UInt8])] = []
    try other.environment.read { (txn) throws(CairnError) in
      try txn.scan(other.tables.meta, prefix: BlockedName.prefix) {
        (key, value) throws(CairnError) in rows.append((key.array(), value.array()))
      }
    }
    guard !rows.isEmpty, let key = try other.metadata(EventLog.blockKeyName) else { return }
    try withWriterLock { () throws(CairnError) in
      try environment.write { (txn) throws(CairnError) in
        // Names are keyed: both copies have the key that was made first.
        try EventLog.setMetadata(key, for: EventLog.blockKeyName, tables, &txn)
        for row in rows { try txn.put(tables.meta, row.key, row.value) }
      }
    }
  }

  private func blockKey(wait: Duration = .seconds(10)) throws(CairnError) -> HMAC {
    HMAC(key: try secret(Self.blockKeyName, wait: wait))
  }

  /// 32 random bytes of this log, made when they are first asked for; only its copies have them.
  /// - Throws: `.readOnly` when they have to be made in a log open for reading; `.busy`.
  package func secret(
    _ name: String, proposing proposed: [UInt8]? = nil, wait: Duration = .seconds(10)
  ) throws(CairnError) -> [UInt8] {
    if let secret = try metadata(name) { return secret }
    return try withWriterLock(wait: wait) { () throws(CairnError) in
      if let secret = try metadata(name) { return secret }
      var generator = SystemRandomNumberGenerator()
      let secret = proposed ?? (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
      try setMetadata(secret, for: name)
      return secret
    }
  }
}

/// What a transaction has to refuse.
struct BlockList {
  static let item: UInt8 = 1
  static let domain: UInt8 = 2
  static let event: UInt8 = 3
  static let conditions: UInt8 = 4

  private let tables: Tables
  /// The empty message under the log's key: to key it costs as much as the names of an event do.
  private let keyed: HMAC
  private let refusedItems: RefusedItems
  private let presence: EventLog.PresenceHook?
  /// Items that events of this transaction made or deleted, which nobody else knows of yet.
  private var isThere: [[UInt8]: Bool] = [:]
  /// Whether one of them deleted everything.
  private var hasDeletedAll = false

  /// Nil when nothing is blocked.
  init?(_ log: EventLog, in txn: borrowing ReadTransaction) throws(CairnError) {
    var cursor = try txn.cursor(log.tables.meta)
    guard let first = try cursor.find(BlockedName.prefix),
      first.key.hasPrefix(BlockedName.prefix.rawSpan)
    else { return nil }
    let name = EventLog.metadataKey(EventLog.blockKeyName)
    guard let key = try txn.find(log.tables.meta, name) else { return nil }
    self.tables = log.tables
    self.keyed = HMAC(key: key.array())
    self.refusedItems = log.refusedItems
    self.presence = log.presence
  }

  /// Whether the event is of a blocked item or shows one, belongs to a blocked domain, or has a
  /// blocked id; or whether nobody can tell.
  ///
  /// Events are asked about in their order, each after those before it were noted: without a domain
  /// of its own, one belongs where its item is, or else where the item was to be that was refused.
  func refuse(_ event: EncodedEvent, in txn: borrowing ReadTransaction) throws(CairnError) -> Bool {
    let payload = event.payload
    // What cannot be read may be of a blocked item.
    guard let layout = try? EventLayout(payload) else { return true }
    let item = layout.item.map { Array(payload[$0]) }
    if case .value(let domain) = layout.domain,
      let row = try blockingRow(of: payload[domain], in: txn)
    {
      if let item { refusedItems.add(item, for: row) }
      return true
    }
    if let id = event.id, try isBlocked(Self.event, id.bytes[...], in: txn) { return true }
    if let item, try isBlocked(Self.item, item[...], in: txn) { return true }
    if let shown = layout.shown {
      var items = ElementCursor(payload, shown)
      while let item = items.next() {
        if case .string(let item) = item, try isBlocked(Self.item, payload[item], in: txn) {
          return true
        }
      }
    }
    guard let item, let row = refusedItems.row(of: item) else { return false }
    if event.kind != .index, case .absent = layout.domain, !isPresent(item),
      try txn.find(tables.meta, row) != nil
    {
      return true
    }
    refusedItems.remove(item)
    return false
  }

  private func isPresent(_ item: [UInt8]) -> Bool {
    isThere[item] ?? (!hasDeletedAll && presence?(item) == true)
  }

  /// Notes what an event that was appended does to its item, or to all.
  ///
  /// What lies in a domain that it deletes is taken to be there as long as the transaction lasts.
  mutating func note(_ event: EncodedEvent) throws(CairnError) {
    let layout = try EventLayout(event.payload)
    let makes = event.kind == .index || event.kind == .view && layout.hasTitle(in: event.payload)
    guard makes || event.kind == .delete else { return }
    if let item = layout.item {
      isThere[Array(event.payload[item])] = makes
    } else if layout.all {
      isThere = [:]
      hasDeletedAll = true
    }
  }

  /// The row that blocks a domain or one above it.
  private func blockingRow(
    of domain: ArraySlice<UInt8>, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt8]? {
    for end in domain.indices where domain[end] == UInt8(ascii: ".") {
      if let row = try row(Self.domain, domain[..<end], in: txn) { return row }
    }
    return try row(Self.domain, domain, in: txn)
  }

  private func isBlocked(
    _ kind: UInt8, _ name: ArraySlice<UInt8>, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool { try row(kind, name, in: txn) != nil }

  /// The row that blocks a name; nil where none does.
  private func row(
    _ kind: UInt8, _ name: ArraySlice<UInt8>, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt8]? {
    let row = BlockedName(kind, name, keyed).rowKey
    return try txn.find(tables.meta, row) == nil ? nil : row
  }
}
