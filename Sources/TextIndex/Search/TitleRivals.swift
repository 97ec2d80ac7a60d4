internal import LMDB

/// The documents that may stand among those whose titles begin with an unfinished word, for what
/// they get beside their texts.
struct TitleRivals {
  /// Titles that must begin with the word for these documents to be enough.
  let titleCount: Int
  /// Documents whose bonus may make up for a title, a bit each.
  var documents: [UInt64] = []
  /// What no bonus of another document exceeds.
  let bonusMax: Double
}

extension TextIndex {
  /// The rivals of titles at present, documents with a boost among them; nil where all may be
  /// some.
  /// - Complexity: O(documents / 64).
  func titleRivals(
    _ request: Request, _ maximumBonus: Double,
    _ bounds: () throws(CairnError) -> BonusBounds?, _ boosted: [UInt32],
    _ facts: DocumentVisibility, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> TitleRivals? {
    guard let limit = request.limit else { return nil }
    let titleCount = min(limit, IndexLimits.titleCountMax) * IndexLimits.titleFactor
    let worth = request.tierScores[3] - request.tierScores[2]
    if boosted.isEmpty, maximumBonus < worth {
      return TitleRivals(titleCount: titleCount, bonusMax: maximumBonus)
    }
    guard let known = try bounds(),
      let documents = try boundsCache.bounds(known, facts, postingCount: 0, txn)
    else { return nil }
    var rivals = TitleRivals(
      titleCount: titleCount, documents: documents.outstanding,
      bonusMax: known.bonusMax(documents.outstandingLevel - 1))
    guard rivals.bonusMax < worth else { return nil }
    for document in boosted where Int(document >> 6) < rivals.documents.count {
      rivals.documents[Int(document >> 6)] |= 1 << UInt64(document & 63)
    }
    return rivals
  }
}
