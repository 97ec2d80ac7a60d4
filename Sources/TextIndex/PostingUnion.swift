internal import LMDB

/// Collects the postings of many terms into one list, adding up what falls on one document.
struct PostingUnion {
  /// By document, when that is less work than sorting.
  private var dense: [UInt64] = []
  private var sparse: [Posting] = []
  private let isDense: Bool

  init(documentCount: UInt32, postingCount: UInt64) {
    isDense = postingCount > 4_096 && postingCount * 16 > UInt64(documentCount)
    if isDense { dense = Array(repeating: 0, count: Int(documentCount) + 1) }
  }

  /// Adds a posting.
  mutating func add(_ posting: Posting) {
    guard isDense else { return sparse.append(posting) }
    let at = Int(posting.document)
    guard at < dense.count else { return }
    guard dense[at] != 0 else {
      dense[at] = posting.occurrence.packed
      return
    }
    var sum = Occurrence(packed: dense[at])
    sum.formUnion(posting.occurrence)
    dense[at] = sum.packed
  }

  /// The list, in order of documents.
  consuming func finish() -> MemoryPostings {
    var result = MemoryPostings()
    let unknown = FieldLengths(packed: 0)
    if isDense {
      for document in dense.indices where dense[document] != 0 {
        let posting = Posting(
          document: UInt32(truncatingIfNeeded: document),
          occurrence: Occurrence(packed: dense[document])
        )
        result.append(posting, unknown)
      }
      return result
    }
    sparse.sort { $0.document < $1.document }
    var last: Posting?
    for posting in sparse {
      if last?.document == posting.document {
        last?.occurrence.formUnion(posting.occurrence)
      } else {
        if let last { result.append(last, unknown) }
        last = posting
      }
    }
    if let last { result.append(last, unknown) }
    return result
  }
}

extension TermCursor {
  /// Visits all postings of a fresh cursor.
  consuming func forEach(
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables,
    _ visit: (Posting) -> Void
  ) throws(StorageError) {
    var cursor = self
    var document = try cursor.seek(1, txn, tables)
    while document != Self.end {
      visit(Posting(document: document, occurrence: cursor.occurrence))
      document = try cursor.seek(document + 1, txn, tables)
    }
  }
}
