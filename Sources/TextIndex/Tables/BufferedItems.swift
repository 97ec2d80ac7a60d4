internal import LMDB
internal import Projections

/// The entries of the items that buffered documents and delta tombstones changed, which the table
/// of items does not show yet.
///
/// Rows of the table stand in no order of time: put there by merges, many share a page and none is
/// written with every change.
struct BufferedItems: Sendable {
  /// Of which state the entries are.
  private struct Moment: Hashable {
    var epoch: UInt64
    var nextDocument: UInt32
    var mergedDocument: UInt32
    var endCount: UInt32
    var foldedTombstoneCount: UInt32
    /// Tells states that another process made from those of a transaction that was given up.
    var digest: RowDigest

    init(_ state: IndexState) {
      epoch = state.epoch
      nextDocument = state.nextDocument
      mergedDocument = state.mergedDocument
      endCount = state.endCount
      foldedTombstoneCount = state.foldedTombstoneCount
      digest = state.digest
    }
  }

  private(set) var entries: [UInt32: ItemEntry] = [:]
  private var moment: Moment?

  /// Of no state.
  init() {}

  /// Reads those of a state.
  /// - Complexity: O(buffered documents and delta tombstones).
  /// - Throws: `.corrupt` for a damaged row.
  init(_ state: IndexState, _ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError)
  {
    var table = ItemTable()
    var pending = try txn.cursor(tables.pending)
    while let row = try pending.next() {
      if Tombstone.isKey(row.key) {
        let end = try Tombstone(row.key, row.value)
        var entry: ItemEntry
        if let known = entries[end.item] {
          entry = known
        } else {
          entry = try table.entry(end.item, txn, tables)
        }
        // A later version may be merged already.
        guard entry.document == end.document else { continue }
        entry.document = 0
        entries[end.item] = entry
      } else {
        guard row.key.byteCount == 6 else { throw DocumentRecord.damaged }
        guard row.key.loadBigEndian16(at: 4) == 0 else { continue }
        var reader = ByteReader(row.value)
        // The byte count of the whole record comes before its header.
        _ = try reader.readBigEndian32()
        let item = try DocumentRecord.readHeader(&reader).item
        let version = try DocumentRecord.readVersion(&reader)
        entries[item] = ItemEntry(row.key.loadBigEndian32(at: 0), version)
      }
    }
    settle(at: state)
  }

  subscript(item: UInt32) -> ItemEntry? {
    get { entries[item] }
    set { entries[item] = newValue }
  }

  /// Whether these are the entries of a state.
  func areSettled(at state: IndexState) -> Bool { moment == Moment(state) }

  /// Notes of which state the entries are now.
  mutating func settle(at state: IndexState) { moment = Moment(state) }
}
