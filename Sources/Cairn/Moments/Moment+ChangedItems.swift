import Catalog
import LMDB
import Projections
import Timeline

extension Moment {
  /// The identifiers of the items that may differ between this moment and another, in byte order:
  /// those that an event in between touched, and those that expired meanwhile or had a part that
  /// did.
  /// - Complexity: As ``Store/forEachChange(from:to:domain:after:_:)``.
  func namesChanged(to other: Moment, of extent: Extent) throws(CairnError) -> [[UInt8]] {
    let (earlier, later) = sequence <= other.sequence ? (self, other) : (other, self)
    let names = try later.read(of: extent) { (view, txn) throws(CairnError) in
      var names: [[UInt8]] = []
      for item in try later.itemsChanged(since: earlier, view, txn) {
        names.append(try view.generation.catalog.name(of: item, in: txn))
      }
      return names
    }
    return (names ?? []).sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func itemsChanged(
    since earlier: Moment, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Set<UInt32> {
    let catalog = view.generation.catalog
    var touched: Set<UInt32> = []
    var deletedDomains: Set<UInt32> = []
    var deletesAll = false
    if earlier.sequence < sequence {
      try view.generation.timeline.forEach(
        from: earlier.sequence + 1, through: sequence, in: txn
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
      let version = try catalog.state(of: item, asOf: sequence, in: txn)
      let isOther = version.map { $0.sequence > earlier.sequence } ?? false
      let isKept = try isKept(item, view, txn)
      guard isOther || !isKept else { continue }
      changed.insert(item)
      // What it was or is one with may show something else.
      for point in [earlier.sequence, sequence] {
        changed.formUnion(try catalog.together(with: item, asOf: point, in: txn))
      }
    }
    if view.checkpoint.hasExpiry, earlier.clock != clock {
      try addExpired(to: &changed, since: earlier, view, txn)
    }
    return changed
  }

  /// Adds the items that expired between two clocks, or of which a part did.
  private func addExpired(
    to changed: inout Set<UInt32>, since earlier: Moment, _ view: borrowing View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let catalog = view.generation.catalog
    let hasEndingParts = view.checkpoint.hasEndingParts
    var found: [UInt32] = []
    try catalog.forEachState(asOf: earlier.sequence, in: txn) {
      (item, _, state) throws(CairnError) in
      var differs = earlier.isPresent(state) != isPresent(state)
      if hasEndingParts, !differs, !state.content.parts.isEmpty {
        let text = try catalog.text(of: item, state, at: earlier.clock, in: txn)
        differs = try catalog.text(of: item, state, at: clock, in: txn) != text
      }
      if differs { found.append(item) }
    }
    changed.formUnion(found)
  }
}
