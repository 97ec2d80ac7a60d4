import Events
package import LMDB
package import Projections

/// Old versions that a horizon lets go.
extension Catalog {
  package struct CutRows: Hashable, Sendable {
    package var versionCount = 0
    /// Bytes of them and of merged attributes that only they have, with what LMDB keeps of a row.
    package var byteCount = 0

    package init() {}
  }

  /// How many rows a horizon lets go.
  /// - Complexity: O(versions), about 100 ns each.
  package func rows(before horizon: Horizon, in txn: borrowing ReadTransaction) throws(CairnError)
    -> CutRows
  {
    var rows = CutRows()
    let cut = try VersionCut(self, horizon, in: txn)
    try forEachHistory(from: 0, in: txn) { (item, versions) throws(CairnError) in
      let gone = cut.gone(versions)
      guard !gone.isEmpty else { return true }
      rows.versionCount += gone.count
      rows.byteCount += gone.reduce(0) { $0 + versions[$1].byteCount }
      rows.byteCount += try self.looseContents(of: item, without: gone, of: versions, in: txn)
        .reduce(0) { $0 + $1.byteCount }
      return true
    }
    return rows
  }

  /// Removes rows that a horizon lets go, of some items from an ordinal on: those with about
  /// `count` versions, so that nobody waits long for the transaction.
  /// - Returns: The item to go on with; nil after the last one.
  /// - Complexity: O(versions looked at).
  /// - Throws: `.corrupt` for a damaged row.
  package func cut(
    before horizon: Horizon, from first: UInt32, count: Int, _ checkpoint: inout Checkpoint,
    in txn: inout WriteTransaction
  ) throws(CairnError) -> UInt32? {
    let cut = try VersionCut(self, horizon, in: txn.reader)
    var found: [(item: UInt32, versions: [StoredVersion], gone: [Int])] = []
    var seen = 0
    var next: UInt32?
    try forEachHistory(from: first, in: txn.reader) { (item, versions) in
      guard seen < count else {
        next = item
        return false
      }
      seen += versions.count
      let gone = cut.gone(versions)
      if !gone.isEmpty { found.append((item, versions, gone)) }
      return true
    }
    var domainKeys: [UInt32: NameKey] = [:]
    for (item, versions, gone) in found {
      let key = try itemKey(item, in: txn.reader)
      for content in try looseContents(of: item, without: gone, of: versions, in: txn.reader) {
        try txn.delete(contents, content.key)
      }
      for index in gone {
        let state = versions[index].state
        let known = domainKeys[state.domain]
        let domain = if let known { known } else { try domainKey(state.domain, in: txn.reader) }
        domainKeys[state.domain] = domain
        checkpoint[Catalog.name].remove(state.digestRow(item: key, domain: domain))
        try txn.delete(
          self.versions, Self.versionKey(item: item, sequence: versions[index].sequence))
      }
    }
    return next
  }

  /// What LMDB keeps of a row beside key and value.
  private static let rowOverhead = 8

  struct StoredVersion {
    var sequence: UInt64
    var state: ItemState
    var byteCount: Int
  }

  /// Visits all versions of each item, newest first, in order of ordinals.
  private func forEachHistory(
    from first: UInt32, in txn: borrowing ReadTransaction,
    _ body: (UInt32, [StoredVersion]) throws(CairnError) -> Bool
  ) throws(CairnError) {
    var item = ResolvedEvent.none
    var history: [StoredVersion] = []
    var wantsMore = true
    try txn.scan(versions, from: Self.ordinalKey(first)) { (key, row) throws(CairnError) in
      let ordinal = key.loadBigEndian32(at: 0)
      if ordinal != item {
        if !history.isEmpty { wantsMore = try body(item, history) }
        history.removeAll(keepingCapacity: true)
        item = ordinal
      }
      history.append(
        StoredVersion(
          sequence: ~key.loadBigEndian64(at: 4), state: try ItemState(decoding: row),
          byteCount: key.byteCount + row.byteCount + Self.rowOverhead))
      return wantsMore
    }
    if wantsMore, !history.isEmpty { _ = try body(item, history) }
  }

  /// The rows of merged attributes that no version has which stays.
  private func looseContents(
    of item: UInt32, without gone: [Int], of versions: [StoredVersion],
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [(key: [UInt8], byteCount: Int)] {
    let leaving = Set(gone)
    var needed: Set<UInt64> = []
    for (index, version) in versions.enumerated() where !leaving.contains(index) {
      if version.state.content.isStored { needed.insert(version.state.content.base) }
    }
    var rows: [(key: [UInt8], byteCount: Int)] = []
    try txn.scan(contents, from: Self.ordinalKey(item)) { (key, row) in
      guard key.loadBigEndian32(at: 0) == item else { return false }
      if !needed.contains(key.loadBigEndian64(at: 4)) {
        rows.append((key.array(), key.byteCount + row.byteCount + Self.rowOverhead))
      }
      return true
    }
    return rows
  }
}

/// Which versions of an item a horizon lets go: a function of the log and the horizon alone,
/// however many earlier ones were applied before.
private struct VersionCut {
  private let all: UInt64
  private var domains: [UInt32: UInt64] = [:]

  init(_ catalog: Catalog, _ horizon: Horizon, in txn: borrowing ReadTransaction) throws(CairnError)
  {
    all = horizon.sequence
    for kept in horizon.domains {
      for domain in try catalog.domainOrdinals(within: Array(kept.key.utf8), in: txn) {
        domains[domain] = max(domains[domain] ?? all, kept.value)
      }
    }
  }

  /// The places of those that go, in a history that has the newest first.
  ///
  /// A version goes when another one took its place at the horizon or before. By the horizon of a
  /// domain it goes only when all before it have gone: so that each one that is left tells when it
  /// ended. The last one that has what a web page said stays, and so does the one that ended it.
  /// What a part had shows in its whole, which may be in a domain without a horizon.
  func gone(_ versions: [Catalog.StoredVersion]) -> [Int] {
    var gone: Set<Int> = []
    for index in versions.indices.dropFirst().reversed() {
      let state = versions[index].state
      let older = index + 1 < versions.count ? versions[index + 1].state : nil
      let newer = versions[index - 1]
      let endsLater = state.content.page != 0 && newer.state.content.page == 0
      let hasEnded = state.content.page == 0 && older.map { $0.content.page != 0 } ?? false
      guard !endsLater, !hasEnded else { continue }
      let follows = older.map { $0.versionCount == state.versionCount - 1 } ?? false
      let isOldest = !follows || gone.contains(index + 1)
      let limit = isOldest && !state.isPart ? domains[state.domain] ?? all : all
      if newer.sequence <= limit { gone.insert(index) }
    }
    return gone.sorted()
  }
}

/// Looking at a point before a horizon that only some domains have.
extension Catalog {
  /// Whether the version that an item had as of a sequence is there, or it had none then.
  ///
  /// Versions are counted, so that it shows when the first ones are gone.
  /// - Complexity: O(log *n*).
  package func isKept(_ item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction)
    throws(CairnError) -> Bool
  {
    let found = try state(of: item, asOf: sequence, in: txn)?.state.versionCount ?? 0
    var cursor = try txn.cursor(versions)
    let isLast = try cursor.seek(Self.versionKey(item: item, sequence: sequence)) == nil
    if isLast {
      guard let newer = try cursor.last() else { return true }
      return try Self.isNext(newer.key, newer.value, after: found, of: item)
    }
    guard let newer = try cursor.previous() else { return true }
    return try Self.isNext(newer.key, newer.value, after: found, of: item)
  }

  /// Whether a row is the version after so many of an item, or another item's.
  private static func isNext(_ key: RawSpan, _ row: RawSpan, after count: UInt32, of item: UInt32)
    throws(CairnError) -> Bool
  {
    guard key.loadBigEndian32(at: 0) == item else { return true }
    return try ItemState(decoding: row).versionCount == count + 1
  }
}
