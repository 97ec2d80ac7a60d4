import LMDB
import Projections
import Text
import TextIndex

extension Moment {
  /// The query as its asker may have meant it; nil when every word of it is fine.
  ///
  /// A word that fewer than five items have is replaced by the closest word that ten times as many
  /// have. Changes no results by itself.
  /// - Complexity: a look at the dictionary for each word; for a rare one at the words with the
  ///   same initial.
  public func correction(of request: SearchRequest) throws(CairnError) -> String? {
    let query = Analyzer().analyzeQuery(request.text)
    guard !query.isEmpty else { return nil }
    let found: [TextIndex.Correction] =
      try read { (view, txn) throws(StorageError) in
        var index = TextIndex.Request(query: query, mode: .all, exact: request.isExact)
        index.asOf = view.isPresent ? nil : view.sequence
        index.stemmer = request.stemmer
        index.isGone = expiryTest(view)
        return try view.generation.text.corrections(index, in: txn)
      } ?? []
    guard !found.isEmpty else { return nil }
    var text = Array(request.text.utf8)
    for correction in found.reversed() {
      text.replaceSubrange(correction.sourceRange, with: correction.term)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
