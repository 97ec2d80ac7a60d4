internal import LMDB

/// Compares single postings with what is known of their document and term.
struct PostingCheck: Sendable {
  let tables: IndexTables
  let documents: AuditedDocuments

  /// Units of one token in a field of the kind and length: most postings are that.
  private let unitsOfOne: [UInt32]
  private static let shortLength = 1_024

  init(_ tables: IndexTables, _ documents: AuditedDocuments) {
    self.tables = tables
    self.documents = documents
    unitsOfOne = (0..<4 * Self.shortLength).map { index in
      var occurrence = Occurrence()
      occurrence.count(index / Self.shortLength)
      let length = UInt32(index % Self.shortLength)
      return Impact(occurrence, lengths: SIMD4(repeating: length)).units
    }
  }

  /// Checks a posting, whose run of positions begins at an offset, and sums up its tokens.
  @inline(__always) func sum(
    _ bytes: RawSpan, _ offset: inout Int, _ term: (id: UInt32, known: AuditedTerm),
    _ posting: (document: UInt32, known: AuditedDocuments.Facts, impact: UInt32),
    _ longRuns: inout Int, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> UInt64 {
    if let place = try PositionCode.sole(bytes, &offset) { return try sum(place, term, posting) }
    var found = Tokens(term.id, term.known, posting.known)
    let start = offset
    if let byteCount = try PositionCode.longByteCount(bytes, from: offset) {
      longRuns += 1
      try PositionCode.skip(1, bytes, &offset, end: bytes.byteCount)
      let run = try LongPositions.get(term.id, posting.document, byteCount: byteCount, txn, tables)
      var end = 0
      try PositionCode.visit(run.rawSpan, &end) { found.add($0, documents) }
      guard end == run.count else { throw IndexDamage.postings }
    } else {
      try PositionCode.visit(bytes, &offset) { found.add($0, documents) }
    }
    var units = units(found, posting.known)
    if let weights = documents.weights(posting.known) {
      var places: [UInt64] = []
      try PositionCode.read(
        bytes, from: start, term.id, posting.document, into: &places, txn, tables)
      units = self.units(places, weights, posting.known)
    }
    guard posting.impact == units << 2 | UInt32(found.occurrence.place) else {
      throw IndexAudit.disagreement("the postings of term \(term.id)")
    }
    return found.sum
  }

  /// The same for the most frequent posting, that of one token.
  @inline(__always) private func sum(
    _ place: UInt64, _ term: (id: UInt32, known: AuditedTerm),
    _ posting: (document: UInt32, known: AuditedDocuments.Facts, impact: UInt32)
  ) throws(CairnError) -> UInt64 {
    var found = Tokens(term.id, term.known, posting.known)
    found.add(place, documents)
    var units = units(found, posting.known)
    if let weights = documents.weights(posting.known) {
      units = self.units([place], weights, posting.known)
    }
    guard posting.impact == units << 2 | UInt32(found.occurrence.place) else {
      throw IndexAudit.disagreement("the postings of term \(term.id)")
    }
    return found.sum
  }

  @inline(__always) private func units(_ found: Tokens, _ facts: AuditedDocuments.Facts) -> UInt32 {
    if found.count == 1 {
      let length = Int(documents.length(facts, found.kind))
      if length < Self.shortLength { return unitsOfOne[found.kind * Self.shortLength + length] }
    }
    return Impact(found.occurrence, lengths: documents.lengths(facts)).units
  }

  /// Units of a term that stands at some places of a document with weights.
  @inline(never) private func units(
    _ places: [UInt64], _ weights: [FieldWeight], _ facts: AuditedDocuments.Facts
  ) -> UInt32 {
    var found = WeightedOccurrence()
    var walk = WeightWalk(weights)
    for place in places {
      let kind = UInt8(truncatingIfNeeded: place >> 32)
      found.count(kind, weight: walk.weight(kind, UInt32(truncatingIfNeeded: place)))
    }
    return Impact(found, place: 0, lengths: documents.lengths(facts)).units
  }

  private struct Tokens {
    let id: UInt32
    let term: AuditedTerm
    let document: AuditedDocuments.Facts
    var sum: UInt64 = 0
    var occurrence = Occurrence()
    var count = 0
    /// Of the last one.
    var kind = 0

    @inline(__always) init(_ id: UInt32, _ term: AuditedTerm, _ document: AuditedDocuments.Facts) {
      self.id = id
      self.term = term
      self.document = document
    }

    @inline(__always) mutating func add(_ place: UInt64, _ documents: borrowing AuditedDocuments) {
      let token = DocumentTokens.Token(
        term: id, position: UInt32(truncatingIfNeeded: place),
        kind: UInt8(truncatingIfNeeded: place >> 32))
      kind = Int(token.kind)
      count += 1
      sum &+= ContentHash.hash(token, term.hash)
      occurrence.count(kind)
      guard kind == 0 else { return }
      sum &+= AuditedDocuments.mix(id, token.position)
      occurrence.raise(documents.place(document, token, isPair: term.isPair, isPart: term.isPart))
    }
  }
}
