import Catalog
import Columns
import LMDB
import Projections

/// Tells which matches of a search are wanted: by domain, expiry and filter.
struct ItemAcceptance {
  private let moment: Moment
  private let subtree: Set<UInt32>?
  private var filter: Filter?
  private let match: ColumnMatch?
  private let generation: Generation
  private let lens: SchemaLens?
  private let hasExpiry: Bool

  init(
    _ moment: Moment, subtree: Set<UInt32>?, _ filter: Filter?, _ match: ColumnMatch?,
    _ view: borrowing Moment.View
  ) {
    self.moment = moment
    self.subtree = subtree
    self.filter = filter
    self.match = match
    generation = view.generation
    lens = view.lens
    hasExpiry = view.checkpoint.hasExpiry
  }

  var acceptsAll: Bool { match == nil && filter == nil && subtree == nil && !hasExpiry }

  /// Whether a match is wanted; the item is only looked at where nothing else tells.
  mutating func accepts(_ item: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError) -> Bool
  {
    if let match, !match.items.contains(item) { return false }
    let asksFilter = filter != nil && match?.isOpen(item) ?? true
    guard asksFilter || subtree != nil || hasExpiry else { return true }
    guard let version = try generation.catalog.state(of: item, asOf: moment.sequence, in: txn),
      moment.isPresent(version.state), subtree?.contains(version.state.domain) ?? true
    else { return false }
    guard asksFilter else { return true }
    return try filter?.passes(item, version.state, generation, lens, moment.store, txn) ?? true
  }
}
