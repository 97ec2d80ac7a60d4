package import Events
package import LMDB

/// An item and what its web page said of it, now or last.
package struct ItemLayers {
  package var item: UInt32
  package var state: ItemState
  /// Sequence of the last event that said what its page says; 0 for none.
  package var page: UInt64
  /// Sequence of the event that took that away; nil where it still holds.
  package var end: UInt64?
}

extension Catalog {
  /// The items that are shown as one with an item as of a sequence: the whole first, then its
  /// parts; the item alone for most.
  ///
  /// - Complexity: O(parts · log *n*).
  package func together(
    with item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32] {
    guard let whole = try whole(of: item, asOf: sequence, in: txn) else { return [item] }
    return try owners(of: whole.item, whole.state.content, in: txn).map(\.item)
  }

  /// The item that is shown where an item is asked for: itself, or the one of which it is a part;
  /// nil where it never was.
  ///
  /// - Complexity: O(log *n*).
  package func whole(
    of item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> (item: UInt32, sequence: UInt64, state: ItemState)? {
    var shown = item
    var version = try state(of: item, asOf: sequence, in: txn)
    // A part of a part is the most there is.
    for _ in 0..<2 {
      guard let state = version?.state, state.isPart else { break }
      shown = state.whole
      version = try self.state(of: shown, asOf: sequence, in: txn)
    }
    return version.map { (shown, $0.sequence, $0.state) }
  }

  /// What the content of an item comes from: its own sources, then those of its parts and of
  /// theirs, each once; where a clock is given, without the parts that have ended by it.
  ///
  /// Of a part `end` is when it expires, or an earlier part of which it is one does.
  package func owners(
    of item: UInt32, _ content: ContentSource, at clock: Timestamp? = nil,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [(item: UInt32, content: ContentSource, end: Timestamp?)] {
    var owners: [(item: UInt32, content: ContentSource, end: Timestamp?)] = [(item, content, nil)]
    var seen: Set = [item]
    var next = 0
    while next < owners.count {
      let end = owners[next].end
      for part in owners[next].content.parts where seen.insert(part.item).inserted {
        guard let version = try state(of: part.item, asOf: part.sequence, in: txn) else { continue }
        let own = version.state.expires
        let first = own.map { own in end.map { min($0, own) } ?? own } ?? end
        if let first, let clock, first <= clock { continue }
        owners.append((part.item, version.state.content, first))
      }
      next += 1
    }
    return owners
  }

  /// The parts of an item that end before it does, the first first.
  ///
  /// What the item shows until then is a text of its own, and the index has it as that of the part,
  /// which has no other one.
  package func endings(
    of item: UInt32, _ state: ItemState, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [(part: UInt32, end: Timestamp)] {
    guard state.isPresent, !state.content.parts.isEmpty else { return [] }
    var endings: [(part: UInt32, end: Timestamp)] = []
    for owner in try owners(of: item, state.content, in: txn) {
      guard let end = owner.end, state.expires.map({ end < $0 }) ?? true else { continue }
      // Of parts that end at once the first has the text: ordinals are others after a purge.
      if !endings.contains(where: { $0.end == end }) { endings.append((owner.item, end)) }
    }
    return endings.sorted { $0.end < $1.end }
  }

  /// Under which item the index has the text that a present one shows by a clock.
  package func text(
    of item: UInt32, _ state: ItemState, at clock: Timestamp, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> UInt32 {
    try endings(of: item, state, in: txn).first { clock < $0.end }?.part ?? item
  }

  /// Visits every item ever named, in order of ordinals.
  /// - Complexity: O(versions), about 50 ns each.
  package func forEachLayers(
    in txn: borrowing ReadTransaction, _ body: (ItemLayers) throws(CairnError) -> Void
  ) throws(CairnError) {
    var found: ItemLayers?
    var later: UInt64 = 0
    try txn.scan(versions) { (key, row) throws(CairnError) in
      let item = key.loadBigEndian32(at: 0)
      let sequence = ~key.loadBigEndian64(at: 4)
      if item != found?.item {
        if let found { try body(found) }
        let state = try ItemState(decoding: row)
        found = ItemLayers(item: item, state: state, page: state.content.page, end: nil)
      } else if found?.page == 0 {
        // The newest version comes first: the one before this one ended what this one says.
        found?.page = try ItemState(decoding: row).content.page
        found?.end = later
      }
      later = sequence
      return true
    }
    if let found { try body(found) }
  }
}
