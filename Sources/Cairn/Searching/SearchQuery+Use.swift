import Catalog
import LMDB
import Projections
import Ranking
import TextIndex
import Timeline

/// Order by use: matches are not scored but where their score is shown.
extension SearchQuery {
  /// The first matches by last use or by frecency, or all.
  ///
  /// - Complexity: O(matches), some microseconds each.
  mutating func inOrderOfUse(
    _ wanted: Int?, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TextIndex.Hit] {
    if let wanted {
      let items = try matchedItems(view, txn)
      return try hits(of: try inOrderOfUse(wanted, items, view, txn), view, txn)
    }
    var hits: [UInt32: TextIndex.Hit] = [:]
    for hit in try matches(nil, view, txn) { hits[hit.item] = hit }
    return try inOrderOfUse(hits.count, Array(hits.keys), view, txn).compactMap { hits[$0] }
  }

  private func inOrderOfUse(
    _ count: Int, _ items: [UInt32], _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32] {
    guard request.sort == .frequent else { return try inOrderOfTime(count, items, view, txn) }
    var keyed: [KeyedItems.Entry] = []
    keyed.reserveCapacity(items.count)
    let (now, amplitudes) = (moment.rankingClock.microseconds, moment.scales.amplitudes)
    for item in items {
      let frecency = try ranker.use(item, txn).frecency
      let key = frecency.logarithm(atMicroseconds: now, amplitudes: amplitudes)
      keyed.append((~Self.code(key), item))
    }
    return try KeyedItems(keyed).first(count) { (items, count) throws(CairnError) in
      try inOrderOfTime(count, items, view, txn)
    }
  }

  private func inOrderOfTime(
    _ count: Int, _ items: [UInt32], _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32] {
    var keyed: [KeyedItems.Entry] = []
    keyed.reserveCapacity(items.count)
    func add(_ item: UInt32, _ time: Int64) {
      keyed.append((~(UInt64(bitPattern: time) ^ 1 << 63), item))
    }
    var unused = ItemSet()
    for item in items {
      let use = try ranker.use(item, txn)
      // A choice or an edit is a use and no view.
      let last = max(use.lastViewedMicroseconds, use.frecency.referenceMicroseconds)
      if last == .min { unused.insert(item) } else { add(item, last) }
    }
    try forEachChange(of: unused, view.generation, txn, add)
    return try KeyedItems(keyed).first(count) { (items, count) throws(CairnError) in
      try view.inOrderOfNames(count, of: items, txn)
    }
  }

  /// A whole number that orders as a number does.
  private static func code(_ number: Double) -> UInt64 {
    // Of minus zero this makes zero.
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// Visits items with the time of their last change; the rows are read in their order, as most of
  /// what is found was never used.
  private func forEachChange(
    of items: ItemSet, _ generation: Generation, _ txn: borrowing ReadTransaction,
    _ body: (_ item: UInt32, _ time: Int64) -> Void
  ) throws(CairnError) {
    var changes: [(sequence: UInt64, item: UInt32)] = []
    var left = items
    try generation.catalog.forEachState(of: items, asOf: moment.sequence, in: txn) {
      (item, sequence, _) in changes.append((sequence, item))
    }
    changes.sort { $0.sequence < $1.sequence }
    try generation.timeline.forEach(of: changes.map(\.sequence), in: txn) { (place, record) in
      left.remove(changes[place].item)
      body(changes[place].item, record.timeMicroseconds)
    }
    try left.forEach { (item) throws(CairnError) in body(item, .min) }
  }
}
