internal import LMDB

/// All terms that stand for one word of the query: the word, parts, completions, misspellings.
struct TermGroup: Sendable {
  var cursors: [TermCursor]
  let inverseFrequency: Double
  /// Clause of the query it belongs to.
  let clause: Int
  /// Postings of all cursors, for planning.
  let documentCount: UInt64

  /// Lists of merged documents that tell where each of its terms stands; nil when they are too many
  /// to be looked at one by one.
  private var positions: [TermCursor]?

  init(
    cursors: [TermCursor], positions: [TermCursor]?, inverseFrequency: Double, clause: Int
  ) {
    self.cursors = cursors
    self.positions = positions
    self.inverseFrequency = inverseFrequency
    self.clause = clause
    documentCount = cursors.reduce(0) { $0 + $1.documentCount }
  }

  /// What no document of a window gets from the group.
  struct Bound {
    /// 0 when no document has the group.
    var score = 0.0
    /// Best place in a title.
    var place: UInt8 = 0
  }

  /// The bound of the documents of a range.
  mutating func peak(
    from target: UInt32, through last: UInt32, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) -> Bound {
    var result = Bound()
    var weighted: UInt64 = 0
    for index in cursors.indices {
      try cursors[index].approach(target, txn, tables)
      guard let units = cursors[index].peak(through: last) else {
        return Bound(score: ceiling, place: 3)
      }
      let bound = BlockBound(units: units)
      weighted += UInt64(cursors[index].weight) * UInt64(bound.greatest)
      if cursors[index].match != .typo { result.place = max(result.place, UInt8(bound.place)) }
    }
    guard weighted > 0 else { return result }
    result.score = ScoreFormula.contribution(
      inverseFrequency: inverseFrequency, weighted: ScoreFormula.frequency(weighted: weighted))
    return result
  }

  /// The last document of so many blocks from a document on, of the list whose blocks end first.
  mutating func reach(
    _ target: UInt32, blocks count: Int, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> UInt32 {
    var end = TermCursor.end
    for index in cursors.indices {
      try cursors[index].approach(target, txn, tables)
      end = min(end, cursors[index].reach(blocks: count))
    }
    return end
  }

  /// The first document of any of its terms that is not below the one given.
  mutating func seek(_ target: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError) -> UInt32
  {
    var least = TermCursor.end
    for index in cursors.indices {
      least = min(least, try cursors[index].seek(target, txn, tables))
    }
    return least
  }

  /// What no document gets from the group.
  var ceiling: Double {
    ScoreFormula.contribution(inverseFrequency: inverseFrequency, weighted: .infinity)
  }

  /// Merges the documents of a range into the candidates; of a single list those whose units reach
  /// what their place needs.
  mutating func merge(
    into candidates: inout Candidates, from start: UInt32, through end: UInt32,
    least: SIMD4<UInt32>, _ bounded: BoundedPostings?, _ terms: JoinTerms,
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    candidates.beginMerge()
    if cursors.count == 1 {
      try cursors[0].merge(
        into: &candidates, from: start, through: end, least: least, bounded, terms,
        inverseFrequency, txn, tables)
    } else {
      var document = try seek(start, txn, tables)
      while document <= end {
        let found = evidence(document)
        candidates.merge(
          document, found, terms.group, tier: terms.tier(of: found),
          worth: terms.worth(of: document))
        document = try seek(document + 1, txn, tables)
      }
    }
    candidates.endMerge()
  }

  /// Enters what the group gives the candidates, and drops those that are shut out by it.
  mutating func join(
    _ candidates: inout Candidates, _ terms: JoinTerms, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) {
    if cursors.count == 1 {
      return try cursors[0].join(&candidates, terms, inverseFrequency, txn, tables)
    }
    var kept = 0
    var known: UInt32 = 0
    var bound = Bound()
    for index in 0..<candidates.count {
      var entry = candidates[index]
      if terms.needed != nil {
        if entry.document > known || known == 0 {
          known = try reach(entry.document, blocks: 1, txn, tables)
          bound = try peak(from: entry.document, through: known, txn, tables)
        }
        let tier = terms.isRequired ? min(entry.tier, terms.tiers[Int(bound.place)]) : entry.tier
        if terms.shutsOut(entry, with: bound.score, tier: tier) { continue }
      }
      if try seek(entry.document, txn, tables) == entry.document {
        let found = evidence(entry.document)
        candidates.enter(found, in: &entry, terms.group, tier: terms.tier(of: found))
      } else if terms.isRequired {
        continue
      }
      candidates[kept] = entry
      kept += 1
    }
    candidates.keep(kept)
  }

  /// Whether it is one list of one term, which can tell where it stands as it is read.
  var hasPlaces: Bool { cursors.count == 1 && cursors[0].hasPlaces }

  /// Whether it can tell where its terms stand.
  var hasPositions: Bool { positions != nil }

  /// Adds where its terms stand in a merged document, in order; documents come in rising order.
  mutating func places(
    of document: UInt32, into places: inout [UInt64], _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) {
    guard let count = positions?.count else { throw IndexDamage.postings }
    for index in 0..<count {
      try positions?[index].places(of: document, into: &places, txn, tables)
    }
    if count > 1 { places.sort() }
  }

  /// What the group says about its present document.
  struct Evidence: Sendable {
    var score = 0.0
    /// Best place in a title by a term that is no misspelling.
    var place: UInt8 = 0
    /// Whether only misspellings match.
    var isTypo = true
    var isPresent = false
  }

  /// The contribution of the present document.
  ///
  /// Changes nothing; `mutating` has it called in place, where else the group would be copied.
  mutating func evidence(_ document: UInt32) -> Evidence {
    var evidence = Evidence(isPresent: true)
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
      inverseFrequency: inverseFrequency, weighted: ScoreFormula.frequency(weighted: weighted))
    return evidence
  }
}
