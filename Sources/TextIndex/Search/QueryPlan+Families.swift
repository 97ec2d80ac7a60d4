internal import LMDB
internal import Text

extension QueryBinder {
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
      family += relatives.filter { found in
        !known.contains { $0.entry?.term == found.entry?.term && $0.pending == found.pending }
      }
    }
    return family
  }
}
