internal import LMDB

extension TermCursor {
  /// What the present posting gives a group of this list alone.
  @inline(__always)
  private func evidence(_ impact: UInt32, _ inverseFrequency: Double) -> TermGroup.Evidence {
    let score = ScoreFormula.contribution(
      inverseFrequency: inverseFrequency,
      weighted: ScoreFormula.frequency(weighted: UInt64(weight) * UInt64(impact >> 2))
    )
    if match == .typo { return TermGroup.Evidence(isPresent: true, score: score) }
    // A title that only begins with the word is not the word.
    let place = min(UInt8(impact & 3), match == .whole ? 3 : 2)
    return TermGroup.Evidence(isPresent: true, score: score, place: place, isTypo: false)
  }

  /// What no posting from the present block up to a document exceeds; nil when more rows would have
  /// to be read to know.
  func peak(through last: UInt32) -> SIMD4<UInt32>? {
    var units = bound.units
    guard blockEnd < last else { return units }
    var next = block + 1
    if isStored {
      guard chunk.lastDocument >= last else { return nil }
      while next < chunk.blockCount {
        units = pointwiseMax(units, chunk.bound(next).units)
        if chunk.lastDocument(of: next) >= last { break }
        next += 1
      }
      return units
    }
    while next < memory.blockCount {
      units = pointwiseMax(units, memory.bounds[next].units)
      if memory.bounds[next].lastDocument >= last { return units }
      next += 1
    }
    for bound in tail?.bounds ?? [] { units = pointwiseMax(units, bound.units) }
    return units
  }

  /// The last document of the blocks from the present one on, so many or as many as are at hand.
  func reach(blocks count: Int) -> UInt32 {
    guard blockEnd != Self.end else { return Self.end }
    if isStored { return chunk.lastDocument(of: min(block + count, chunk.blockCount) - 1) }
    return memory.bounds[min(block + count, memory.blockCount) - 1].lastDocument
  }

  /// Merges the documents of a range in whose units reach what their place needs.
  mutating func merge(
    into candidates: inout Candidates,
    from start: UInt32,
    through end: UInt32,
    least: SIMD4<UInt32>,
    _ terms: JoinTerms,
    _ inverseFrequency: Double,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    var target = start
    while target <= end {
      try approach(target, txn, tables)
      guard blockEnd != Self.end else { return }
      if !isHopeless(least) {
        if !isDecoded { try decode() }
        at = Self.position(of: target, in: documents, from: at, to: high)
        while at < high, documents[at] <= end {
          let found = impacts[at]
          if found >> 2 >= least[Int(found & 3)] {
            let evidence = evidence(found, inverseFrequency)
            candidates.merge(documents[at], evidence, terms.group, tier: terms.tier(of: evidence))
          }
          at += 1
        }
        // The last one is looked at again: a cursor never stands behind its block.
        at = min(at, high - 1)
      }
      guard blockEnd < end else { return }
      target = blockEnd + 1
    }
  }

  /// Whether no posting of the present block reaches what its place needs.
  func isHopeless(_ least: SIMD4<UInt32>) -> Bool {
    let units = bound.units
    for place in 0..<4 where units[place] > 0 && units[place] >= least[place] { return false }
    return true
  }

  /// Enters what the list gives the candidates, and drops those that are shut out by it.
  mutating func join(
    _ candidates: inout Candidates,
    _ terms: JoinTerms,
    _ inverseFrequency: Double,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    var kept = 0
    var known: UInt32 = 0
    var ceiling = 0.0
    var ceilingTier: UInt8 = 0
    for index in 0..<candidates.count {
      var entry = candidates[index]
      if known < entry.document || known == 0 {
        try approach(entry.document, txn, tables)
        known = blockEnd
        ceiling = evidence(bound.greatest << 2, inverseFrequency).score
        ceilingTier = match == .typo ? 0 : terms.tiers[min(bound.place, match == .whole ? 3 : 2)]
      }
      if known == Self.end {
        if terms.isRequired { break }
        ceiling = 0
      }
      let tier = terms.isRequired ? min(entry.tier, ceilingTier) : entry.tier
      if terms.shutsOut(entry.text + ceiling, tier: tier) { continue }
      if known != Self.end {
        if !isDecoded { try decode() }
        at = Self.position(of: entry.document, in: documents, from: at, to: high)
        guard at < high else { throw PostingCode.damaged }
        if documents[at] == entry.document {
          let found = evidence(impacts[at], inverseFrequency)
          candidates.enter(found, in: &entry, terms.group, tier: terms.tier(of: found))
        } else if terms.isRequired {
          continue
        }
      }
      candidates[kept] = entry
      kept += 1
    }
    candidates.keep(kept)
  }
}
