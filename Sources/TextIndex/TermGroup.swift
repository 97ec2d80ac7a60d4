internal import LMDB

/// All terms that stand for one word of the query: the word, parts, completions, misspellings.
struct TermGroup: Sendable {
  var cursors: [TermCursor]
  let inverseFrequency: Double
  /// Clause of the query it belongs to.
  let clause: Int
  /// Position inside the clause.
  let position: UInt32
  /// Postings of all cursors, for planning.
  let documentCount: UInt64

  /// The present document after `seek`.
  private(set) var document: UInt32 = 0

  init(cursors: [TermCursor], inverseFrequency: Double, clause: Int, position: UInt32) {
    self.cursors = cursors
    self.inverseFrequency = inverseFrequency
    self.clause = clause
    self.position = position
    documentCount = cursors.reduce(0) { $0 + $1.documentCount }
  }

  /// Upper bound of the contribution in a window, and where the window ends.
  struct Bound {
    var score: Double
    var place: UInt8
    var end: UInt32
  }

  /// The bound of the blocks around a document.
  mutating func approach(
    _ target: UInt32,
    _ normalization: LengthNormalization,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> Bound {
    var result = Bound(score: 0, place: 0, end: TermCursor.end)
    var weighted = 0.0
    for index in cursors.indices {
      try cursors[index].approach(target, txn, tables)
      result.end = min(result.end, cursors[index].blockEnd)
      let bound = cursors[index].bound
      if bound.frequencies != 0 {
        weighted +=
          cursors[index].weight
          * normalization.weighted(bound.greatest, FieldLengths(packed: bound.lengths))
        if cursors[index].match != .typo { result.place = max(result.place, bound.place) }
      }
    }
    if weighted > 0 {
      result.score = ScoreFormula.contribution(
        inverseFrequency: inverseFrequency,
        weighted: weighted
      )
    }
    return result
  }

  /// The first document of any of its terms that is not below the one given.
  mutating func seek(
    _ target: UInt32,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> UInt32 {
    var least = TermCursor.end
    for index in cursors.indices {
      least = min(least, try cursors[index].seek(target, txn, tables))
    }
    document = least
    return least
  }

  /// What the group says about its present document.
  struct Evidence {
    var score = 0.0
    /// Best place in a title by a term that is no misspelling.
    var place: UInt8 = 0
    /// Whether only misspellings match.
    var isTypo = true
  }

  /// The contribution of the present document.
  func evidence(
    _ document: UInt32,
    _ lengths: FieldLengths,
    _ normalization: LengthNormalization
  ) -> Evidence {
    var evidence = Evidence()
    var weighted = 0.0
    for index in cursors.indices where cursors[index].document == document {
      let occurrence = cursors[index].occurrence
      weighted += cursors[index].weight * normalization.weighted(occurrence, lengths)
      let match = cursors[index].match
      if match != .typo {
        evidence.isTypo = false
        // A title that only begins with the word is not the word.
        let limit: UInt8 = match == .whole ? 3 : 2
        evidence.place = max(evidence.place, min(occurrence.place, limit))
      }
    }
    evidence.score = ScoreFormula.contribution(
      inverseFrequency: inverseFrequency,
      weighted: weighted
    )
    return evidence
  }
}
