internal import LMDB

/// Collects the postings of many terms into one list, adding up what falls on one document.
struct PostingUnion {
  /// By document, when that is less work than sorting.
  private var dense: [UInt32] = []
  private var sparse: [(document: UInt32, impact: UInt32)] = []
  private let isDense: Bool
  /// Keeps sums inside 30 bits: what is worth more is worth no more.
  private static let unitsMax: UInt32 = 1 << 26

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

  /// Adds the postings of a block, impacts as above.
  mutating func add(_ documents: [UInt32], _ impacts: [UInt32]) {
    for index in documents.indices { add(documents[index], impacts[index]) }
  }

  private static func sum(_ left: UInt32, _ right: UInt32) -> UInt32 {
    min(left >> 2 + right >> 2, unitsMax) << 2 | max(left & 3, right & 3)
  }

  /// The list, in order of documents.
  consuming func finish() -> MemoryPostings {
    var result = MemoryPostings()
    func append(_ document: UInt32, _ impact: UInt32) {
      result.append(document, units: impact >> 2, place: UInt8(truncatingIfNeeded: impact & 3))
    }
    if isDense {
      for document in dense.indices where dense[document] != 0 {
        append(UInt32(truncatingIfNeeded: document), dense[document])
      }
      return result
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
      append(document, impact)
    }
    return result
  }
}
