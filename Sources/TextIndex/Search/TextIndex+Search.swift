package import LMDB
internal import Text

extension TextIndex {
  /// The best hits by `ScoreFormula.combine(tier, text) + bonus(item)`, best first.
  ///
  /// Exact: the same hits as scoring every document would give. Equal scores: the older version of
  /// text first. A word that fewer than five visible documents have as typed lets its closest
  /// misspellings in; when nothing at all is found, every word lets all of its own in.
  ///
  /// `maximumBonus` is what no bonus exceeds: the closer, the less work. `bounds` tells the same of
  /// single items, or nothing where that is not worth it. `bonus` and `accept` are asked only of
  /// items that may enter; `bonus` may say nil of one that stays below what it needs. `boosts` are
  /// few and get more than `maximumBonus`.
  /// - Complexity: for a limit, far below the number of postings; else O(postings).
  /// - Throws: `.corrupt` for rows that make no sense, and what the closures throw.
  package func search(
    _ request: Request, in txn: borrowing ReadTransaction, maximumBonus: Double,
    bounds: () throws(CairnError) -> BonusBounds? = { nil }, boosts: Boosts = .none,
    bonus: (_ item: UInt32, _ least: Double) throws(CairnError) -> Double?,
    accept: (UInt32) throws(CairnError) -> Bool
  ) throws(CairnError) -> [Hit] {
    if let (first, others) = try cut(request, in: txn) {
      return try search(
        first, in: txn, maximumBonus: maximumBonus, bounds: bounds, boosts: boosts, bonus: bonus
      ) { (item) throws(CairnError) in
        guard others.contains(item) else { return false }
        return try accept(item)
      }
    }
    guard request.limit != 0 else { return [] }
    return try forEachBinding(of: request, in: txn) {
      (plan, binder, facts) throws(CairnError) -> [Hit]? in
      let postingCount = plan.postingCount(needsAll: binder.needsAll)
      var limited = request
      // Where matches are few, it takes less to look at all of them.
      let isBoosted = postingCount > UInt64(max(boosts.items.count, request.limit ?? 0))
      if !isBoosted, !boosts.items.isEmpty { limited.limit = nil }
      let boosted = isBoosted ? try facts.documents(of: boosts.items, txn) : []
      var run: SearchRun
      while true {
        run = SearchRun(limited, plan, facts, maximumBonus: maximumBonus)
        try run.run(
          boosted, extra: boosts.extra, txn,
          bounds: { () throws(CairnError) in
            guard let known = try bounds() else { return nil }
            let count = postingCount
            return (known, try boundsCache.bounds(known, facts, postingCount: count, txn))
          }, bonus: bonus, accept: accept)
        guard run.lacksPhrases else { break }
        // What the plan left out may be among the hits.
        try binder.findPhrases(&plan, facts, txn)
      }
      let hits = run.hits.sorted()
      if hits.isEmpty { return nil }
      return isBoosted || boosts.items.isEmpty
        ? hits : try Self.applyBoosts(hits, boosts, request, txn)
    } ?? []
  }

  /// Lays the words out, camel-case words that are nowhere as their parts.
  func plan(
    _ request: Request, _ binder: QueryBinder, _ facts: inout DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> QueryPlan {
    let plan = QueryPlan(request)
    guard !request.exact, request.mode != .phrase,
      request.query.clauses.contains(where: { $0.parts.count > 1 })
    else { return plan }
    var split = request
    split.query.clauses.removeAll()
    for (number, clause) in request.query.clauses.enumerated() {
      let element = plan.elements.first { $0.clause == number }
      if clause.parts.count > 1, let element, try binder.isAbsent(element, &facts, txn) {
        for part in clause.parts {
          var word = clause
          word.terms[0].bytes = part
          word.terms[0].variant = nil
          word.parts = []
          split.query.clauses.append(word)
        }
      } else {
        split.query.clauses.append(clause)
      }
    }
    return QueryPlan(split)
  }
}
