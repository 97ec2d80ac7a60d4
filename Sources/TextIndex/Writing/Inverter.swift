internal import LMDB

/// Turns documents into postings: remembers every term's id, collects one batch of
/// postings in flat arrays and writes it sorted.
///
/// Kept from batch to batch, so that a long build looks each term up in the dictionary once.
struct Inverter: Sendable {
  /// The terms by number; numbers are also indices into the arrays below.
  private(set) var keys = TermKeys()
  /// Term id by number; `unknownTerm` until looked up.
  private(set) var terms: [UInt32] = []
  /// Whether every term of the dictionary is known here, so that unknown means new.
  private var isComplete = false
  /// `IndexState.stamp` at the last write.
  private(set) var stamp: UInt64?
  /// Whether ids were given that the store does not know yet.
  private var isDirty = false

  /// One posting of the batch.
  struct Entry: Sendable {
    var term: UInt32
    var document: UInt32
    var impact: Impact
    /// Its run in `positions`.
    var positionCount: UInt16
    var positionStart: UInt32
  }

  // The batch.
  private(set) var postings: [Entry] = []
  /// Runs of positions of the postings.
  var positions: [UInt8] = []
  /// Runs that are too long to stand beside their postings.
  private(set) var longRuns: [(term: UInt32, document: UInt32, run: [UInt8])] = []
  private(set) var batchCounts: [UInt32] = []
  private(set) var documentCount = 0
  private(set) var touched: [UInt32] = []

  static let unknownTerm = UInt32.max

  /// One that knows no term yet, for a store whose stamp is as given.
  init(stamp: UInt64? = nil) {
    self.stamp = stamp
    isComplete = stamp == 0
  }

  /// Whether what is known here is true of the state.
  func holds(_ state: IndexState) -> Bool { stamp == state.stamp && !isDirty }

  var postingCount: Int { postings.count }

  /// Takes in new terms, whose numbers follow those known.
  mutating func add(_ new: TermKeys) {
    keys.append(new)
    extend()
  }

  /// Takes in the terms of a vocabulary of which the first ones are known.
  mutating func learn(_ all: TermKeys) {
    keys.append(all, from: keys.count)
    extend()
  }

  private mutating func extend() {
    let count = keys.count - terms.count
    guard count > 0 else { return }
    terms.append(contentsOf: repeatElement(Self.unknownTerm, count: count))
    batchCounts.append(contentsOf: repeatElement(0, count: count))
  }

  /// Gives every term of a document a term id: the stored one or the next.
  mutating func resolve(
    _ document: [TermImpact], _ state: inout IndexState, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables, _ key: inout ByteWriter
  ) throws(CairnError) {
    for entry in document where terms[Int(entry.term)] == Self.unknownTerm {
      try resolve(entry.term, &state, txn, tables, &key)
    }
  }

  private mutating func resolve(
    _ index: UInt32, _ state: inout IndexState, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables, _ key: inout ByteWriter
  ) throws(CairnError) {
    let at = Int(index)
    if !isComplete {
      keys.write(index, to: &key)
      if let row = try txn.get(tables.terms, key.bytes) {
        terms[at] = try DictionaryEntry.termAndCount(row).term
        return
      }
      if let row = try txn.get(tables.delta, key.bytes) {
        terms[at] = try DeltaRow.termAndCount(row).term
        return
      }
    }
    isDirty = true
    terms[at] = state.nextTerm
    state.nextTerm += 1
  }

  /// Adds a document whose terms are resolved.
  /// - Complexity: O(terms).
  mutating func add(_ number: UInt32, _ document: AnalysedDocument) {
    isDirty = true
    documentCount += 1
    var start = 0
    for entry in document.terms {
      let term = Int(entry.term)
      let count = batchCounts[term]
      if count == 0 { touched.append(entry.term) }
      batchCounts[term] = count + 1
      let end = Int(entry.positionEnd)
      let from = positions.count
      if end - start <= PositionCode.inlineByteCountMax {
        positions.append(contentsOf: document.positions[start..<end])
      } else {
        longRuns.append((entry.term, number, Array(document.positions[start..<end])))
        positions.appendVarint(PositionCode.longHead(byteCount: end - start))
      }
      start = end
      postings.append(
        Entry(
          term: entry.term, document: number, impact: entry.impact,
          positionCount: UInt16(truncatingIfNeeded: positions.count - from),
          positionStart: UInt32(truncatingIfNeeded: from)))
    }
  }

  /// Empties the batch after it was written under a new stamp.
  mutating func finishBatch(stamp: UInt64) {
    for index in touched { batchCounts[Int(index)] = 0 }
    touched.removeAll(keepingCapacity: true)
    postings.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    longRuns.removeAll()
    documentCount = 0
    self.stamp = stamp
    isDirty = false
  }
}
