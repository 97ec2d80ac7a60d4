internal import LMDB

/// Turns documents into postings: remembers every term's id and count, collects one batch of
/// postings in flat arrays and writes it sorted.
///
/// Kept from batch to batch, so that a long build looks each term up in the dictionary once.
struct Inverter: Sendable {
  /// The terms; indices into it number the arrays below.
  var vocabulary = Vocabulary()
  /// Term id by vocabulary index; `unknownTerm` until looked up.
  private(set) var terms: [UInt32] = []
  /// Documents in the dictionary row by vocabulary index.
  var documentCounts: [UInt32] = []
  /// What adding a document needs of a term, side by side in memory.
  private struct Term: Sendable {
    var mark: UInt32 = 0
    var slot: UInt32 = 0
    var isPair = false
    var isPart = false
  }
  private var states: [Term] = []
  /// Whether every term of the dictionary is in the vocabulary, so that unknown means new.
  private var isComplete = false
  /// `IndexState.stamp` at the last write.
  private var stamp: UInt64?
  /// Whether ids were given that the store does not know yet.
  private var isDirty = false

  // The batch.
  private(set) var postingTerms: [UInt32] = []
  private(set) var postingDocuments: [UInt32] = []
  private(set) var postingImpacts: [UInt16] = []
  private(set) var batchCounts: [UInt32] = []
  private(set) var touched: [UInt32] = []

  // The document being added: its distinct terms and how often they stand in it.
  private var documentTerms: [UInt32] = []
  private var occurrences: [Occurrence] = []

  static let unknownTerm = UInt32.max

  /// Forgets what no longer holds: call at the start of each transaction.
  mutating func synchronize(with state: IndexState) {
    guard stamp != state.stamp || isDirty else { return }
    self = Inverter()
    stamp = state.stamp
    isComplete = state.stamp == 0
  }

  /// Postings in the batch.
  var postingCount: Int { postingTerms.count }

  /// Gives every term of a document a term id: the stored one or the next.
  mutating func resolve(
    _ tokens: DocumentTokens,
    _ state: inout IndexState,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables,
    _ key: inout ByteWriter
  ) throws(StorageError) {
    while terms.count < vocabulary.count {
      let index = UInt32(terms.count)
      states.append(
        Term(isPair: vocabulary.isPair(index), isPart: vocabulary.space(index) == 1)
      )
      terms.append(Self.unknownTerm)
      documentCounts.append(0)
      batchCounts.append(0)
    }
    for token in tokens.tokens where terms[Int(token.term)] == Self.unknownTerm {
      try resolve(token.term, &state, txn, tables, &key)
    }
  }

  private mutating func resolve(
    _ index: UInt32,
    _ state: inout IndexState,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables,
    _ key: inout ByteWriter
  ) throws(StorageError) {
    let at = Int(index)
    if !isComplete {
      vocabulary.write(index, to: &key)
      if let row = try txn.get(tables.terms, key.bytes) {
        var offset = 0
        let term = try PostingCode.varint(row, &offset)
        guard term < UInt64(UInt32.max) else { throw PostingCode.damaged }
        terms[at] = UInt32(term)
        documentCounts[at] = try DictionaryEntry.documentCount(row)
        return
      }
    }
    isDirty = true
    terms[at] = state.nextTerm
    state.nextTerm += 1
  }

  /// Adds a document whose tokens carry resolved vocabulary indices.
  ///
  /// - Complexity: O(tokens).
  mutating func add(_ document: UInt32, _ tokens: DocumentTokens) {
    isDirty = true
    documentTerms.removeAll(keepingCapacity: true)
    occurrences.removeAll(keepingCapacity: true)
    for token in tokens.tokens {
      var state = states[Int(token.term)]
      if state.mark != document {
        state.mark = document
        state.slot = UInt32(truncatingIfNeeded: documentTerms.count)
        states[Int(token.term)] = state
        documentTerms.append(token.term)
        occurrences.append(Occurrence())
      }
      occurrences[Int(state.slot)].count(Int(token.kind))
      if token.kind == 0 {
        let place = tokens.place(token, isPair: state.isPair, isPart: state.isPart)
        occurrences[Int(state.slot)].raise(place)
      }
    }
    for (term, occurrence) in zip(documentTerms, occurrences) {
      if batchCounts[Int(term)] == 0 { touched.append(term) }
      batchCounts[Int(term)] += 1
      postingTerms.append(term)
      postingDocuments.append(document)
      postingImpacts.append(Impact(occurrence, lengths: tokens.lengths).packed)
    }
  }

  /// Empties the batch after it was written under a new stamp.
  mutating func finishBatch(stamp: UInt64) {
    for index in touched { batchCounts[Int(index)] = 0 }
    touched.removeAll(keepingCapacity: true)
    postingTerms.removeAll(keepingCapacity: true)
    postingDocuments.removeAll(keepingCapacity: true)
    postingImpacts.removeAll(keepingCapacity: true)
    self.stamp = stamp
    isDirty = false
  }
}
