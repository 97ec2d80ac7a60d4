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
  init(_ generation: Generation, through sequence: UInt64, _ txn: borrowing ReadTransaction)
    throws(CairnError)
  {
    let itemCount = try generation.checkpoint(in: txn).itemCount
    var states = [UseState](repeating: UseState(), count: Int(itemCount))
    try generation.timeline.forEach(from: 1, through: sequence, in: txn) {
      (record) throws(CairnError) in
      guard record.item < itemCount else { return true }
      if record.startsAfresh { states[Int(record.item)] = UseState() }
      if let use = record.use { states[Int(record.item)].add(use) }
      return true
    }
    self.states = states
  }

  subscript(_ item: UInt32) -> UseState { states[Int(item)] }
}

extension TimelineRecord {
  /// The use that the event is, as the ranking counts it; nil for none.
  var use: Use? {
    guard item != ResolvedEvent.none, weight > 0 || isView else { return nil }
    return Use(
      timeMicroseconds: timeMicroseconds, recordedMicroseconds: recordedMicroseconds,
      weight: weight, isView: isView)
  }
}
