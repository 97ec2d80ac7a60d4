import LMDB
import Projections
import Ranking
import Timeline

/// Every item's use as of a past sequence, folded anew from the timeline.
///
/// The same folds in the same order as the ranking projection made, hence the same bits.
struct PastUse {
  /// State by ordinal.
  private(set) var states: [UseState]

  /// Folds the timeline.
  ///
  /// - Complexity: O(events), some 30 ns each, and O(items) memory.
  init(
    _ generation: Generation,
    through sequence: UInt64,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    let itemCount = try generation.checkpoint(in: txn).itemCount
    var states = [UseState](repeating: UseState(), count: Int(itemCount))
    try generation.timeline.forEach(from: 1, through: sequence, in: txn) {
      (record) throws(StorageError) in
      guard record.item < itemCount else { return true }
      if record.startsAfresh { states[Int(record.item)] = UseState() }
      if record.weight > 0 || record.isView {
        states[Int(record.item)].add(
          Use(
            timeMicroseconds: record.timeMicroseconds,
            recordedMicroseconds: record.recordedMicroseconds,
            weight: record.weight,
            isView: record.isView
          )
        )
      }
      return true
    }
    self.states = states
  }

  subscript(_ item: UInt32) -> UseState { states[Int(item)] }
}
