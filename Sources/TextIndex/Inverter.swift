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
  /// Whether a term is a pair of unspaced characters, or a part of a word.
  private var isPair: [Bool] = []
  private var isPart: [Bool] = []
  /// Whether every term of the dictionary is in the vocabulary, so that unknown means new.
  private var isComplete = false
  /// `IndexState.stamp` at the last write.
  private var stamp: UInt64?
  /// Whether ids were given that the store does not know yet.
  private var isDirty = false

  // The batch.
  private(set) var postingTerms: [UInt32] = []
  private(set) var postingDocuments: [UInt32] = []
  private(set) var postingOccurrences: [UInt64] = []
  private(set) var batchCounts: [UInt32] = []
  private(set) var touched: [UInt32] = []
  private(set) var firstDocument: UInt32 = 0
  private(set) var lengths: [FieldLengths] = []

  // The document being added.
  private var marks: [UInt32] = []
  private var slots: [Int] = []

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

  /// Makes a vocabulary index known and gives it a term id: the stored one or the next.
  mutating func resolve(
    _ index: UInt32,
    _ state: inout IndexState,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables,
    _ key: inout ByteWriter
  ) throws(StorageError) {
    while terms.count < vocabulary.count {
      let index = UInt32(terms.count)
      isPair.append(vocabulary.isPair(index))
      isPart.append(vocabulary.space(index) == 1)
      terms.append(Self.unknownTerm)
      documentCounts.append(0)
      batchCounts.append(0)
      marks.append(0)
      slots.append(0)
    }
    let at = Int(index)
    guard terms[at] == Self.unknownTerm else { return }
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
    if lengths.isEmpty { firstDocument = document }
    precondition(
      document == firstDocument + UInt32(lengths.count),
      "documents are added without gaps"
    )
    isDirty = true
    lengths.append(FieldLengths(tokens.lengths))
    for token in tokens.tokens {
      let term = Int(token.term)
      if marks[term] != document {
        marks[term] = document
        slots[term] = postingTerms.count
        if batchCounts[term] == 0 { touched.append(token.term) }
        batchCounts[term] += 1
        postingTerms.append(token.term)
        postingDocuments.append(document)
        postingOccurrences.append(0)
      }
      var occurrence = Occurrence(packed: postingOccurrences[slots[term]])
      occurrence.count(Int(token.kind))
      if token.kind == 0 {
        occurrence.raise(tokens.place(token, isPair: isPair[term], isPart: isPart[term]))
      }
      postingOccurrences[slots[term]] = occurrence.packed
    }
  }

  /// The lengths of a document of the batch.
  func lengths(of document: UInt32) -> FieldLengths { lengths[Int(document - firstDocument)] }

  /// Empties the batch after it was written under a new stamp.
  mutating func finishBatch(stamp: UInt64) {
    for index in touched { batchCounts[Int(index)] = 0 }
    touched.removeAll(keepingCapacity: true)
    postingTerms.removeAll(keepingCapacity: true)
    postingDocuments.removeAll(keepingCapacity: true)
    postingOccurrences.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    self.stamp = stamp
    isDirty = false
  }
}
