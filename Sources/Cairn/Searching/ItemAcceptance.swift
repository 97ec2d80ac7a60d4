import Catalog
import Columns
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
    if let touched, try !isOne(of: touched, item, txn) { return false }
    let asksFilter = filter != nil && match?.isOpen(item) ?? true
    guard asksFilter || subtree != nil || hasExpiry else { return true }
    guard let version = try generation.catalog.state(of: item, asOf: moment.sequence, in: txn),
      moment.isPresent(version.state), subtree?.contains(version.state.domain) ?? true
    else { return false }
    guard asksFilter else { return true }
    return try filter?.passes(item, version.state, generation, lens, moment.store, txn) ?? true
  }

  /// Whether an item or a part of it is one of some.
  private func isOne(
    of items: ItemSet, _ item: UInt32, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    if items.contains(item) { return true }
    let catalog = generation.catalog
    guard let version = try catalog.state(of: item, asOf: moment.sequence, in: txn),
      !version.state.content.parts.isEmpty
    else { return false }
    return try catalog.owners(of: item, version.state.content, in: txn)
      .contains { items.contains($0.item) }
  }
}

extension Moment.View {
  /// The items that were told of, changed or used in a span of time.
  /// - Complexity: O(events), some 10 ns each.
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
    return items
  }
}
