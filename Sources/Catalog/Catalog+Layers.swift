package import LMDB

/// An item and what its web page said of it, now or last.
package struct ItemLayers {
  /// The item's ordinal.
  package var item: UInt32
  /// What it is now.
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
  /// - Complexity: O(parts · log *n*), at most 64 parts.
  package func together(
    with item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32] {
    guard let state = try state(of: item, asOf: sequence, in: txn)?.state else { return [item] }
    let whole = state.isPart ? state.whole : item
    let shown = state.isPart ? try self.state(of: whole, asOf: sequence, in: txn)?.state : state
    return [whole] + (shown?.content.parts.map(\.item) ?? [])
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
