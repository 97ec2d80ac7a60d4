internal import LMDB

extension TermCursor {
  /// What no posting from the present block up to a document exceeds; nil when more rows would have
  /// to be read to know.
  ///
  /// Changes nothing; `mutating` has it called in place, where else the cursor would be copied. So
  /// it is with `reach`.
  mutating func peak(through last: UInt32) -> SIMD4<UInt32>? {
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
  mutating func reach(blocks count: Int) -> UInt32 {
    guard blockEnd != Self.end else { return Self.end }
    if isStored { return chunk.lastDocument(of: min(block + count, chunk.blockCount) - 1) }
    return memory.bounds[min(block + count, memory.blockCount) - 1].lastDocument
  }

  /// Merges the documents of a range in whose units reach what their place needs.
  mutating func merge(
    into candidates: inout Candidates, from start: UInt32, through end: UInt32,
    least: SIMD4<UInt32>, _ bounded: BoundedPostings?, _ terms: JoinTerms,
    _ inverseFrequency: Double, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    let scale = ImpactScale(weight: weight, match, inverseFrequency)
    var target = start
    while target <= end {
      try approach(target, txn, tables)
      guard blockEnd != Self.end else { return }
      let least = bounded?.least(of: target...min(blockEnd, end)) ?? least
      if !isHopeless(least) {
        try select(from: target, through: end, least: least)
        bounded?.keep(&selected, documents, impacts)
        for place in selected {
          let at = Int(place)
          let found = scale.evidence(impacts[at])
          candidates.merge(
            documents[at], found, terms.group, tier: terms.tier(of: found),
            worth: terms.worth(of: documents[at]), at: at)
        }
      }
      guard blockEnd < end else { return }
      target = blockEnd + 1
    }
  }

  /// Selects the postings of the present block in a range whose units reach what their place needs,
  /// as indices.
  private mutating func select(from start: UInt32, through end: UInt32, least: SIMD4<UInt32>)
    throws(CairnError)
  {
    selected.removeAll(keepingCapacity: true)
    if !isDecoded { try decode() }
    at = Self.position(of: start, in: documents, from: at, to: high)
    let behind = end == .max ? end : end + 1
    let stop = Self.position(of: behind, in: documents, from: at, to: high)
    if least == SIMD4() { return selected.append(contentsOf: UInt32(at)..<UInt32(stop)) }
    var index = Self.next(from: at, to: stop, in: impacts, least)
    while index < stop {
      selected.append(UInt32(truncatingIfNeeded: index))
      index = Self.next(from: index + 1, to: stop, in: impacts, least)
    }
    // The last one is looked at again: a cursor never stands behind its block.
    at = min(at, high - 1)
  }

  /// The first index of a range whose units reach what their place needs, the end for none.
  @inline(__always) static func next(
    from start: Int, to end: Int, in impacts: [UInt32], _ least: SIMD4<UInt32>
  ) -> Int {
    unsafe impacts.withUnsafeBufferPointer { impacts in
      let end = min(end, impacts.count)
      let most = UInt32.max >> 2
      // An impact not below it has units enough, or a place in a title.
      let plain = least[0] > most ? UInt32.max : least[0] << 2
      var index = start
      // SAFETY: the index stays below the end, at most the count.
      while index < end {
        let impact = unsafe impacts[index]
        if impact & 3 == 0 {
          if impact >= plain { break }
        } else if impact >> 2 >= least[Int(impact & 3)] {
          break
        }
        index += 1
      }
      return index
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
    _ candidates: inout Candidates, _ terms: JoinTerms, _ inverseFrequency: Double,
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    let scale = ImpactScale(weight: weight, match, inverseFrequency)
    candidates.places.removeAll(keepingCapacity: true)
    var kept = 0
    var known: UInt32 = 0
    var ceiling = (score: 0.0, tier: UInt8(0))
    for index in 0..<candidates.count {
      var entry = candidates[index]
      if known < entry.document || known == 0 {
        try approach(entry.document, txn, tables)
        known = blockEnd
        ceiling = scale.best(of: bound, terms)
      }
      if known == Self.end {
        if terms.isRequired { break }
        ceiling.score = 0
      }
      let tier = terms.isRequired ? min(entry.tier, ceiling.tier) : entry.tier
      if terms.shutsOut(entry, with: ceiling.score, tier: tier) { continue }
      let found = try place(of: entry.document)
      if let found {
        let evidence = scale.evidence(impacts[found])
        candidates.enter(evidence, in: &entry, terms.group, tier: terms.tier(of: evidence))
      } else if terms.isRequired {
        continue
      }
      if terms.shutsOut(entry, with: 0, tier: entry.tier) { continue }
      if found != nil, terms.wantsPlaces(entry) {
        try keepPlaces(&entry, &candidates, txn, tables)
      }
      candidates[kept] = entry
      kept += 1
    }
    candidates.keep(kept)
  }

  /// Where a document stands that the present block would have.
  private mutating func place(of document: UInt32) throws(CairnError) -> Int? {
    guard blockEnd != Self.end else { return nil }
    if !isDecoded { try decode() }
    at = Self.position(of: document, in: documents, from: at, to: high)
    guard at < high else { throw IndexDamage.postings }
    return documents[at] == document ? at : nil
  }

  /// Keeps where the term stands in the present document.
  mutating func keepPlaces(
    _ entry: inout Candidates.Entry, _ candidates: inout Candidates,
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    let start = candidates.places.count
    try places(at: at, into: &candidates.places, txn, tables)
    entry.placesStart = UInt32(truncatingIfNeeded: start)
    entry.placesCount = UInt32(truncatingIfNeeded: candidates.places.count - start)
  }
}
