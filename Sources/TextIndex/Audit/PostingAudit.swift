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
  private let tables: IndexTables
  private let ended: DocumentBits
  private(set) var documents: AuditedDocuments
  private(set) var longRunCount = 0

  private var chunk = PostingChunk.Reader()
  private var numbers: [UInt32] = []
  private var impacts: [UInt32] = []
  /// Of the documents of one block.
  private var entries: [AuditedDocuments.Entry] = []

  /// `ended` has the merged documents that have ended.
  init(_ tables: IndexTables, _ documents: AuditedDocuments, ended: DocumentBits) {
    self.tables = tables
    self.ended = ended
    self.documents = documents
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
    try txn.scan(tables.postings) { (key, value) throws(CairnError) in
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
    let impact = posting.impact.units << 2 | UInt32(posting.impact.place)
    let entry = try entry(posting.document, id)
    var offset = 0
    let known = (posting.document, entry, impact)
    var longRuns = 0
    let sum = try sum(run, &offset, (id, term), known, &longRuns, txn)
    longRunCount += longRuns
    documents.entries[Int(posting.document)].sum &+= sum
    guard offset == run.byteCount else { throw IndexDamage.postings }
  }

  /// Checks one row of postings and tells how many there are.
  private mutating func take(
    _ row: RawSpan, _ list: TermList, _ term: AuditedTerm, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Int {
    try chunk.load(row)
    let id = list.term
    var longRuns = 0
    for block in 0..<chunk.blockCount {
      try chunk.decode(block, documents: &numbers, impacts: &impacts)
      // Searches of the present would not find them.
      guard !list.isPast || numbers.allSatisfy({ ended.contains($0) }) else {
        throw IndexAudit.disagreement("the past postings of term \(id)")
      }
      // One after the other, each look-up would wait for memory; in a row they wait together.
      entries.removeAll(keepingCapacity: true)
      for number in numbers { entries.append(try entry(number, id)) }
      let range = try chunk.positions(of: block)
      let bytes = chunk.bytes
      var offset = range.lowerBound
      for index in numbers.indices {
        let posting = (numbers[index], entries[index], impacts[index])
        let runs = bytes.rawSpan.extracting(..<range.upperBound)
        let sum = try sum(runs, &offset, (id, term), posting, &longRuns, txn)
        documents.entries[Int(numbers[index])].sum &+= sum
      }
      guard offset == range.upperBound else { throw IndexDamage.postings }
    }
    longRunCount += longRuns
    return chunk.postingCount
  }

  private func entry(_ number: UInt32, _ term: UInt32) throws(CairnError) -> AuditedDocuments.Entry
  {
    guard number > 0, number < documents.entries.count else {
      throw IndexAudit.disagreement("the postings of term \(term)")
    }
    return documents.entries[Int(number)]
  }

  /// Checks a posting, whose run of positions begins at an offset, and sums up its tokens.
  private func sum(
    _ bytes: RawSpan, _ offset: inout Int, _ term: (id: UInt32, known: AuditedTerm),
    _ posting: (document: UInt32, known: AuditedDocuments.Entry, impact: UInt32),
    _ longRuns: inout Int, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> UInt64 {
    var sum: UInt64 = 0
    var occurrence = Occurrence()
    func add(_ place: UInt64) {
      let token = DocumentTokens.Token(
        term: term.id, position: UInt32(truncatingIfNeeded: place),
        kind: UInt8(truncatingIfNeeded: place >> 32))
      sum &+= ContentHash.hash(token, term.known.hash)
      occurrence.count(Int(token.kind))
      guard token.kind == 0 else { return }
      sum &+= AuditedDocuments.mix(term.id, token.position)
      occurrence.raise(documents.place(token, posting.known, term.known))
    }
    if let byteCount = try PositionCode.longByteCount(bytes, from: offset) {
      longRuns += 1
      try PositionCode.skip(1, bytes, &offset, end: bytes.byteCount)
      let run = try LongPositions.get(term.id, posting.document, byteCount: byteCount, txn, tables)
      var end = 0
      try PositionCode.visit(run.rawSpan, &end, add)
      guard end == run.count else { throw IndexDamage.postings }
    } else {
      try PositionCode.visit(bytes, &offset, add)
    }
    let units = Impact(occurrence, lengths: posting.known.lengths).units
    guard posting.impact == units << 2 | UInt32(occurrence.place) else {
      throw IndexAudit.disagreement("the postings of term \(term.id)")
    }
    return sum
  }
}
