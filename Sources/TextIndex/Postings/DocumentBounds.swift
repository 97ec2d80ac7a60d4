internal import LMDB
internal import Synchronization

/// By document, the level of its item's bonus, so that postings are told apart as they are read.
///
/// Of an item whose level changed only the present document follows: those of the past, where any
/// version may be asked for, are made anew then.
struct DocumentBounds: Sendable {
  /// Of merged documents, by number.
  private var levels: [UInt8] = [0]
  /// The greatest of each row of the columns; of a level that fell, what it was.
  private var peaks: [UInt8] = []
  private var items: TextIndex.BonusBounds
  private let epoch: UInt64

  func peak(of range: ClosedRange<UInt32>) -> UInt8 {
    guard range.upperBound < levels.count else { return .max }
    let rows = ColumnBlock.number(of: range.lowerBound)...ColumnBlock.number(of: range.upperBound)
    return peaks[Int(rows.lowerBound)...Int(rows.upperBound)].max() ?? .max
  }

  @inline(__always) func level(of document: UInt32) -> UInt8 {
    document < levels.count ? levels[Int(document)] : .max
  }

  /// Reads the columns of all merged documents.
  /// - Complexity: O(documents), some 5 ns each.
  private init(
    _ items: TextIndex.BonusBounds, _ state: IndexState, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) {
    self.items = items
    epoch = state.epoch
    try readColumns(state, txn, tables)
  }

  private mutating func readColumns(
    _ state: IndexState, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    guard levels.count <= state.mergedDocument else { return }
    let (start, last) = (UInt32(levels.count), state.mergedDocument)
    levels.append(contentsOf: repeatElement(0, count: Int(last - start) + 1))
    peaks.append(
      contentsOf: repeatElement(0, count: Int(ColumnBlock.number(of: last)) + 1 - peaks.count))
    let known = items.levels
    try ColumnBlock.forEach(in: start...last, txn, tables) { (first, found) in
      let known = known.span
      for index in found.indices where found[index] < known.count {
        let level = known[Int(found[index])]
        if level > 0 { set(first + UInt32(index), level) }
      }
    }
  }

  private mutating func set(_ document: UInt32, _ level: UInt8) {
    levels[Int(document)] = level
    let row = Int(ColumnBlock.number(of: document))
    peaks[row] = max(peaks[row], level)
  }

  /// Follows the items whose level changed; false when they are too many, or in the past.
  private mutating func follow(
    _ now: TextIndex.BonusBounds, isPast: Bool, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) -> Bool {
    guard now.version != items.version else { return true }
    if isPast { return false }
    let before = items.levels
    var changed: [UInt32] = []
    for item in now.levels.indices where item >= before.count || now.levels[item] != before[item] {
      guard now.levels[item] > 0 || item < before.count else { continue }
      guard changed.count < IndexLimits.changedBoundCount else { return false }
      changed.append(UInt32(item))
    }
    items = now
    var table = ItemTable()
    for item in changed {
      let document = try table.entry(item, txn, tables).document
      if document > 0, document < levels.count { set(document, now.level(of: item)) }
    }
    return true
  }

  /// What was made last, for the queries of a process.
  final class Cache: Sendable {
    /// By whether it is of the past.
    private let last = Mutex<[Bool: DocumentBounds]>([:])
    /// Postings that were visited without bounds.
    private let postingCount = Atomic<UInt64>(0)

    /// The bounds of a point; nil while they are not worth it, and for a past one where it is not
    /// known which item shows the text of another.
    func bounds(
      _ items: TextIndex.BonusBounds, _ facts: DocumentVisibility, postingCount: UInt64,
      _ txn: borrowing ReadTransaction
    ) throws(CairnError) -> DocumentBounds? {
      let (state, tables) = (facts.state, facts.tables)
      let isPast = facts.asOf != nil
      guard state.mergedDocument > 0, !isPast || facts.standing?.text == nil else { return nil }
      var bounds: DocumentBounds
      if let known = last.withLock({ $0[isPast] }), known.epoch == state.epoch,
        known.items.version <= items.version
      {
        let isCurrent =
          known.items.version == items.version && known.levels.count > state.mergedDocument
        if isCurrent { return known }
        bounds = known
        if try bounds.follow(items, isPast: isPast, txn, tables) {
          try bounds.readColumns(state, txn, tables)
        } else {
          bounds = try DocumentBounds(items, state, txn, tables)
        }
      } else {
        // As of the levels of items: when as much was spent without.
        let visited = self.postingCount.add(postingCount, ordering: .relaxed).newValue
        guard visited >= UInt64(state.mergedDocument) / IndexLimits.boundedDocumentCount else {
          return nil
        }
        bounds = try DocumentBounds(items, state, txn, tables)
      }
      last.withLock { $0[isPast] = bounds }
      return bounds
    }
  }
}
