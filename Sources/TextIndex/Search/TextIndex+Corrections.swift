package import LMDB
internal import Text

extension TextIndex {
  /// A word that may have been meant instead of one of a query.
  package struct Correction: Sendable, Hashable {
    /// Folded UTF-8.
    package var term: [UInt8]
    /// The bytes of the query text it would replace.
    package var sourceRange: Range<Int>
  }

  /// For each single word of a query that hardly any visible document has, the closest and then
  /// most frequent word that many more have, in order of the text.
  /// - Complexity: O(words with the same initial) for each such word.
  package func corrections(_ request: Request, in txn: borrowing ReadTransaction)
    throws(CairnError) -> [Correction]
  {
    guard
      var facts = try DocumentVisibility(self, asOf: request.asOf, standing: request.standing, txn)
    else { return [] }
    let binder = QueryBinder(request, facts, unionCache, forcesTypos: false)
    var result: [Correction] = []
    for element in QueryPlan(request).elements where element.isAlone && element.term.space == .word
    {
      guard request.query.clauses[element.clause].kind == .word else { continue }
      if let term = try binder.correction(of: element, &facts, txn) {
        result.append(Correction(term: term, sourceRange: element.term.sourceRange))
      }
    }
    return result
  }
}

extension QueryBinder {
  fileprivate func correction(
    of element: QueryPlan.Element, _ facts: inout DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt8]? {
    let most = TermLookup.editCountMax(element.term.bytes)
    guard most > 0 else { return nil }
    let typed = try typed(element, txn)
    let enough = IndexLimits.typoHelpCount
    let count = try visibleCount(typed, upTo: enough, &facts, txn)
    guard count < enough else { return nil }
    // An unfinished word is compared as a whole one: nobody means the beginning of a correction.
    var whole = element
    whole.isOpen = false
    let needed = max(1, count * IndexLimits.correctionFactor)
    for edits in 1...most {
      for found in try misspellings(of: whole, edits: edits, most: 1, facts, txn) {
        if try visibleCount([found.candidate], upTo: needed, &facts, txn) >= needed {
          return Array(found.key.dropFirst())
        }
      }
    }
    return nil
  }
}
