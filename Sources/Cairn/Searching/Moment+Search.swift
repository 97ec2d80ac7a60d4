import LMDB
import Text
import TextIndex

extension Moment {
  /// Searches the items present at this moment.
  ///
  /// By default all words must match, the last one may be unfinished, and typing errors are
  /// forgiven in longer words. An empty query finds nothing. Order is total: the same store gives
  /// the same hits in the same order, before and after merges, rebuilds and restarts.
  /// Facets and groups are left aside; ``results(of:)-(SearchRequest)`` gives them.
  /// - Complexity: far below the number of matches for a limit under `relevance`; O(matches) else.
  /// - Throws: `badQuery` for a filter that cannot be read; `badArgument` for an order by an
  ///   attribute that the schema does not declare sortable, or a negative limit or offset.
  /// - Note: Blocks the calling thread.
  public func search(_ request: SearchRequest) throws(CairnError) -> [SearchHit] {
    let found = try run(request) { (query, view, txn) throws(CairnError) in
      try query.hits(view, txn)
    }
    if let found { return found }
    return try Self.ofNothing(request.sort.order, [], nil).rows
  }

  /// The items that a search finds, in the same order, without snippets.
  package func items(matching request: SearchRequest) throws(CairnError) -> [Item] {
    try run(request) { (query, view, txn) throws(CairnError) in try query.items(view, txn) }
      ?? []
  }

  /// Runs a search; nil when nothing was ever folded.
  func run<R>(
    _ request: SearchRequest,
    _ body: (inout SearchQuery, borrowing View, borrowing ReadTransaction) throws(CairnError) -> R
  ) throws(CairnError) -> R? {
    try Self.check(request.limit, request.offset, request.facets, request.groupBy)
    if let filter = request.filter { try FilterSyntax.check(filter) }
    return try read { (view, txn) throws(CairnError) in
      let filter = try Filter(request.filter, clock: clock, schema: view.schema)
      let asked = try inDeclaredLanguages(request, view, txn)
      var run = try SearchQuery(self, asked, filter, view, txn)
      return try body(&run, view, txn)
    }
  }

  /// A search that names no language, in those that the schema declares where it looks.
  func inDeclaredLanguages(
    _ request: SearchRequest, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> SearchRequest {
    guard request.language == nil, request.findsLanguage, !request.isExact else { return request }
    var asked = request
    for declared in view.lens?.searchLanguages(within: request.domain ?? "") ?? [] {
      let code: String?
      switch declared {
      case .off: code = nil
      case .code(let declared): code = declared
      case .auto:
        code = try view.generation.text.language(asOf: view.asOf, in: txn)?.rawValue
      }
      guard let language = code.flatMap(SearchLanguage.init),
        !asked.declaredLanguages.contains(language)
      else { continue }
      asked.declaredLanguages.append(language)
    }
    return asked
  }

  /// Searches for a text, in a part of the store if one is named; see the form with a request.
  /// - Throws: as the form with a request.
  /// - Note: Blocks the calling thread.
  public func search(
    _ text: String, domain: String? = nil, filter: String? = nil, limit: Int? = 10
  ) throws(CairnError) -> [SearchHit] {
    try search(SearchRequest(text, domain: domain, filter: filter, limit: limit))
  }
}
