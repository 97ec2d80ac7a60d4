internal import LMDB

/// What postings give a group of one list; apart from the list, which a call on it would copy.
struct ImpactScale: Sendable {
  let weight: UInt64
  let isTypo: Bool
  /// A title that only begins with the word is not the word.
  let placeMax: UInt8
  let inverseFrequency: Double

  init(weight: UInt32, _ match: TermMatch, _ inverseFrequency: Double) {
    self.weight = UInt64(weight)
    isTypo = match == .typo
    placeMax = match == .whole ? 3 : 2
    self.inverseFrequency = inverseFrequency
  }

  /// The best score and tier of any posting of a block.
  @inline(__always) func best(of bound: BlockBound, _ terms: JoinTerms) -> (
    score: Double, tier: UInt8
  ) {
    let tier = isTypo ? 0 : terms.tiers[min(bound.place, Int(placeMax))]
    return (evidence(bound.greatest << 2).score, tier)
  }

  @inline(__always) func evidence(_ impact: UInt32) -> TermGroup.Evidence {
    let score = ScoreFormula.contribution(
      inverseFrequency: inverseFrequency,
      weighted: ScoreFormula.frequency(weighted: weight * UInt64(impact >> 2)))
    if isTypo { return TermGroup.Evidence(score: score, isPresent: true) }
    let place = min(UInt8(impact & 3), placeMax)
    return TermGroup.Evidence(score: score, place: place, isTypo: false, isPresent: true)
  }
}

/// Postings of the rarest group in one window, those that may enter.
struct LeadPostings {
  /// Postings of the present block, or of the whole list.
  let documents: [UInt32]
  let impacts: [UInt32]
  /// Which of them may enter.
  let selected: [UInt32]
  let scale: ImpactScale
  let terms: JoinTerms

  /// The first selected posting from one on whose document is behind the one given.
  func end(behind document: UInt32, from start: Int) -> Int {
    var low = start
    var high = selected.count
    while low < high {
      let middle = (low + high) / 2
      if documents[Int(selected[middle])] <= document { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Moves to the first posting of a range whose document a block of another list has too; false
  /// when there is none.
  @inline(__always) func match(
    _ next: inout Int, to stop: Int, in others: [UInt32], _ at: inout Int, to high: Int
  ) -> Bool {
    let stop = min(stop, selected.count)
    let high = min(high, others.count)
    return unsafe documents.withUnsafeBufferPointer { documents in
      unsafe selected.withUnsafeBufferPointer { selected in
        unsafe others.withUnsafeBufferPointer { others in
          // SAFETY: `next` and `at` stay below the counts, and what is selected are indices of
          // `documents`.
          while next < stop {
            let wanted = unsafe documents[Int(selected[next])]
            while at &+ 8 <= high, unsafe others[at &+ 7] < wanted { at &+= 8 }
            if at &+ 8 <= high {
              // Adding up is quicker than guessing where to stop.
              var step = 0
              for index in 0..<8 { step &+= unsafe others[at &+ index] < wanted ? 1 : 0 }
              at &+= step
            } else {
              while at < high, unsafe others[at] < wanted { at &+= 1 }
            }
            guard at < high else { return false }
            if unsafe others[at] == wanted { return true }
            next &+= 1
          }
          return false
        }
      }
    }
  }
}

extension TermCursor {
  /// Selects the postings of the present block in a range whose units reach what their place needs,
  /// as indices.
  mutating func select(
    from start: UInt32, through end: UInt32, least: SIMD4<UInt32>, into selected: inout [UInt32],
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(StorageError) {
    selected.removeAll(keepingCapacity: true)
    try approach(start, txn, tables)
    guard blockEnd != Self.end, !isHopeless(least) else { return }
    if !isDecoded { try decode() }
    at = Self.position(of: start, in: documents, from: at, to: high)
    if least == SIMD4() {
      let behind = end == .max ? end : end + 1
      let stop = Self.position(of: behind, in: documents, from: at, to: high)
      selected.append(contentsOf: UInt32(at)..<UInt32(stop))
      return
    }
    var index = at
    while true {
      index = Self.next(from: index, to: high, in: impacts, least)
      guard index < high, documents[index] <= end else { return }
      selected.append(UInt32(truncatingIfNeeded: index))
      index += 1
    }
  }

  /// Adds the documents that this list has too, unless that shuts them out.
  mutating func intersect(
    _ lead: LeadPostings, into candidates: inout Candidates, _ terms: JoinTerms,
    _ inverseFrequency: Double, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(StorageError) {
    let scale = ImpactScale(weight: weight, match, inverseFrequency)
    candidates.places.removeAll(keepingCapacity: true)
    var next = 0
    if let bits { next = try intersect(lead, bits, into: &candidates, terms, scale, txn, tables) }
    while next < lead.selected.count {
      try approach(lead.documents[Int(lead.selected[next])], txn, tables)
      guard blockEnd != Self.end else { return }
      let stop = lead.end(behind: blockEnd, from: next)
      if !isDecoded {
        guard Self.mayEnter(bound, lead, next..<stop, scale, terms) else {
          next = stop
          continue
        }
        try decode()
      }
      var found = at
      while lead.match(&next, to: stop, in: documents, &found, to: high) {
        at = found
        if var entry = Self.entry(lead, next, scale.evidence(impacts[found]), &candidates, terms) {
          if terms.wantsPlaces(entry) { try keepPlaces(&entry, &candidates, txn, tables) }
          candidates.append(entry)
        }
        next += 1
      }
      // The block ends at the last of them or later, unless it is damaged.
      guard next >= stop else { throw PostingCode.damaged }
      at = min(found, high - 1)
    }
  }

  /// The same for the part of a list that has bits.
  ///
  /// - Returns: The first selected posting behind that part.
  private mutating func intersect(
    _ lead: LeadPostings, _ bits: DocumentBits, into candidates: inout Candidates,
    _ terms: JoinTerms, _ scale: ImpactScale, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> Int {
    let stop = lead.end(behind: bits.last, from: 0)
    var next = 0
    while true {
      next = bits.first(of: lead.selected, in: lead.documents, from: next, to: stop)
      guard next < stop else { return stop }
      let found = bits.index(of: lead.documents[Int(lead.selected[next])])
      if var entry = Self.entry(lead, next, scale.evidence(impacts[found]), &candidates, terms) {
        if terms.wantsPlaces(entry) {
          try stand(at: found)
          try keepPlaces(&entry, &candidates, txn, tables)
        }
        candidates.append(entry)
      }
      next += 1
    }
  }

  /// Makes a posting in memory the present one.
  mutating func stand(at index: Int) throws(StorageError) {
    let wanted = index / IndexLimits.blockPostingCount
    if wanted != block || !isDecoded {
      enter(wanted, memory.bounds[wanted])
      try decode()
    }
    at = index
  }

  /// Whether one of the lead's postings may enter with the best of a block.
  private static func mayEnter(
    _ bound: BlockBound, _ lead: LeadPostings, _ range: Range<Int>, _ scale: ImpactScale,
    _ terms: JoinTerms
  ) -> Bool {
    guard terms.needed != nil else { return true }
    let best = scale.best(of: bound, terms)
    for index in range {
      let first = lead.scale.evidence(lead.impacts[Int(lead.selected[index])])
      let tier = min(lead.terms.tier(of: first), best.tier)
      if !terms.shutsOut(first.score + best.score, tier: tier) { return true }
    }
    return false
  }

  /// A candidate of what both lists give; nil when it is shut out.
  @inline(__always) private static func entry(
    _ lead: LeadPostings, _ index: Int, _ found: TermGroup.Evidence, _ candidates: inout Candidates,
    _ terms: JoinTerms
  ) -> Candidates.Entry? {
    let posting = Int(lead.selected[index])
    let first = lead.scale.evidence(lead.impacts[posting])
    let tier = min(lead.terms.tier(of: first), terms.tier(of: found))
    if terms.shutsOut(first.score + found.score, tier: tier) { return nil }
    let document = lead.documents[posting]
    var entry = candidates.entry(document, first, lead.terms.group, tier: tier, at: posting)
    candidates.enter(found, in: &entry, terms.group, tier: tier)
    return entry
  }
}
