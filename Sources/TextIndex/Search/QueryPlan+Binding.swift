internal import LMDB
internal import Text

/// Binds the words of a query to postings lists.
struct QueryBinder {
  let lookup: TermLookup
  let cache: UnionCache
  let exact: Bool
  let typoTolerant: Bool
  /// Whether misspellings are let in for every word, not only for those hardly found as typed.
  let forcesTypos: Bool
  /// Whether a document must have all words.
  var needsAll = false
  /// Whether titles are asked first for clauses of which a word may be any of many terms.
  var asksTitles = false
  /// Lets in the other words of a family, when endings are looked through.
  var stemmer: Stemmer?
}

extension QueryBinder {
  init(
    _ request: TextIndex.Request, _ facts: DocumentVisibility, _ cache: UnionCache,
    forcesTypos: Bool
  ) {
    self.init(
      lookup: TermLookup(tables: facts.tables, pending: facts.pending), cache: cache,
      exact: request.exact, typoTolerant: request.typoTolerant, forcesTypos: forcesTypos,
      needsAll: request.mode != .any, asksTitles: request.mode != .any && request.limit != nil,
      stemmer: request.stemmer)
  }

  /// Binds all words; a word that nothing stands for gets a group without postings.
  func bind(
    _ plan: inout QueryPlan, _ facts: inout DocumentVisibility, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let needsPositions = plan.elements.count > 1
    for (number, element) in plan.elements.enumerated() {
      var candidates = try finished(element, txn)
      let completions = try completions(element, candidates, plan, &facts, txn)
      if completions == nil { candidates += try longer(element, candidates, txn) }
      if asksForTypos(element) {
        // No short-circuit operator: it would widen the type of the error.
        let helps =
          if forcesTypos { true } else { try isRare(candidates, completions, &facts, txn) }
        if helps {
          // A relative is no misspelling of the word, however close.
          let known = candidates
          candidates += try misspelt(element, &plan, &facts, txn).filter { !$0.isAmong(known) }
        } else {
          plan.leavesOutTypos = true
        }
      }
      if needsPositions {
        register(candidates, number, &plan.positions)
        if let completions { register(completions, number, &plan.positions) }
      }
      plan.groups.append(try group(candidates, completions, element, facts, txn))
      if needsPositions, completions != nil {
        plan.lastWordDocuments = try documents(ofWordIn: candidates, facts, txn)
      }
    }
    plan.leavesOutPhrases = asksTitles && plan.phrases.contains { isOpen($0.groups, plan) }
    if !plan.leavesOutPhrases { try findPhrases(&plan, facts, txn) }
  }

  /// The merged documents of the very word among what stands for it; nil where they are many.
  private func documents(
    ofWordIn candidates: [Candidate], _ facts: DocumentVisibility, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> DocumentBits? {
    let last = facts.state.mergedDocument
    let words = candidates.filter { $0.match == .whole }
    let most = UInt64(last) / IndexLimits.frequentShare
    guard words.allSatisfy({ $0.documentCount < most }) else { return nil }
    return try cursors(words, facts).documents(through: last, txn, lookup.tables)
  }

  /// All that stands for an unfinished word but its family and misspellings, as one list; nil for
  /// other words, where the past cannot be told from the list, and where some of the longer words
  /// are of the family, which comes first.
  private func completions(
    _ element: QueryPlan.Element, _ candidates: [Candidate], _ plan: QueryPlan,
    _ facts: inout DocumentVisibility, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> BoundUnion? {
    guard element.isOpen, !element.term.isPrefix else { return nil }
    let name = UnionName(bytes: element.term.bytes, hasPast: facts.asOf != nil)
    let family = candidates.filter { $0.match == .stem }
    // The past counts all documents of a list.
    let needed = facts.asOf == nil && needsAll ? plan.groups : []
    let rarest = needed.min { $0.documentCount < $1.documentCount }
    var stored = try cache.completions(of: name, within: rarest, facts.state, txn, lookup.tables)
    if stored.isSelected, asksForTypos(element), !forcesTypos,
      !(try isFrequent(stored, &facts, txn))
    {
      stored = try cache.completions(of: name, within: nil, facts.state, txn, lookup.tables)
    }
    guard let union = BoundUnion(stored, name, facts) else { return nil }
    return family.contains { union.contains($0) } ? nil : union
  }

  /// Whether a list of some documents shows that enough have the word.
  private func isFrequent(
    _ list: TermUnion, _ facts: inout DocumentVisibility, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    let enough = IndexLimits.typoHelpCount
    if facts.areAllVisible, list.greatestCount >= UInt64(enough) { return true }
    var cursors = [TermCursor(weight: 1, match: .whole, documentCount: 0, memory: list.postings)]
    return try visibleCount(&cursors, upTo: enough, &facts, txn) >= enough
  }

  private func asksForTypos(_ element: QueryPlan.Element) -> Bool {
    typoTolerant && element.isAlone && element.term.space == .word
  }

  /// Whether a word has no visible document at all, so that its parts are worth a try.
  func isAbsent(
    _ element: QueryPlan.Element, _ facts: inout DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    try visibleCount(try typed(element, txn), upTo: 1, &facts, txn) == 0
  }

  /// Terms that stand for the word without a misspelling.
  func typed(_ element: QueryPlan.Element, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [Candidate]
  {
    let finished = try finished(element, txn)
    return finished + (try longer(element, finished, txn))
  }

  /// The same without the longer ones of an unfinished word.
  private func finished(_ element: QueryPlan.Element, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [Candidate]
  {
    let term = element.term
    var result: [Candidate] = []
    if term.isPrefix {
      let key = [term.space.rawValue] + term.bytes
      for var found in try lookup.terms(term.space, prefix: term.bytes, .completion, txn) {
        if try lookup.isTerm(found, key, txn) { found.match = .whole }
        result.append(found)
      }
      return result
    }
    if let found = try lookup.term(term.space, term.bytes, .whole, txn) { result.append(found) }
    guard term.space == .word, !exact else { return result }
    if let found = try lookup.term(.part, term.bytes, .part, txn) { result.append(found) }
    if element.isAlone, !element.isQuoted { result += try relatives(element, txn) }
    return result
  }

  /// The longer terms that an unfinished word may stand for, without those known.
  private func longer(
    _ element: QueryPlan.Element, _ known: [Candidate], _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [Candidate] {
    guard element.isOpen, !element.term.isPrefix, !exact else { return [] }
    let terms = Set(known.compactMap { $0.entry?.term })
    let pending = Set(known.compactMap { $0.pending })
    var result: [Candidate] = []
    for (space, _) in UnionName.spaces {
      for found in try lookup.terms(space, prefix: element.term.bytes, .completion, txn) {
        if let entry = found.entry, terms.contains(entry.term) { continue }
        if found.entry == nil, let index = found.pending, pending.contains(index) { continue }
        result.append(found)
      }
    }
    return result
  }

  private func isRare(
    _ candidates: [Candidate], _ completions: BoundUnion?, _ facts: inout DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    let enough = IndexLimits.typoHelpCount
    if facts.areAllVisible {
      if candidates.contains(where: { $0.documentCount >= UInt64(enough) }) { return false }
      if let completions, completions.postingCount >= enough { return false }
    }
    if completions?.stored.isSelected == true { return false }
    let apart = completions == nil ? candidates : candidates.filter { $0.match == .stem }
    var cursors = try cursors(apart, facts)
    if let completions { cursors.append(completions.cursor()) }
    return try visibleCount(&cursors, upTo: enough, &facts, txn) < enough
  }

  /// Distinct visible documents of the terms, counted up to a limit.
  func visibleCount(
    _ candidates: [Candidate], upTo limit: Int, _ facts: inout DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Int {
    var cursors = try cursors(candidates, facts)
    return try visibleCount(&cursors, upTo: limit, &facts, txn)
  }

  private func visibleCount(
    _ cursors: inout [TermCursor], upTo limit: Int, _ facts: inout DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Int {
    var seen: Set<UInt32> = []
    for index in cursors.indices {
      var document = try cursors[index].seek(1, txn, lookup.tables)
      while document <= facts.lastDocument, document != TermCursor.end {
        if try facts.isFound(document, txn) { seen.insert(document) }
        if seen.count >= limit { return limit }
        document = try cursors[index].seek(document + 1, txn, lookup.tables)
      }
    }
    return seen.count
  }

  /// The closest misspellings that some visible document has, the most frequent first; all that are
  /// near enough where they are forced.
  private func misspelt(
    _ element: QueryPlan.Element, _ plan: inout QueryPlan, _ facts: inout DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [Candidate] {
    let most = TermLookup.editCountMax(element.term.bytes)
    guard most > 0 else { return [] }
    var result: [Candidate] = []
    for edits in 1...most {
      result += try misspelt(element, edits: edits, &facts, txn)
      // Fewer edits shut more out. What has them may yet lack another word, or be elsewhere.
      guard !forcesTypos, !result.isEmpty else { continue }
      if edits < most || result.count == IndexLimits.typoTermCount { plan.leavesOutTypos = true }
      break
    }
    return result
  }

  /// The misspellings at a number of edits that some visible document has.
  private func misspelt(
    _ element: QueryPlan.Element, edits: Int, _ facts: inout DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [Candidate] {
    var result: [Candidate] = []
    let most = forcesTypos ? .max : IndexLimits.typoTermCount
    for (candidate, _) in try misspellings(of: element, edits: edits, most: most, facts, txn)
    where result.count < most {
      if facts.areAllVisible {
        result.append(candidate)
      } else if try visibleCount([candidate], upTo: 1, &facts, txn) > 0 {
        result.append(candidate)
      }
    }
    return result
  }

  /// All misspellings at a number of edits; where there are more than wanted, the most frequent
  /// first, as of the point asked about.
  func misspellings(
    of element: QueryPlan.Element, edits: Int, most: Int, _ facts: DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [(candidate: Candidate, key: [UInt8])] {
    var found: [(candidate: Candidate, key: [UInt8])] = []
    let word = element.term.bytes
    let near = try lookup.misspellings(of: word, edits: edits, isOpen: element.isOpen, txn)
    // What came later decides nothing about the past, and counting what was there takes a while.
    let countsThen = facts.asOf != nil && near.count { $0.edits == edits } > most
    for (key, distance) in near where distance == edits {
      let term = Array(key.dropFirst())
      guard var candidate = try lookup.term(.word, term, .typo, txn) else { continue }
      candidate.edits = edits
      if countsThen {
        candidate.documentCount = try documentCount([candidate], facts, txn)
        guard candidate.documentCount > 0 else { continue }
      }
      found.append((candidate, key))
    }
    found.sort { left, right in
      if left.candidate.documentCount != right.candidate.documentCount {
        return left.candidate.documentCount > right.candidate.documentCount
      }
      return left.key.lexicographicallyPrecedes(right.key)
    }
    return found
  }

  private func register(_ candidates: [Candidate], _ group: Int, _ positions: inout PositionIndex) {
    for candidate in candidates {
      if let entry = candidate.entry { positions.merged.insert(entry.term, group, candidate.match) }
      if let index = candidate.pending { positions.pending.insert(index, group, candidate.match) }
    }
  }

  private func register(_ completions: BoundUnion, _ group: Int, _ positions: inout PositionIndex) {
    positions.completions = (completions.stored, group)
    for index in completions.pendingTerms { positions.pending.insert(index, group, .completion) }
  }

  /// One cursor per way of standing for the word, in a fixed order: sums must not depend on merges.
  private func group(
    _ candidates: [Candidate], _ completions: BoundUnion?, _ element: QueryPlan.Element,
    _ facts: DocumentVisibility, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> TermGroup {
    var cursors: [TermCursor] = []
    var isMerged = false
    let completion = element.term.isPrefix ? QueryPlan.wholeWeight : QueryPlan.completionWeight
    let classes: [(TermMatch, Int, UInt32)] = [
      (.whole, 0, QueryPlan.wholeWeight), (.part, 0, QueryPlan.partWeight),
      (.stem, 0, QueryPlan.stemWeight), (.completion, 0, completion),
      (.typo, 1, QueryPlan.typoWeights[1]), (.typo, 2, QueryPlan.typoWeights[2]),
    ]
    for (match, edits, weight) in classes {
      if let completions, match != .typo, match != .stem {
        // One list holds all ways of standing for the word but its family and misspellings.
        if match == .whole, completions.postingCount > 0 { cursors.append(completions.cursor()) }
        continue
      }
      let members = candidates.filter { $0.match == match && $0.edits == edits }
      guard !members.isEmpty else { continue }
      if members.count > 1 { isMerged = true }
      if members.count == 1 {
        cursors += try self.cursors(members[0], weight: weight, facts)
      } else {
        cursors.append(try merged(members, weight: weight, facts, txn))
      }
    }
    // Of one list of many terms nobody knows which of them a document has.
    let isKnown = !isMerged && completions == nil
    return TermGroup(
      cursors: cursors, positions: isKnown ? try mergedLists(candidates, facts) : nil,
      inverseFrequency: try inverseFrequency(candidates, completions, facts, txn),
      clause: element.clause)
  }

  /// The lists of all terms, each of which tells where its term stands, without buffered documents.
  func mergedLists(_ candidates: [Candidate], _ facts: DocumentVisibility) throws(CairnError)
    -> [TermCursor]
  {
    var merged = candidates.filter { $0.entry != nil }
    for index in merged.indices { merged[index].pending = nil }
    return try cursors(merged, facts)
  }

  /// How rare the word is: its family counts half, so that a rare word stays rare among frequent
  /// relatives; misspellings only where there is nothing else.
  private func inverseFrequency(
    _ candidates: [Candidate], _ completions: BoundUnion?, _ facts: DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Double {
    let total = facts.asOf == nil ? facts.state.documentCount : facts.lastDocument
    let completed = completions?.documentCount ?? 0
    // What is in the list counts there.
    let others = completed > 0 ? [] : candidates.filter { $0.match != .typo && $0.match != .stem }
    let own = try documentCount(others, facts, txn) + completed
    let family = try documentCount(candidates.filter { $0.match == .stem }, facts, txn)
    let known = own + family > 0 ? own + family : try documentCount(candidates, facts, txn)
    let all = ScoreFormula.inverseFrequency(documentCount: known, total: total)
    guard own > 0, family > 0 else { return all }
    return (ScoreFormula.inverseFrequency(documentCount: own, total: total) + all) / 2
  }

  /// In how many documents the terms are, each counted for itself; of the past, those of then.
  /// - Complexity: O(terms) for the present, O(postings) for the past.
  func documentCount(
    _ candidates: [Candidate], _ facts: DocumentVisibility, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> UInt64 {
    guard facts.asOf != nil, facts.lastDocument < facts.state.documentCount else {
      return candidates.reduce(0) { $0 + $1.documentCount }
    }
    var count: UInt64 = 0
    for var list in try cursors(candidates, facts) {
      try list.visitBlocks(txn, lookup.tables) { documents, _ in
        for document in documents where document <= facts.lastDocument { count += 1 }
      }
    }
    return count
  }

  /// Of the past its ended documents too.
  private func cursors(_ candidate: Candidate, weight: UInt32, _ facts: DocumentVisibility)
    throws(CairnError) -> [TermCursor]
  {
    try TermCursor.lists(of: candidate, weight: weight, facts, withEnded: facts.asOf != nil)
  }

  private func cursors(_ candidates: [Candidate], _ facts: DocumentVisibility) throws(CairnError)
    -> [TermCursor]
  {
    var cursors: [TermCursor] = []
    for candidate in candidates { cursors += try self.cursors(candidate, weight: 1, facts) }
    return cursors
  }

  /// A cursor over many terms that count as one.
  private func merged(
    _ candidates: [Candidate], weight: UInt32, _ facts: DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> TermCursor {
    var union = PostingUnion(
      documentCount: facts.state.documentCount,
      postingCount: candidates.reduce(0) { $0 + $1.documentCount })
    var postings: [UInt64] = []
    for candidate in candidates {
      if let entry = candidate.entry, candidate.pending == nil, !entry.hasList {
        // Most completions are rare: no cursor for them.
        for posting in entry.inline {
          let impact = posting.impact.units << 2 | UInt32(posting.impact.place)
          postings.append(UInt64(posting.document) << 32 | UInt64(impact))
        }
        continue
      }
      for var list in try cursors(candidate, weight: weight, facts) {
        try list.visitBlocks(txn, lookup.tables) { documents, impacts in
          for index in documents.indices {
            postings.append(UInt64(documents[index]) << 32 | UInt64(impacts[index]))
          }
        }
      }
      union.add(postings)
      postings.removeAll(keepingCapacity: true)
    }
    union.add(postings)
    let memory = union.finish().list
    return TermCursor(
      weight: weight, match: candidates[0].match, documentCount: UInt64(memory.documents.count),
      memory: memory)
  }
}
