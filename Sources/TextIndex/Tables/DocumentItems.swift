internal import LMDB
internal import Synchronization

/// By merged document, the item it is the present version of.
///
/// Of the present: ended documents have none.
struct DocumentItems: Sendable {
  /// Stands for a document that has ended.
  static let none = UInt32.max

  private var items: [UInt32] = [none]
  private let epoch: UInt64
  private let stamp: UInt64
  private let endCount: UInt32

  /// The item of a merged document.
  @inline(__always) func item(_ document: UInt32) -> UInt32 {
    Int(document) < items.count ? items[Int(document)] : Self.none
  }

  /// Whether it is that of a state.
  private func fits(_ state: IndexState) -> Bool {
    epoch == state.epoch && stamp == state.stamp && endCount == state.foldedTombstoneCount
      && items.count == Int(state.mergedDocument) + 1
  }

  /// Reads the columns of all merged documents.
  /// - Complexity: O(documents), some 5 ns each.
  private init(_ state: IndexState, _ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError)
  {
    (epoch, stamp, endCount) = (state.epoch, state.stamp, state.foldedTombstoneCount)
    items.reserveCapacity(Int(state.mergedDocument) + 1)
    var next: UInt32 = 0
    var block = ColumnBlock()
    try txn.scan(tables.columns) { (key, row) throws(CairnError) in
      guard key.byteCount == 4, key.loadBigEndian32(at: 0) == next else {
        throw DocumentRecord.damaged
      }
      try block.load(row)
      let first = max(1, ColumnBlock.document(next, 0))
      let end = min(state.mergedDocument, ColumnBlock.document(next + 1, 0) - 1)
      if first <= end {
        for document in first...end {
          let slot = ColumnBlock.slot(of: document)
          items.append(block.isLive(slot) ? try block.item(slot) : Self.none)
        }
      }
      next += 1
      return end < state.mergedDocument
    }
    guard items.count == Int(state.mergedDocument) + 1 else { throw DocumentRecord.damaged }
  }

  /// What was read last, for the queries of a process.
  final class Cache: Sendable {
    private let last = Mutex<DocumentItems?>(nil)
    /// Postings whose documents were looked up one by one.
    private let postingCount = Atomic<UInt64>(0)

    /// The items of the present; nil for a past point, and while they are not worth reading.
    func items(
      _ facts: DocumentVisibility, postingCount: UInt64, _ txn: borrowing ReadTransaction
    ) throws(CairnError) -> DocumentItems? {
      let state = facts.state
      guard facts.asOf == nil, state.mergedDocument > 0 else { return nil }
      if let known = last.withLock({ $0 }), known.fits(state) { return known }
      let visited = self.postingCount.add(postingCount, ordering: .relaxed).newValue
      guard visited >= UInt64(state.mergedDocument) / IndexLimits.boundedDocumentCount else {
        return nil
      }
      let read = try DocumentItems(state, txn, facts.tables)
      last.withLock { $0 = read }
      return read
    }
  }
}
