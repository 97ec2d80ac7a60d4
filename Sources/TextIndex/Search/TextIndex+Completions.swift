package import LMDB
internal import Text

extension TextIndex {
  /// A word that could finish what is being typed.
  package struct Completion: Sendable, Hashable {
    /// Folded UTF-8.
    package var term: [UInt8]
    /// Versions of texts that have it, ended ones included.
    package var documentCount: UInt64

    /// Whether it comes first: by count, then in byte order.
    fileprivate func precedes(_ other: Completion) -> Bool {
      documentCount != other.documentCount
        ? documentCount > other.documentCount : term.lexicographicallyPrecedes(other.term)
    }
  }

  /// The most frequent words that begin with the folded bytes and stand in some visible document.
  ///
  /// Equal counts: byte order. Of a past point, the counts of then.
  /// - Complexity: O(words with the prefix, at most 20,000, + limit checks of visibility); for the
  ///   past also the postings of the words that are more frequent today than the last one found
  ///   was then.
  package func completions(
    prefix: [UInt8], limit: Int, asOf: UInt64? = nil, standing: Standing? = nil,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [Completion] {
    guard !prefix.isEmpty, limit > 0,
      var facts = try DocumentVisibility(self, asOf: asOf, standing: standing, txn)
    else { return [] }
    let lookup = TermLookup(tables: tables, pending: facts.pending)
    var words = try lookup.words(prefix: prefix, txn)
    words.removeAll { $0.term.count >= TextLimits.cutTermByteCountMin }
    words.sort { $0.precedes($1) }
    let binder = QueryBinder(
      lookup: lookup, cache: unionCache, exact: true, typoTolerant: false, forcesTypos: false)
    var result: [Completion] = []
    for var word in words {
      // Texts only ever join: what a word has today is the most it can have had.
      if result.count == limit, let last = result.last, !word.precedes(last) {
        if word.documentCount < last.documentCount { break }
        continue
      }
      guard let found = try lookup.term(.word, word.term, .whole, txn),
        try binder.visibleCount([found], upTo: 1, &facts, txn) > 0
      else { continue }
      word.documentCount = try binder.documentCount([found], facts, txn)
      result.insert(word, at: result.firstIndex { word.precedes($0) } ?? result.endIndex)
      if result.count > limit { result.removeLast() }
    }
    return result
  }
}

extension TermLookup {
  /// Words with a prefix and in how many documents they stand.
  func words(prefix: [UInt8], _ txn: borrowing ReadTransaction) throws(CairnError) -> [TextIndex
    .Completion]
  {
    let key = [TermSpace.word.rawValue] + prefix
    var waiting = pending.vocabulary.indices(withPrefix: key)
    var result: [TextIndex.Completion] = []
    try tables.walkTerms(from: key, txn) { (name, stored, delta) throws(CairnError) in
      guard name.hasPrefix(key.rawSpan) else { return .stop }
      var count: UInt64 = 0
      if let stored { count += UInt64(try DictionaryEntry.termAndCount(stored).count) }
      if let delta { count += UInt64(try DeltaRow.termAndCount(delta).count) }
      take(name.array(), count, &waiting, &result)
      return result.count < IndexLimits.completionScanCount ? .next : .stop
    }
    for index in waiting {
      result.append(
        TextIndex.Completion(
          term: Array(pending.vocabulary.keys[index].dropFirst()),
          documentCount: UInt64(pending.counts[Int(index)])))
    }
    return result
  }

  private func take(
    _ key: [UInt8], _ merged: UInt64, _ waiting: inout Set<UInt32>,
    _ result: inout [TextIndex.Completion]
  ) {
    var count = merged
    if !waiting.isEmpty, let index = pending.vocabulary.find(key) {
      count += UInt64(pending.counts[Int(index)])
      waiting.remove(index)
    }
    result.append(TextIndex.Completion(term: Array(key.dropFirst()), documentCount: count))
  }
}
