import Catalog
import LMDB
import Projections
import Timeline

/// Tells which matches of a search are wanted: by domain, expiry, time and filter.
struct ItemAcceptance {
  private let moment: Moment
  private let subtree: Set<UInt32>?
  private var filter: Filter?
  private let match: ColumnMatch?
  private let touched: ItemSet?
  private let generation: Generation
  private let lens: SchemaLens?
  private let hasExpiry: Bool

  init(
    _ moment: Moment, subtree: Set<UInt32>?, _ filter: Filter?, _ match: ColumnMatch?,
    touched: ItemSet?, _ view: borrowing Moment.View
  ) {
    self.moment = moment
    self.subtree = subtree
    self.filter = filter
    self.match = match
    self.touched = touched
    generation = view.generation
    lens = view.lens
    hasExpiry = view.checkpoint.hasExpiry
  }

  var acceptsAll: Bool {
    match == nil && filter == nil && subtree == nil && touched == nil && !hasExpiry
  }

  /// Whether a match is wanted; the item is only looked at where nothing else tells.
  mutating func accepts(_ item: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError) -> Bool
  {
    if let match, !match.items.contains(item) { return false }
    if let touched, !touched.contains(item) { return false }
    let asksFilter = filter != nil && match?.isOpen(item) ?? true
    guard asksFilter || subtree != nil || hasExpiry else { return true }
    guard let version = try generation.catalog.state(of: item, asOf: moment.sequence, in: txn),
      moment.isPresent(version.state), subtree?.contains(version.state.domain) ?? true
    else { return false }
    guard asksFilter else { return true }
    return try filter?.passes(item, version.state, generation, lens, moment.store, txn) ?? true
  }
}

extension Moment.View {
  /// The items that were told of, changed or used in a span of time, or of which a part was.
  /// - Complexity: O(events), some 10 ns each, and O(items found), some 1 µs each, up to
  ///   O(versions), about 50 ns each.
  func items(touchedWithin span: ClosedRange<Timestamp>, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> ItemSet
  {
    var items = ItemSet()
    let times = span.lowerBound.microseconds...span.upperBound.microseconds
    let kinds = Set([EventKind.index, .update, .view, .select, .extend].map(\.rawValue))
    try generation.timeline.forEach(from: 1, through: sequence, in: txn) { record in
      if record.item < checkpoint.itemCount, times.contains(record.timeMicroseconds),
        kinds.contains(record.kind)
      {
        items.insert(record.item)
      }
      return true
    }
    try addWholes(to: &items, txn)
    return items
  }

  /// Adds the items of which some are parts.
  private func addWholes(to items: inout ItemSet, _ txn: borrowing ReadTransaction)
    throws(CairnError)
  {
    let parts = items.items
    guard parts.count > Int(checkpoint.itemCount) / Self.versionsPerLookup else {
      for part in parts {
        let whole = try generation.catalog.whole(of: part, asOf: sequence, in: txn)
        if let whole { items.insert(whole.item) }
      }
      return
    }
    let wholes = try wholes(txn)
    guard !wholes.isEmpty else { return }
    for part in parts {
      var item = part
      // A part of a part is the most there is.
      for _ in 0..<2 {
        item = wholes[item] ?? item
        items.insert(item)
      }
    }
  }

  /// Versions that are read one by one in the time that it takes to look one up.
  private static let versionsPerLookup = 20

  /// Every item that is a part of another one, with that.
  /// - Complexity: O(versions), about 50 ns each.
  func wholes(_ txn: borrowing ReadTransaction) throws(CairnError) -> [UInt32: UInt32] {
    var wholes: [UInt32: UInt32] = [:]
    try generation.catalog.forEachState(asOf: sequence, in: txn) { (item, _, state) in
      if state.isPart { wholes[item] = state.whole }
    }
    return wholes
  }
}
