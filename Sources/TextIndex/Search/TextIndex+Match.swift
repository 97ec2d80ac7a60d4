package import LMDB
internal import Text

extension TextIndex {
  /// The items that ``search(_:in:maximumBonus:bounds:boosts:bonus:accept:)`` without a limit
  /// finds, in order of their documents; none is scored.
  ///
  /// `accept` is not asked where all are accepted.
  /// - Complexity: O(postings of the rarest word) for all words, O(postings) for any; some
  ///   nanoseconds each for one word.
  /// - Throws: `.corrupt` for rows that make no sense, and what `accept` throws.
  package func match(
    _ request: Request, in txn: borrowing ReadTransaction, acceptsAll: Bool = false,
    accept: (UInt32) throws(CairnError) -> Bool
  ) throws(CairnError) -> [UInt32] {
    if let (first, others) = try cut(request, in: txn) {
      return try match(first, in: txn) { (item) throws(CairnError) in
        guard others.contains(item) else { return false }
        if acceptsAll { return true }
        return try accept(item)
      }
    }
    var request = request
    request.limit = nil
    return try forEachBinding(of: request, in: txn) {
      (plan, _, facts) throws(CairnError) -> [UInt32]? in
      var run = SearchRun(request, plan, facts, maximumBonus: 0)
      run.acceptsAll = acceptsAll
      let matched = try run.matches(txn, accept)
      return matched.isEmpty ? nil : matched
    } ?? []
  }

  /// What a search without a limit says of some of the items that it finds, these ascending, in no
  /// order.
  /// - Complexity: a look into the lists of all words for each.
  /// - Throws: as the search does.
  package func hits(
    _ request: Request, of items: [UInt32], in txn: borrowing ReadTransaction, boosts: Boosts,
    bonus: (_ item: UInt32, _ least: Double) throws(CairnError) -> Double?
  ) throws(CairnError) -> [Hit] {
    var request = request
    request.limit = nil
    var hits =
      try forEachBinding(of: request, in: txn) {
        (plan, _, facts) throws(CairnError) -> [Hit]? in
        var run = SearchRun(request, plan, facts, maximumBonus: 0)
        let documents = try facts.documents(of: items, txn)
        try run.runOnly(documents, txn, bonus) { (_) throws(CairnError) in true }
        let hits = run.hits.sorted()
        return hits.isEmpty ? nil : hits
      } ?? []
    try boosts.add(to: &hits, txn)
    return hits
  }

  /// The same request with as many words as a plan has room for, and the items that have the
  /// others; nil where there is room for all, or one word is enough.
  func cut(_ request: Request, in txn: borrowing ReadTransaction) throws(CairnError)
    -> (first: Request, others: Set<UInt32>)?
  {
    guard request.mode != .any,
      let (words, others) = request.query.split(after: QueryPlan.groupCountMax)
    else { return nil }
    var (first, rest) = (request, request)
    (first.query, rest.query) = (words, others)
    return (
      first, Set(try match(rest, in: txn, acceptsAll: true) { (_) throws(CairnError) in true })
    )
  }

  /// Binds a request: as typed first, then with every misspelling, until the body has an answer.
  func forEachBinding<Answer>(
    of request: Request, in txn: borrowing ReadTransaction,
    _ body: (inout QueryPlan, QueryBinder, inout DocumentVisibility) throws(CairnError) -> Answer?
  ) throws(CairnError) -> Answer? {
    guard !request.query.isEmpty,
      var facts = try DocumentVisibility(self, asOf: request.asOf, standing: request.standing, txn)
    else { return nil }
    for forcesTypos in request.typoTolerant ? [false, true] : [false] {
      let binder = QueryBinder(request, facts, unionCache, forcesTypos: forcesTypos)
      var plan = try plan(request, binder, &facts, txn)
      try binder.bind(&plan, &facts, txn)
      if let answer = try body(&plan, binder, &facts) { return answer }
      guard plan.leavesOutTypos else { return nil }
    }
    return nil
  }
}

extension SearchRun {
  /// The items of all documents that match, in order of documents.
  mutating func matches(
    _ txn: borrowing ReadTransaction, _ accept: Accept
  ) throws(CairnError) -> [UInt32] {
    matched = []
    if plan.groups.count == 1, plan.groups[0].cursors.count == 1, plan.phrases.isEmpty {
      try collectList(txn, accept)
    } else {
      try run([], txn, bonus: { (_, _) throws(CairnError) in 0 }, accept: accept)
    }
    return matched ?? []
  }

  private mutating func collectList(_ txn: borrowing ReadTransaction, _ accept: Accept)
    throws(CairnError)
  {
    var documents: [UInt32] = []
    try plan.groups[0].cursors[0].visitBlocks(txn, tables) { (block, _) in
      documents.append(contentsOf: block)
    }
    try collect(documents, txn, accept)
  }

  /// Collects the candidates of a window whose words stand as they must.
  mutating func collectCandidates(_ txn: borrowing ReadTransaction, _ accept: Accept)
    throws(CairnError)
  {
    let hasPhrases = !plan.phrases.isEmpty
    var documents: [UInt32] = []
    documents.reserveCapacity(candidates.count)
    for index in 0..<candidates.count {
      let candidate = candidates[index]
      let isMerged = candidate.document <= facts.state.mergedDocument
      if hasPhrases, try !self.hasPhrases(candidate, isMerged: isMerged, txn) { continue }
      documents.append(candidate.document)
    }
    try collect(documents, txn, accept)
  }

  /// Collects the items of documents, ascending, if they are of the point searched.
  private mutating func collect(
    _ documents: [UInt32], _ txn: borrowing ReadTransaction, _ accept: Accept
  ) throws(CairnError) {
    var found = matched ?? []
    matched = []
    if found.isEmpty { found.reserveCapacity(documents.count) }
    for document in documents where document <= lastDocument {
      guard try facts.isVisible(document, txn),
        let item = try facts.shownItem(of: try facts.item(document, txn), txn)
      else { continue }
      if !acceptsAll, try !accept(item) { continue }
      found.append(item)
    }
    matched = found
  }
}
