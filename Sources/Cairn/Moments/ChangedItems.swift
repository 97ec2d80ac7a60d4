import Catalog
import LMDB
import Projections
import Timeline

/// The items that may differ between two moments: those that an event in between touched, and those
/// that expired meanwhile.
struct ChangedItems {
  private let earlier: Moment
  private let later: Moment

  /// Their identifiers, in byte order.
  /// - Complexity: As ``Store/forEachChange(from:to:domain:after:_:)``.
  static func names(between one: Moment, and other: Moment, of extent: Moment.Extent)
    throws(CairnError) -> [[UInt8]]
  {
    let isInOrder = one.sequence <= other.sequence
    let changed = ChangedItems(
      earlier: isInOrder ? one : other, later: isInOrder ? other : one)
    let names = try changed.later.read(of: extent) { (view, txn) throws(CairnError) in
      var names: [[UInt8]] = []
      for item in try changed.items(view, txn) {
        names.append(try view.generation.catalog.name(of: item, in: txn))
      }
      return names
    }
    return (names ?? []).sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func items(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Set<UInt32>
  {
    let catalog = view.generation.catalog
    var touched: Set<UInt32> = []
    var deletedDomains: Set<UInt32> = []
    var deletesAll = false
    if earlier.sequence < later.sequence {
      try view.generation.timeline.forEach(
        from: earlier.sequence + 1, through: later.sequence, in: txn
      ) { (record) throws(CairnError) in
        if record.item != ResolvedEvent.none {
          touched.insert(record.item)
        } else if record.kind == EventKind.delete.rawValue {
          if record.domain == ResolvedEvent.none {
            deletesAll = true
          } else {
            deletedDomains.insert(record.domain)
          }
        }
        return true
      }
    }
    // What was moved since, or before, lies elsewhere now.
    if !deletedDomains.isEmpty, view.lens?.hasMoves == true { deletesAll = true }
    if deletesAll {
      touched.formUnion(try catalog.ordinals(in: txn))
    } else {
      for domain in deletedDomains {
        let name = try catalog.domainName(domain, in: txn)
        let subtree = try catalog.domainOrdinals(within: name, in: txn)
        touched.formUnion(try catalog.members(of: subtree, in: txn))
      }
    }
    var changed: Set<UInt32> = []
    for item in touched {
      let version = try catalog.state(of: item, asOf: later.sequence, in: txn)
      let isOther = version.map { $0.sequence > earlier.sequence } ?? false
      let isKept = try later.isKept(item, view, txn)
      guard isOther || !isKept else { continue }
      changed.insert(item)
      // What it was or is one with may show something else.
      for point in [earlier.sequence, later.sequence] {
        changed.formUnion(try catalog.together(with: item, asOf: point, in: txn))
      }
    }
    if view.checkpoint.hasExpiry, earlier.clock != later.clock {
      try catalog.forEachState(asOf: earlier.sequence, in: txn) { (item, _, state) in
        if earlier.isPresent(state) != later.isPresent(state) { changed.insert(item) }
      }
    }
    return changed
  }
}
