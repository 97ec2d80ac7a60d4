import Catalog
import LMDB
import Projections
import Timeline

/// The items that may differ between two moments.
struct ChangedItems {
  /// The projections in which they have their ordinals.
  fileprivate let generation: UInt64
  fileprivate let items: ItemSet
  /// Their names in byte order, where those of all items are not passed instead.
  fileprivate let names: [[UInt8]]?

  fileprivate func page(
    after name: [UInt8], _ count: Int, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> (names: [[UInt8]], last: [UInt8]?) {
    if let names {
      let first = names.indices.partitioningIndex { name.lexicographicallyPrecedes(names[$0]) }
      let page = names[first...].prefix(count)
      return (Array(page), page.endIndex < names.endIndex ? page.last : nil)
    }
    var found: [[UInt8]] = []
    var isAtEnd = true
    try view.generation.catalog.forEachNameInOrder(after: name, in: txn) { (name, item) in
      // Long names that begin alike are read together: who stops among them reads them again.
      if found.count >= count, let last = found.last, !NameCoding.areTogether(last, name) {
        isAtEnd = false
        return false
      }
      if items.contains(item) { found.append(name) }
      return true
    }
    return (found, isAtEnd ? nil : found.last)
  }
}

extension Moment {
  /// The next identifiers of items that may differ between this moment and another, in byte order:
  /// those that an event in between touched, and those that expired meanwhile or had a part that
  /// did.
  ///
  /// What was found for the names before is found again where other projections serve.
  /// - Returns: Names after the one given, and the last of them; nil for that at the end.
  /// - Complexity: As ``Store/forEachChange(from:to:domain:after:_:)``.
  func namesChanged(
    to other: Moment, of extent: Extent, after name: [UInt8], _ known: inout ChangedItems?
  ) throws(CairnError) -> (names: [[UInt8]], last: [UInt8]?) {
    let (earlier, later) = sequence <= other.sequence ? (self, other) : (other, self)
    let before = known
    let answer = try later.read(of: extent) { (view, txn) throws(CairnError) in
      let changed =
        if let before, before.generation == view.generation.number { before } else {
          try later.changedItems(since: earlier, view, txn)
        }
      return (changed, try changed.page(after: name, Self.askedCount, view, txn))
    }
    guard let (changed, page) = answer else { return ([], nil) }
    known = changed
    return page
  }

  /// Who wants the first changes alone does not wait for all.
  private static let askedCount = 256

  private func changedItems(
    since earlier: Moment, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> ChangedItems {
    let catalog = view.generation.catalog
    let touched = try itemsTouched(since: earlier, view, txn)
    var changed = ItemSet()
    if view.hasGaps {
      try touched.forEach { (item) throws(CairnError) in
        if try !isKept(item, view, txn) { changed.insert(item) }
      }
    }
    try catalog.forEachState(of: touched, asOf: sequence, in: txn) { (item, made, _) in
      if made > earlier.sequence { changed.insert(item) }
    }
    // What each was or is one with may show something else.
    var others = ItemSet()
    for point in [earlier.sequence, sequence] {
      try catalog.forEachState(of: changed, asOf: point, in: txn) {
        (item, _, state) throws(CairnError) in
        guard state.isPart || !state.content.parts.isEmpty else { return }
        for other in try catalog.together(with: item, asOf: point, in: txn) { others.insert(other) }
      }
    }
    changed.formUnion(others)
    if view.checkpoint.hasExpiry, earlier.clock != clock {
      try addExpired(to: &changed, since: earlier, view, txn)
    }
    var names: [[UInt8]]?
    if try catalog.areFew(changed, in: txn) {
      var named: [[UInt8]] = []
      try catalog.forEachName(of: changed.items, in: txn) { (_, name) in
        named.append(name.array())
      }
      names = named.sorted { $0.lexicographicallyPrecedes($1) }
    }
    return ChangedItems(generation: view.generation.number, items: changed, names: names)
  }

  /// The items that an event between two points named, or deleted with others.
  private func itemsTouched(
    since earlier: Moment, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> ItemSet {
    let catalog = view.generation.catalog
    var touched = ItemSet()
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
      for item in try catalog.ordinals(in: txn) { touched.insert(item) }
    } else {
      for domain in deletedDomains {
        let name = try catalog.domainName(domain, in: txn)
        let subtree = try catalog.domainOrdinals(within: name, in: txn)
        for item in try catalog.members(of: subtree, in: txn) { touched.insert(item) }
      }
    }
    return touched
  }

  /// Adds the items that expired between two clocks, or of which a part did.
  private func addExpired(
    to changed: inout ItemSet, since earlier: Moment, _ view: borrowing View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let catalog = view.generation.catalog
    let hasEndingParts = view.checkpoint.hasEndingParts
    try catalog.forEachState(asOf: earlier.sequence, in: txn) {
      (item, _, state) throws(CairnError) in
      var differs = earlier.isPresent(state) != isPresent(state)
      if hasEndingParts, !differs, !state.content.parts.isEmpty {
        let text = try catalog.text(of: item, state, at: earlier.clock, in: txn)
        differs = try catalog.text(of: item, state, at: clock, in: txn) != text
      }
      if differs { changed.insert(item) }
    }
  }
}
