internal import LMDB

/// Collects the postings of many terms into one list, adding up what falls on one document.
struct PostingUnion {
  /// By document, when that is less work than sorting.
  private var dense: [UInt32] = []
  private var sparse: [(document: UInt32, impact: UInt32)] = []
  private let isDense: Bool
  /// Keeps sums inside 30 bits: what is worth more is worth no more.
  private static let unitsMax: UInt32 = 1 << 29

  init(documentCount: UInt32, postingCount: UInt64) {
    isDense = postingCount > 4_096 && postingCount * 16 > UInt64(documentCount)
    if isDense { dense = Array(repeating: 0, count: Int(documentCount) + 1) }
  }

  /// Adds a posting, its impact as units · 4 + place.
  mutating func add(_ document: UInt32, _ impact: UInt32) {
    guard isDense else { return sparse.append((document, impact)) }
    let at = Int(document)
    guard at < dense.count else { return }
    dense[at] = dense[at] == 0 ? impact : Self.sum(dense[at], impact)
  }

  /// Adds the postings of a block for a term that stands for a word in some way.
  mutating func add(_ documents: [UInt32], _ impacts: [UInt32], _ way: TermMatch) {
    guard isDense else {
      for index in documents.indices {
        sparse.append((documents[index], BoundCompletions.weighted(impacts[index], way)))
      }
      return
    }
    let sums = Swift.min(documents.count, impacts.count)
    var dense = dense.mutableSpan
    for index in 0..<sums {
      let at = Int(documents[index])
      guard at < dense.count else { continue }
      let impact = BoundCompletions.weighted(impacts[index], way)
      dense[at] = dense[at] == 0 ? impact : Self.sum(dense[at], impact)
    }
  }

  @inline(__always)
  private static func sum(_ left: UInt32, _ right: UInt32) -> UInt32 {
    min(left >> 2 + right >> 2, unitsMax) << 2 | max(left & 3, right & 3)
  }

  /// The list, in order of documents.
  consuming func finish() -> MemoryPostings {
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    if isDense {
      for document in dense.indices where dense[document] != 0 {
        documents.append(UInt32(truncatingIfNeeded: document))
        impacts.append(dense[document])
      }
      return MemoryPostings(documents, impacts)
    }
    sparse.sort { $0.document < $1.document }
    var at = 0
    while at < sparse.count {
      let document = sparse[at].document
      var impact = sparse[at].impact
      at += 1
      while at < sparse.count, sparse[at].document == document {
        impact = Self.sum(impact, sparse[at].impact)
        at += 1
      }
      documents.append(document)
      impacts.append(impact)
    }
    return MemoryPostings(documents, impacts)
  }
}
