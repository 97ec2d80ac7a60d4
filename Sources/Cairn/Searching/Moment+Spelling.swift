import LMDB
import Text
import TextIndex

extension Moment {
  /// The query as its asker may have meant it, unless what was found shows that no help is needed.
  ///
  /// Offered when fewer than five items have the words as they were typed, and never for an exact
  /// search.
  /// - Parameters:
  ///   - request: What was searched for.
  ///   - hits: What the search found.
  /// - Returns: The query with likelier words, or nil.
  /// - Throws: As a search does.
  /// - Complexity: O(hits) where help is not needed; else that of ``correction(of:)``.
  /// - Note: Blocks the calling thread.
  public func correction(of request: SearchRequest, afterFinding hits: [SearchHit])
    throws(CairnError) -> String?
  {
    let asTyped = hits.count { !$0.isMisspelt }
    guard !request.isExact, asTyped == 0 || request.offset < Self.foundEnough - asTyped else {
      return nil
    }
    guard let text = try correction(of: request) else { return nil }
    // Words that are right by themselves may stand in no item together.
    var corrected = request
    (corrected.text, corrected.limit, corrected.offset) = (text, 1, 0)
    return try search(corrected).isEmpty ? nil : text
  }

  /// The query as its asker may have meant it; groups that were found need no help.
  package func correction(of request: SearchRequest, afterFinding results: Results<SearchHit>)
    throws(CairnError) -> String?
  {
    guard results.groups?.isEmpty ?? true else { return nil }
    return try correction(of: request, afterFinding: results.rows)
  }

  /// So many items found as typed need no other spelling.
  static let foundEnough = 5

  /// The query as its asker may have meant it; nil when every word of it is fine.
  ///
  /// A word that fewer than five items have is replaced by the closest word that ten times as many
  /// have. Changes no results by itself.
  /// - Complexity: a look at the dictionary for each word; for a rare one at the words with the
  ///   same initial.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Note: Blocks the calling thread.
  public func correction(of request: SearchRequest) throws(CairnError) -> String? {
    let words = request.words
    let query = Analyzer().analyzeQuery(words)
    guard !query.isEmpty else { return nil }
    let found: [TextIndex.Correction] =
      try read { (view, txn) throws(CairnError) in
        var index = TextIndex.Request(query: query, mode: .all, exact: request.isExact)
        index.asOf = view.asOf
        index.stemmer = try inDeclaredLanguages(request, view, txn).stemmer
        index.standing = standing(view)
        return try view.generation.text.corrections(index, in: txn)
      } ?? []
    guard !found.isEmpty else { return nil }
    var text = Array(words.utf8)
    for correction in found.reversed() {
      text.replaceSubrange(correction.sourceRange, with: correction.term)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
