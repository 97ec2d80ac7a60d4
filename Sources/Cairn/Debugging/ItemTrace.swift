import Catalog
import LMDB
import Projections
import Timeline

/// What one event left of an item.
public struct ItemStep: Sendable, Hashable {
  /// The event's sequence.
  public var sequence: UInt64
  /// What happened.
  public var kind: EventKind
  /// The item after it; nil where it is not there.
  public var item: Item?
  /// What the event changed, as ``ItemChange/fields`` has it.
  public var changes: [ItemChange.Field]
  /// Views that count after it, those of its parts included; of a part its own.
  public var viewCount: Int
  /// Its score in a ranking by use at that point; nil where it is not ranked.
  public var score: Double?
}

extension Store {
  /// How each event changed one item: its own, those of its parts, and deletions of its domain or
  /// of everything.
  /// - Parameters:
  ///   - item: The item's identifier.
  ///   - last: The last event that counts; nil for all.
  /// - Returns: One step for each event, oldest first; nil when no event ever named the item.
  /// - Complexity: O(events) of some 10 ns, and some microseconds for each step and
  ///   each part that the item has then; that of a rebuild where a horizon let versions go.
  /// - Throws: `noSuchPoint` beyond the head; `corrupt`, `io`; `busy` when purges keep coming.
  /// - Note: Blocks the calling thread.
  public func trace(_ item: String, through last: UInt64? = nil) throws(CairnError) -> [ItemStep]? {
    try askBetweenPurges { () throws(CairnError) in
      let head = try at(last.map { .sequence($0) } ?? .head)
      guard try log.horizon().keepsAll else {
        return try withPast(through: head.sequence) { (past) throws(CairnError) in
          try steps(of: item, through: head) { $0.asked(of: past) }
        }
      }
      let generation = try self.generation()
      return try steps(of: item, through: head) { $0.begun(with: generation) }
    }
  }

  private func steps(
    of item: String, through head: Moment, _ asked: (Moment) -> Moment
  ) throws(CairnError) -> [ItemStep]? {
    let touched = try asked(head).read { (view, txn) throws(CairnError) in
      try Self.touches(of: item, head.sequence, view, txn)
    }
    guard let touched = touched.flatMap({ $0 }) else { return nil }
    var steps: [ItemStep] = []
    var before: Item?
    for touch in touched {
      let moment = asked(try at(.sequence(touch.sequence)))
      let after = try moment.item(item)
      let use = try moment.use(of: item, alone: after == nil)
      steps.append(
        ItemStep(
          sequence: touch.sequence, kind: touch.kind, item: after,
          changes: ItemChange.fields(from: before, to: after), viewCount: use?.viewCount ?? 0,
          score: after == nil ? nil : try moment.frecency(of: item)))
      before = after
    }
    return steps
  }

  private struct Touch {
    var sequence: UInt64
    var kind: EventKind
  }

  private static func touches(
    of item: String, _ last: UInt64, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [Touch]? {
    let catalog = view.generation.catalog
    guard let ordinal = try catalog.ordinal(of: Array(item.utf8), in: txn) else { return nil }
    var made: Set<UInt64> = []
    // What was ever a part of it, or of such a part.
    var parts: Set<UInt32> = []
    var next = [ordinal]
    while let item = next.popLast() {
      try catalog.forEachVersion(of: item, asOf: last, in: txn) { (sequence, state) in
        if item == ordinal { made.insert(sequence) }
        for part in state.content.parts where parts.insert(part.item).inserted {
          next.append(part.item)
        }
      }
    }
    var touches: [Touch] = []
    try view.generation.timeline.forEach(from: 1, through: last, in: txn) {
      (record) throws(CairnError) in
      var isTouched = record.item == ordinal || made.contains(record.sequence)
      if !isTouched, parts.contains(record.item) {
        isTouched = try catalog.together(with: ordinal, asOf: record.sequence, in: txn)
          .contains(record.item)
      }
      guard isTouched, let kind = EventKind(rawValue: record.kind) else { return true }
      touches.append(Touch(sequence: record.sequence, kind: kind))
      return true
    }
    return touches.isEmpty ? nil : touches
  }
}
