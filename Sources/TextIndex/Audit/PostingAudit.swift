internal import LMDB

/// What an audit knows of one term when it reads postings.
struct AuditedTerm: Sendable {
  /// `Vocabulary.hash` of the term.
  var hash: UInt64 = 0
  /// Documents the dictionary claims.
  var documentCount: UInt32 = 0
  var isKnown = false
  var isPair = false
  var isPart = false

  /// A number without a term.
  init() {}

  /// The term of a key, which must not be empty.
  init(_ key: RawSpan, documentCount: UInt32) {
    let key = key.array()
    hash = Vocabulary.hash(space: key[0], key.span.extracting(1..<key.count))
    self.documentCount = documentCount
    isKnown = true
    isPair = key[0] == 2 && TermKey.scalarCount(key.dropFirst()) > 1
    isPart = key[0] == 1
  }
}

/// Checks the postings of terms, row by row, and sums up their tokens by document.
///
/// Sums do not depend on the order of terms.
struct PostingAudit {
  private let check: PostingCheck
  private let ended: DocumentBits
  /// By number; the sums are over the tokens found here.
  private(set) var documents: [AuditedDocuments.Entry]
  private(set) var longRunCount = 0

  private var chunk = PostingChunk.Reader()
  private var numbers: [UInt32] = []
  private var impacts: [UInt32] = []
  /// What the postings of one block add to the sums; of `blockPostingCount` elements.
  private typealias Added = InlineArray<128, UInt64>

  /// `ended` has the merged documents that have ended.
  init(_ tables: IndexTables, _ documents: AuditedDocuments, ended: DocumentBits) {
    check = PostingCheck(tables, documents)
    self.ended = ended
    self.documents = documents.entries
  }

  /// Checks all postings that have rows of their own.
  /// - Complexity: O(tokens).
  /// - Throws: `.corrupt` naming the first term whose postings disagree.
  mutating func look(at terms: [AuditedTerm], _ txn: borrowing ReadTransaction) throws(CairnError) {
    var present = 0
    var missing = Self.postingCount(terms, 0)
    func skip(to term: Int) throws(CairnError) {
      while present < term {
        guard missing == 0 else { throw IndexAudit.disagreement("the postings of term \(present)") }
        present += 1
        missing = Self.postingCount(terms, present)
      }
    }
    try txn.scan(check.tables.postings) { (key, value) throws(CairnError) in
      let list = try TermList(key: key)
      guard list.term < terms.count else { throw IndexAudit.disagreement("a key of the postings") }
      try skip(to: Int(list.term))
      missing -= try take(value, list, terms[present], txn)
      guard missing >= 0 else { throw IndexAudit.disagreement("the postings of term \(present)") }
      return true
    }
    try skip(to: terms.count)
  }

  /// Postings of a term in rows of their own.
  private static func postingCount(_ terms: [AuditedTerm], _ term: Int) -> Int {
    guard term < terms.count else { return 0 }
    let count = Int(terms[term].documentCount)
    return count > DictionaryEntry.inlineCount ? count : 0
  }

  /// Checks the postings that stand in the dictionary.
  mutating func take(
    _ entry: DictionaryEntry, _ term: AuditedTerm, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    try entry.forEachInline { (posting, run) throws(CairnError) in
      try take(posting, run, entry.term, term, txn)
    }
  }

  /// Checks one posting with its run of positions.
  mutating func take(
    _ posting: Posting, _ run: RawSpan, _ id: UInt32, _ term: AuditedTerm,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let number = Int(posting.document)
    guard number > 0, number < documents.count else {
      throw IndexAudit.disagreement("the postings of term \(id)")
    }
    let impact = posting.impact.units << 2 | UInt32(posting.impact.place)
    let known = (posting.document, documents[number].facts, impact)
    var offset = 0
    documents[number].sum &+= try check.sum(run, &offset, (id, term), known, &longRunCount, txn)
    guard offset == run.byteCount else { throw IndexDamage.postings }
  }

  /// Checks one row of postings and tells how many there are.
  private mutating func take(
    _ row: RawSpan, _ list: TermList, _ term: AuditedTerm, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Int {
    try chunk.load(row)
    let id = list.term
    var longRuns = 0
    var added = Added(repeating: 0)
    for block in 0..<chunk.blockCount {
      try chunk.decode(block, documents: &numbers, impacts: &impacts)
      // Searches of the present would not find them.
      guard !list.isPast || numbers.allSatisfy({ ended.contains($0) }) else {
        throw IndexAudit.disagreement("the past postings of term \(id)")
      }
      try sum(block, (id, term), into: &added, &longRuns, txn)
      Self.add(added, of: numbers, to: &documents)
    }
    longRunCount += longRuns
    return chunk.postingCount
  }

  /// Checks the postings of the block that was decoded.
  private func sum(
    _ block: Int, _ term: (id: UInt32, known: AuditedTerm), into added: inout Added,
    _ longRuns: inout Int, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let (numbers, impacts, known) = (numbers.span, impacts.span, documents.span)
    // One after the other, each look-up would wait for memory; in a row they wait together.
    var room = InlineArray<128, AuditedDocuments.Facts>(repeating: AuditedDocuments.Facts())
    do {
      var facts = room.mutableSpan
      for index in numbers.indices {
        let number = Int(numbers[index])
        guard number > 0, number < known.count else {
          throw IndexAudit.disagreement("the postings of term \(term.id)")
        }
        facts[index] = known[number].facts
      }
    }
    // Through a span: an element of an inline array is taken out of a copy of all.
    let facts = room.span
    var added = added.mutableSpan
    let range = try chunk.positions(of: block)
    let bytes = chunk.bytes.rawSpan.extracting(..<range.upperBound)
    var offset = range.lowerBound
    for index in numbers.indices {
      let posting = (numbers[index], facts[index], impacts[index])
      added[index] = try check.sum(bytes, &offset, term, posting, &longRuns, txn)
    }
    guard offset == range.upperBound else { throw IndexDamage.postings }
  }

  private static func add(
    _ added: borrowing Added, of numbers: [UInt32], to documents: inout [AuditedDocuments.Entry]
  ) {
    let added = added.span
    var documents = documents.mutableSpan
    for index in numbers.indices { documents[Int(numbers[index])].sum &+= added[index] }
  }
}
