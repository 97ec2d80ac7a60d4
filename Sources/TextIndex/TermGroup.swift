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
  /// Bound of the present block of the only list, and where that block ends.
  private var block = (end: UInt32(0), score: 0.0)

  init(cursors: [TermCursor], inverseFrequency: Double, clause: Int, position: UInt32) {
    self.cursors = cursors
    self.inverseFrequency = inverseFrequency
    self.clause = clause
    self.position = position
    documentCount = cursors.reduce(0) { $0 + $1.documentCount }
  }

  /// Upper bounds of the contribution in a window, and where the window ends.
  struct Bound {
    /// For documents that have the group in a title at this place at best, 0 where none has.
    var scores = SIMD4<Double>()
    /// For any document.
    var score = 0.0
    /// For documents that have the group in a title.
    var titleScore: Double { max(scores[1], max(scores[2], scores[3])) }
    /// Best place in a title.
    var place: UInt8 = 0
    var end = TermCursor.end
  }

  /// The bound of the blocks around a document.
  mutating func approach(
    _ target: UInt32,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> Bound {
    var result = Bound()
    var weighted = SIMD4<UInt64>()
    for index in cursors.indices {
      try cursors[index].approach(target, txn, tables)
      result.end = min(result.end, cursors[index].blockEnd)
      let bound = cursors[index].bound
      let weight = UInt64(cursors[index].weight)
      var greatest: UInt32 = 0
      for place in 0..<4 {
        // A document at a place may get more from another term that is at a lesser one.
        greatest = max(greatest, bound.units[place])
        if place == 2, cursors[index].match != .whole { greatest = max(greatest, bound.units[3]) }
        let units = cursors[index].match == .typo ? bound.greatest : greatest
        weighted[place] += weight * UInt64(units)
      }
      if cursors[index].match != .typo { result.place = max(result.place, UInt8(bound.place)) }
    }
    for place in 0..<4 where weighted[place] > 0 {
      result.scores[place] = ScoreFormula.contribution(
        inverseFrequency: inverseFrequency,
        weighted: ScoreFormula.frequency(weighted: weighted[place])
      )
    }
    result.score = result.scores[3]
    for place in 1..<4 where place > Int(result.place) { result.scores[place] = 0 }
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

  /// What no document gets from the group.
  var ceiling: Double {
    ScoreFormula.contribution(inverseFrequency: inverseFrequency, weighted: .infinity)
  }

  /// What no document in the blocks around one gets from the group.
  mutating func ceiling(
    at target: UInt32,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> Double {
    guard cursors.count == 1 else { return try approach(target, txn, tables).score }
    try cursors[0].approach(target, txn, tables)
    if cursors[0].blockEnd != block.end {
      block.end = cursors[0].blockEnd
      block.score = ScoreFormula.contribution(
        inverseFrequency: inverseFrequency,
        weighted: ScoreFormula.frequency(
          weighted: UInt64(cursors[0].weight) * UInt64(cursors[0].bound.greatest)
        )
      )
    }
    return block.score
  }

  /// Moves the only list inside its present block; see `TermCursor`.
  mutating func advance(to target: UInt32, least: [UInt32]) throws(StorageError) -> Bool {
    guard try cursors[0].advance(to: target, least: least) else { return false }
    document = cursors[0].document
    return true
  }

  /// Whether each of its lists tells where its term stands.
  var hasPositions: Bool { cursors.allSatisfy { $0.hasPositions } }

  /// Adds where its terms stand in the present document, a merged one, in order.
  mutating func places(
    into places: inout [UInt64],
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    var count = 0
    for index in cursors.indices where cursors[index].document == document {
      try cursors[index].places(into: &places, txn, tables)
      count += 1
    }
    if count > 1 { places.sort() }
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
  ///
  /// Changes nothing; `mutating` has it called in place, where else the group would be copied.
  mutating func evidence(_ document: UInt32) -> Evidence {
    var evidence = Evidence()
    var weighted: UInt64 = 0
    for index in cursors.indices where cursors[index].document == document {
      let impact = cursors[index].impact
      weighted += cursors[index].weightedUnits
      let match = cursors[index].match
      if match != .typo {
        evidence.isTypo = false
        // A title that only begins with the word is not the word.
        let limit: UInt8 = match == .whole ? 3 : 2
        evidence.place = max(evidence.place, min(UInt8(impact & 3), limit))
      }
    }
    evidence.score = ScoreFormula.contribution(
      inverseFrequency: inverseFrequency,
      weighted: ScoreFormula.frequency(weighted: weighted)
    )
    return evidence
  }
}
