internal import LMDB

/// Adds up the postings of many terms in some documents only: those that the other words of a query
/// leave.
///
/// Most blocks of rare terms have none of them, and of the others most postings need one look at a
/// bit.
struct SelectedUnion {
  private let selection: DocumentBits
  /// Impacts as units · 4 + place, by place in the selection; 0 where there is none.
  private var sums: [UInt32]

  init(_ selection: DocumentBits) {
    self.selection = selection
    sums = Array(repeating: 0, count: selection.count)
  }

  /// Adds postings, given as document · 2³² + impact.
  mutating func add(_ postings: [UInt64]) {
    for posting in postings {
      let document = UInt32(truncatingIfNeeded: posting >> 32)
      guard selection.contains(document) else { continue }
      let at = selection.index(of: document)
      sums[at] = PostingUnion.sum(sums[at], UInt32(truncatingIfNeeded: posting))
    }
  }

  /// Adds the postings of a block for a term that stands for a word in some way.
  mutating func add(_ documents: [UInt32], _ impacts: [UInt32], _ way: TermMatch) {
    for index in 0..<min(documents.count, impacts.count) where selection.contains(documents[index])
    {
      let at = selection.index(of: documents[index])
      sums[at] = PostingUnion.sum(sums[at], BoundUnion.weighted(impacts[index], way))
    }
  }

  /// The list, in order of documents.
  consuming func finish() -> MemoryPostings {
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    var at = 0
    selection.forEach { document in
      if sums[at] != 0 {
        documents.append(document)
        impacts.append(sums[at])
      }
      at += 1
    }
    return MemoryPostings(documents, impacts)
  }
}

extension [TermCursor] {
  /// The merged documents up to one that have a term of the lists; buffered ones may be missing.
  /// - Complexity: O(postings of the terms + last document / 64).
  func documents(
    through last: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> DocumentBits {
    var words = [UInt64](repeating: 0, count: Int(last) / 64 + 1)
    for var cursor in self {
      try cursor.visitBlocks(txn, tables) { documents, _ in
        for document in documents where document <= last {
          words[Int(document >> 6)] |= 1 << UInt64(document & 63)
        }
      }
    }
    return DocumentBits(words, last: last)
  }
}
