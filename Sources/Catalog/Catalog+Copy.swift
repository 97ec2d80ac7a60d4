package import LMDB
package import Projections

extension Catalog {
  /// Copies this catalog into an empty one, without what an erasure takes.
  ///
  /// Ordinals stay, those of items that go are never given again. The rows are those of a fold that
  /// never saw the erased events, because no version of an item that stays was made by one.
  /// - Returns: False when one was: then only a fold can tell what the item would be.
  /// - Complexity: O(rows).
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like.
  package func copy(
    to copy: Catalog, through writer: RowWriter, without erasure: Erasure, _ names: CatalogNames,
    _ checkpoint: inout Checkpoint, from txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    guard
      let changes = try copyVersions(to: copy, writer, erasure, names, &checkpoint, txn)
    else { return false }
    checkpoint.hasExpiry = changes.values.contains { $0.earliestExpiry != nil }
    let lost = changes.values.reduce(0) { $0 - $1.present }
    checkpoint.presentCount &-= UInt32(truncatingIfNeeded: lost)
    try writer.copyRows(of: items, in: txn, to: copy.items) {
      (key, row, batch) throws(CairnError) in
      if !erasure.isGone(item: try Self.readOrdinal(row)) { batch.append(key, row) }
    }
    try copyNames(to: copy.names, writer, erasure, txn)
    try writer.copyRows(of: contents, in: txn, to: copy.contents) {
      (key, row, batch) throws(CairnError) in
      if !erasure.isGone(item: try Self.ordinal(key, at: 0)) { batch.append(key, row) }
    }
    try writer.copyRows(of: domains, in: txn, to: copy.domains) {
      (key, row, batch) throws(CairnError) in
      if !erasure.isGone(domain: try Self.readOrdinal(row)) { batch.append(key, row) }
    }
    try writer.copyRows(of: domainNames, in: txn, to: copy.domainNames) {
      (key, row, batch) throws(CairnError) in
      if !erasure.isGone(domain: try Self.ordinal(key, at: 0)) { batch.append(key, row) }
    }
    try writer.copyRows(of: members, in: txn, to: copy.members) {
      (key, row, batch) throws(CairnError) in
      let number = try Self.ordinal(key, at: 4)
      guard number == ResolvedEvent.none else {
        let kept = try Self.members(row, number, without: erasure)
        if let kept { batch.append(key, kept.rawSpan) }
        return
      }
      let domain = try Self.ordinal(key, at: 0)
      guard let count = try Self.count(row, changes[domain]) else { return }
      batch.append(key, count.rawSpan)
    }
    return true
  }

  /// Copies the versions; nil when one that stays was made by an event that goes.
  ///
  /// Gives how many present items each domain loses, as negative counts, and the earliest expiry
  /// of the versions that stay.
  private func copyVersions(
    to copy: Catalog, _ writer: RowWriter, _ erasure: Erasure, _ names: CatalogNames,
    _ checkpoint: inout Checkpoint, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32: PresenceCount]? {
    var digest = checkpoint[Catalog.name]
    var changes: [UInt32: PresenceCount] = [:]
    var needsFold = false
    // The newest version of an item comes first.
    var last = ResolvedEvent.none
    let asksExpiry = checkpoint.hasExpiry
    let asksEnds = checkpoint.hasEndingParts
    checkpoint.hasEndingParts = false
    try writer.copyRows(of: versions, in: txn, to: copy.versions) {
      (key, row, batch) throws(CairnError) in
      let item = try Self.ordinal(key, at: 0)
      defer { last = item }
      guard erasure.isGone(item: item) else {
        if erasure.contains(~key.loadBigEndian64(at: 4)) { needsFold = true }
        if try ItemState.relies(row, on: erasure) { needsFold = true }
        if asksExpiry {
          let state = try ItemState(decoding: row)
          if state.expires != nil {
            changes[state.domain, default: PresenceCount()].note(expiry: state.expires)
          }
          if asksEnds, try !endings(of: item, state, in: txn).isEmpty {
            checkpoint.hasEndingParts = true
          }
        }
        return batch.append(key, row)
      }
      let state = try ItemState(decoding: row)
      if item != last, state.isPresent {
        changes[state.domain, default: PresenceCount()].present -= 1
      }
      let hash = state.digestRow(
        item: try names.itemKey(item), domain: try names.domainKey(state.domain))
      digest.remove(hash)
    }
    checkpoint[Catalog.name] = digest
    return needsFold ? nil : changes
  }

  /// The row of a domain's count after a change; nil where nothing is left to say.
  private static func count(_ row: RawSpan, _ change: PresenceCount?) throws(CairnError) -> [UInt8]?
  {
    var count = try PresenceCount(decoding: row)
    count.earliestExpiry = nil
    if let change { count.add(change) }
    return count == PresenceCount() ? nil : try count.encoded()
  }

  private static func ordinal(_ key: RawSpan, at offset: Int) throws(CairnError) -> UInt32 {
    guard key.byteCount >= offset + 4 else {
      throw CairnError(.corrupt, "a key of the catalog is too short", remedy: .rebuild)
    }
    return key.loadBigEndian32(at: offset)
  }
}
