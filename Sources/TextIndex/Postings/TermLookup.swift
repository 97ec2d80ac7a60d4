internal import LMDB
internal import Text

/// Finds terms in the dictionary and among the buffered documents.
struct TermLookup {
  let tables: IndexTables
  let pending: WriteBuffer

  func term(
    _ space: TermSpace, _ bytes: [UInt8], _ match: TermMatch, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Candidate? {
    let key = [space.rawValue] + bytes
    var candidate = Candidate(entry: nil, pending: nil, match: match, documentCount: 0)
    if let entry = try tables.entry(key, txn) {
      candidate.entry = entry
      candidate.documentCount = UInt64(entry.documentCount)
    }
    if let index = pending.vocabulary.find(key) {
      candidate.pending = index
      candidate.documentCount += UInt64(pending.counts[Int(index)])
    }
    return candidate.documentCount > 0 ? candidate : nil
  }

  /// All terms of a space that begin with the bytes, in byte order as far as stored, at most
  /// `IndexLimits.prefixTermCount`; of these those whose keys are wanted.
  /// - Complexity: O(terms found + pending terms).
  func terms(
    _ space: TermSpace, prefix: [UInt8], _ match: TermMatch, _ txn: borrowing ReadTransaction,
    where isWanted: ((_ key: [UInt8]) -> Bool)? = nil
  ) throws(CairnError) -> [Candidate] {
    let key = [space.rawValue] + prefix
    var waiting = pending.vocabulary.indices(withPrefix: key)
    if let isWanted { waiting = waiting.filter { isWanted(Array(pending.vocabulary.keys[$0])) } }
    var result: [Candidate] = []
    try tables.walkTerms(from: key, txn) { (name, stored, delta) throws(CairnError) in
      guard name.hasPrefix(key.rawSpan) else { return .stop }
      if let isWanted, !isWanted(name.array()) { return .next }
      guard let entry = try DictionaryEntry(stored: stored, delta: delta) else { return .next }
      take(entry, name, match, &waiting, &result)
      return result.count < IndexLimits.prefixTermCount ? .next : .stop
    }
    for index in waiting.sorted() {
      result.append(
        Candidate(
          entry: nil, pending: index, match: match,
          documentCount: UInt64(pending.counts[Int(index)])))
    }
    return result
  }

  /// Adds a merged term, with its buffered documents where it has some.
  private func take(
    _ entry: DictionaryEntry, _ key: RawSpan, _ match: TermMatch, _ waiting: inout Set<UInt32>,
    _ result: inout [Candidate]
  ) {
    var candidate = Candidate(
      entry: entry, pending: nil, match: match, documentCount: UInt64(entry.documentCount))
    if !waiting.isEmpty, let index = pending.vocabulary.find(key.array()) {
      candidate.pending = index
      candidate.documentCount += UInt64(pending.counts[Int(index)])
      waiting.remove(index)
    }
    result.append(candidate)
  }

  /// The edits allowed for the length of a word: none below four letters, one up to seven, two from
  /// eight; none for what holds digits.
  static func editCountMax(_ word: [UInt8]) -> Int {
    let letterCount = TermKey.scalarCount(word)
    guard letterCount >= 4, !word.contains(where: { $0 >= 0x30 && $0 <= 0x39 }) else { return 0 }
    return letterCount < 8 ? 1 : 2
  }

  /// Words within so many edits; the first letter stays.
  /// - Complexity: O(words with that first letter), beginnings that cannot match are skipped.
  func misspellings(of word: [UInt8], edits: Int, isOpen: Bool, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [(key: [UInt8], edits: Int)]
  {
    var typo = TypoAutomaton(pattern: word, maxEdits: edits, prefix: isOpen)
    var end = 1
    while end < word.count, word[end] & 0xC0 == 0x80 { end += 1 }
    let first = [TermSpace.word.rawValue] + word[..<end]
    var result: [(key: [UInt8], edits: Int)] = []
    for index in pending.vocabulary.indices(withPrefix: first) {
      let key = Array(pending.vocabulary.keys[index])
      if case .within(let edits) = typo.match(Array(key.dropFirst())) {
        result.append((key, edits))
      }
    }
    try scan(first, &typo, &result, txn)
    return result
  }

  private func scan(
    _ first: [UInt8], _ typo: inout TypoAutomaton, _ result: inout [(key: [UInt8], edits: Int)],
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let vocabulary = pending.vocabulary
    var key: [UInt8] = []
    // The beginning that cannot match, and how many words with it were passed.
    var deadCount = 0
    var passedCount = 0
    try tables.walkTerms(from: first, txn) { (name, _, _) throws(CairnError) in
      if deadCount > 0, name.hasPrefix(key.rawSpan.extracting(..<deadCount)) {
        passedCount += 1
        guard passedCount >= Self.passedCountMax else { return .next }
        return Self.successor(Array(key[..<deadCount])).map { .seek($0) } ?? .stop
      }
      deadCount = 0
      guard name.hasPrefix(first.rawSpan) else { return .stop }
      key.removeAll(keepingCapacity: true)
      key.append(name)
      switch typo.match(key.span.extracting(1...)) {
      case .within(let edits): if vocabulary.find(key) == nil { result.append((key, edits)) }
      case .outside: break
      case .dead(let byteCount):
        deadCount = byteCount + 1
        passedCount = 0
      }
      return .next
    }
  }

  /// Words with one beginning that are passed one by one before what comes behind all of them is
  /// sought: to seek takes as long as to pass some four, and most beginnings have no more.
  private static let passedCountMax = 4

  /// The least key behind all that begin with the bytes.
  static func successor(_ prefix: [UInt8]) -> [UInt8]? {
    var key = prefix
    while let last = key.popLast() {
      guard last < 0xFF else { continue }
      key.append(last + 1)
      return key
    }
    return nil
  }
}

extension TermLookup {
  /// Whether a candidate is the term with exactly this key.
  func isTerm(_ candidate: Candidate, _ key: [UInt8], _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Bool
  {
    if let index = candidate.pending { return pending.vocabulary.find(key) == index }
    guard let entry = try tables.entry(key, txn) else { return false }
    return entry.term == candidate.entry?.term
  }
}
