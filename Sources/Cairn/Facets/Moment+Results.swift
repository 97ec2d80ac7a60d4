import Catalog
import LMDB

extension Moment {
  /// Searches, and counts and groups all that is found by declared attributes.
  /// - Parameter request: What is wanted.
  /// - Returns: Hits or groups of hits, and counts over all of them, whatever the limit.
  /// - Complexity: As ``search(_:)-(SearchRequest)``; O(matches) where anything is counted, grouped
  ///   or sorted by an attribute: a look at a column each at present, an item each at past points.
  /// - Throws: `badArgument` for an attribute that the schema does not declare so, or a negative
  ///   limit; `badQuery` for a filter that cannot be read.
  /// - Note: Blocks the calling thread.
  public func results(of request: SearchRequest) throws(CairnError) -> Results<SearchHit> {
    guard !request.facets.isEmpty || request.groupBy != nil else {
      var results = Results<SearchHit>()
      results.rows = try search(request)
      return results
    }
    let found = try run(request) { (query, view, txn) throws(CairnError) in
      try query.results(view, txn)
    }
    if let found { return found }
    return try Self.ofNothing(request.sort.order, request.facets, request.groupBy)
  }

  /// Lists items in an order, counted and grouped by declared attributes.
  /// - Parameter request: What is wanted.
  /// - Returns: Items or groups of items, and counts over all of them, whatever the limit.
  /// - Complexity: O(items), some microseconds each; where anything is counted, grouped or sorted,
  ///   some 150 bytes of memory for each that is found.
  /// - Throws: `badArgument` for an attribute that the schema does not declare so, or a negative
  ///   limit; `badQuery` for a filter that cannot be read; `corrupt`.
  /// - Note: Blocks the calling thread.
  public func results(of request: ItemRequest) throws(CairnError) -> Results<Item> {
    try Self.check(request.limit, request.offset, request.facets, request.groupBy)
    guard !request.isPlain else { return try plainResults(of: request) }
    let found = try read { (view, txn) throws(CairnError) in
      if let results = try columnResults(of: request, view, txn) { return results }
      var arrangement = try Arrangement<UInt32>(
        order: request.order, facets: request.facets, groupBy: request.groupBy, in: view.schema)
      try add(request, to: &arrangement, view, txn)
      return try arrangement.results(limit: request.limit, offset: request.offset) {
        (ordinal, _) throws(CairnError) in
        try shownItem(ordinal, view, txn)
      }
    }
    if let found { return found }
    return try Self.ofNothing(request.order, request.facets, request.groupBy)
  }

  private func add(
    _ request: ItemRequest, to arrangement: inout Arrangement<UInt32>, _ view: borrowing View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let catalog = view.generation.catalog
    let subtree = try catalog.subtree(of: request.domain, in: txn)
    var filter = try Filter(request.filter, clock: clock, schema: view.schema)
    try catalog.forEachNameInOrder(in: txn) { (name, ordinal) throws(CairnError) in
      guard let version = try catalog.state(of: ordinal, asOf: sequence, in: txn),
        isPresent(version.state), subtree?.contains(version.state.domain) ?? true,
        try filter?.passes(ordinal, version.state, view.generation, view.lens, store, txn) ?? true
      else { return true }
      try arrangement.add(ordinal, ordinal, name: name, version.state, view, store, txn)
      return true
    }
  }

  private func plainResults(of request: ItemRequest) throws(CairnError) -> Results<Item> {
    var results = Results<Item>()
    guard request.limit != 0 else { return results }
    let found = try read { (view, txn) throws(CairnError) in
      try plainColumnResults(of: request, view, txn)
    }
    if case .some(.some(let items)) = found {
      results.rows = items
      return results
    }
    var skipped = 0
    try forEachItem(domain: request.domain, filter: request.filter) { item in
      guard skipped >= request.offset else {
        skipped += 1
        return true
      }
      results.rows.append(item)
      return results.rows.count < request.limit ?? .max
    }
    return results
  }

  /// Refuses a negative number of rows, of values of a facet or of hits of a group.
  static func check(
    _ limit: Int?, _ offset: Int, _ facets: [AttributeLimit], _ groupBy: AttributeLimit?
  ) throws(CairnError) {
    let limits: [Int?] = [limit, offset, groupBy?.limit] + facets.map(\.limit)
    guard limits.allSatisfy({ $0 ?? 0 >= 0 }) else {
      throw CairnError(.badArgument, "limit and offset may not be negative")
    }
  }

  /// What is found where no event was ever folded, and so no schema is there.
  static func ofNothing<Row>(
    _ order: AttributeOrder?, _ facets: [AttributeLimit], _ groupBy: AttributeLimit?
  ) throws(CairnError) -> Results<Row> {
    try Arrangement<Row>(order: order, facets: facets, groupBy: groupBy, in: .none)
      .results(limit: nil, offset: 0) { (row, _) in row }
  }
}
