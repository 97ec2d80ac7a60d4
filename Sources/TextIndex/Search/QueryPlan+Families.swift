internal import LMDB
internal import Text

extension QueryBinder {
  /// Other words that are meant too: those of the family, and the word as others type it.
  func relatives(_ element: QueryPlan.Element, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [Candidate]
  {
    let term = element.term
    var family: [Candidate] = []
    if let stemmer { family = try self.family(of: term.bytes, stemmer, txn) }
    var result = family
    guard let variant = term.variant else { return result }
    let isBeginning = element.isOpen && variant.count >= IndexLimits.variantPrefixByteCount
    for (space, _) in UnionName.spaces {
      let found =
        if isBeginning {
          try lookup.terms(space, prefix: variant, .stem, txn)
        } else {
          try lookup.term(space, variant, .stem, txn).map { [$0] } ?? []
        }
      // Those of another space are other terms, and may be very many.
      result += found.filter { !$0.isAmong(family) }
    }
    return result
  }

  /// The words of the dictionary that have the stem of a word in one of the languages.
  /// - Complexity: O(words that begin like the word up to the last letter of its stem), at most
  ///   `IndexLimits.prefixTermCount`.
  func family(of word: [UInt8], _ stemmer: Stemmer, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [Candidate]
  {
    var family: [Candidate] = []
    for stemmer in stemmer.all {
      let stem = stemmer.stem(word)
      guard let root = stemmer.root(of: word, stem: stem) else { continue }
      let relatives = try lookup.terms(.word, prefix: root, .stem, txn) { key in
        let relative = Array(key.dropFirst())
        return relative != word && stemmer.stem(relative) == stem
      }
      let known = family
      family += relatives.filter { !$0.isAmong(known) }
    }
    return family
  }
}
