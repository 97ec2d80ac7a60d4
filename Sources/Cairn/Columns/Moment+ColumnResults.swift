import Catalog
import Columns
import LMDB
import Projections

extension Moment {
  /// Lists items as asked for, out of columns; nil where they cannot tell.
  func columnResults(
    of request: ItemRequest, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Results<Item>? {
    let made = try ColumnArrangement(
      order: request.order, facets: request.facets, groupBy: request.groupBy, store, view, txn)
    guard var arrangement = made else { return nil }
    let found = try presentItems(request, view, txn)
    var results = Results<Item>()
    results.facets = try arrangement.counts(of: found, view, txn)
    guard request.groupBy != nil else {
      let last = request.limit.map { Self.end(of: $0, after: request.offset) }
      guard let first = try arrangement.first(last, of: found, view, txn) else { return nil }
      for item in first.dropFirst(request.offset) {
        results.rows.append(try shownItem(item, view, txn))
      }
      return results
    }
    guard let ordered = try arrangement.first(nil, of: found, view, txn),
      let groups = try arrangement.groups(of: ordered, view, txn)
    else { return nil }
    var shown: [Results<Item>.Group] = []
    for group in groups.dropFirst(request.offset).prefix(request.limit ?? .max) {
      var rows: [Item] = []
      for place in group.places.prefix(arrangement.groupLimit ?? .max) {
        rows.append(try shownItem(ordered[place], view, txn))
      }
      shown.append(.init(value: group.value?.attribute, count: group.places.count, rows: rows))
    }
    results.groups = shown
    return results
  }

  /// Where a page ends: far beyond any store at most, and no sum of it overflows.
  static func end(of limit: Int, after offset: Int) -> Int {
    min(limit, .max / 4) + min(offset, .max / 4)
  }

  func shownItem(
    _ ordinal: UInt32, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Item {
    guard let item = try item(ordinal, view, txn) else {
      throw CairnError(.corrupt, "an item has no version", place: "table catalog", remedy: .rebuild)
    }
    return item
  }

  /// The items present that a request is about, ascending.
  private func presentItems(
    _ request: ItemRequest, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32] {
    let catalog = view.generation.catalog
    let subtree = try catalog.subtree(of: request.domain, in: txn)
    var filter = try Filter(request.filter, clock: clock, schema: view.schema)
    var found: [UInt32] = []
    if let filtering = filter, let match = try filtering.columnMatch(view, txn) {
      guard subtree != nil || view.checkpoint.hasExpiry || !match.isExact || match.unsure != nil
      else { return match.items.items }
      try match.items.forEach { (item) throws(CairnError) in
        guard let version = try catalog.state(of: item, asOf: sequence, in: txn),
          isPresent(version.state), subtree?.contains(version.state.domain) ?? true
        else { return }
        if match.isOpen(item),
          try filter?.passes(item, version.state, view.generation, view.lens, store, txn) == false
        {
          return
        }
        found.append(item)
      }
      return found
    }
    let (generation, lens) = (view.generation, view.lens)
    try catalog.forEachState(asOf: sequence, in: txn) { (item, _, state) throws(CairnError) in
      guard isPresent(state), subtree?.contains(state.domain) ?? true,
        try filter?.passes(item, state, generation, lens, store, txn) ?? true
      else { return }
      found.append(item)
    }
    return found
  }

  /// The items that pass a filter that columns can answer; nil where they cannot.
  private func columnItems(
    of request: ItemRequest, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32]? {
    guard request.filter != nil else { return nil }
    let filter = try Filter(request.filter, clock: clock, schema: view.schema)
    guard try filter?.columnMatch(view, txn) != nil else { return nil }
    return try presentItems(request, view, txn)
  }

  /// How many items pass a filter that columns can answer; nil where they cannot.
  func columnCount(
    domain: String?, filter: String?, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Int? {
    var request = ItemRequest()
    (request.domain, request.filter) = (domain, filter)
    return try columnItems(of: request, view, txn)?.count
  }

  /// The items asked for in byte order of identifiers, by a filter that columns can answer; nil
  /// where they cannot.
  func plainColumnResults(
    of request: ItemRequest, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [Item]? {
    guard let found = try columnItems(of: request, view, txn) else { return nil }
    var items: [Item] = []
    let last = request.limit.map { Self.end(of: $0, after: request.offset) } ?? found.count
    let first = try view.inOrderOfNames(last, of: found, txn)
    for item in first.dropFirst(request.offset) { items.append(try shownItem(item, view, txn)) }
    return items
  }
}
