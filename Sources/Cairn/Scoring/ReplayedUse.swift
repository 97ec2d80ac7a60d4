import LMDB
import Projections
import Ranking
import Timeline

/// Every item's use as of a past sequence, folded anew from the timeline.
///
/// The same folds in the same order as the ranking projection made, hence the same bits.
struct ReplayedUse {
  /// Where the state of an item is, by ordinal; 0 for one that was never used.
  private var places: [UInt32]
  /// The first one is nobody's: most items are never used, and a state takes as much room as 20
  /// places.
  private var states = [UseState()]

  /// Folds the timeline.
  /// - Complexity: O(events), some 30 ns for each that is a use and 10 ns for others; O(items)
  ///   memory, 4 bytes each, and 76 for each that was used.
  ///
  /// With a span, what happened at another time is no use.
  init(
    _ generation: Generation, through sequence: UInt64, within span: ClosedRange<Int64>? = nil,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let itemCount = try generation.checkpoint(in: txn).itemCount
    var places = [UInt32](repeating: 0, count: Int(itemCount))
    var states = states
    try generation.timeline.forEach(from: 1, through: sequence, in: txn) {
      (record) throws(CairnError) in
      guard record.item < itemCount else { return true }
      var place = Int(places[Int(record.item)])
      if record.startsAfresh, place != 0 { states[place] = UseState() }
      guard let use = record.use, span?.contains(use.timeMicroseconds) ?? true else { return true }
      if place == 0 {
        place = states.count
        places[Int(record.item)] = UInt32(place)
        states.append(UseState())
      }
      states[place].add(use)
      return true
    }
    (self.places, self.states) = (places, states)
  }

  /// An item's use; the empty one where there is none.
  func state(of item: UInt32) -> UseState {
    Int(item) < places.count ? states[Int(places[Int(item)])] : UseState()
  }

  /// Visits every item that was used since it came last, in order of ordinals.
  func forEach(_ body: (UInt32, UseState) throws(CairnError) -> Void) throws(CairnError) {
    for (item, place) in places.enumerated() where place != 0 {
      let state = states[Int(place)]
      if state.frecency != Frecency() || state.viewCount > 0 { try body(UInt32(item), state) }
    }
  }
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
