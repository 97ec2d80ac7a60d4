internal import LMDB

/// Collects the postings of many terms into one list, adding up what falls on one document.
struct PostingUnion {
  /// By document, when that is less work than sorting.
  private var dense: [UInt32] = []
  /// How many postings fell on each document.
  private var counts: [UInt8] = []
  private var sparse: [(document: UInt32, impact: UInt32)] = []
  private let isDense: Bool
  /// Keeps sums inside 30 bits: what is worth more is worth no more.
  private static let unitsMax: UInt32 = 1 << 29

  init(documentCount: UInt32, postingCount: UInt64) {
    isDense = postingCount > 4_096 && postingCount * 16 > UInt64(documentCount)
    if isDense {
      dense = Array(repeating: 0, count: Int(documentCount) + 1)
      counts = Array(repeating: 0, count: dense.count)
    }
  }

  /// Adds a posting, its impact as units · 4 + place.
  mutating func add(_ document: UInt32, _ impact: UInt32) {
    guard isDense else { return sparse.append((document, impact)) }
    let at = Int(document)
    guard at < dense.count else { return }
    dense[at] = dense[at] == 0 ? impact : Self.sum(dense[at], impact)
    counts[at] = counts[at] < .max ? counts[at] + 1 : .max
  }

  /// Adds the postings of a block for a term that stands for a word in some way.
  mutating func add(_ documents: [UInt32], _ impacts: [UInt32], _ way: TermMatch) {
    guard isDense else {
      for index in documents.indices {
        sparse.append((documents[index], BoundCompletions.weighted(impacts[index], way)))
      }
      return
    }
    Self.add(documents, impacts, way, &dense, &counts)
  }

  private static func add(
    _ documents: [UInt32],
    _ impacts: [UInt32],
    _ way: TermMatch,
    _ dense: inout [UInt32],
    _ counts: inout [UInt8]
  ) {
    let end = Swift.min(dense.count, counts.count)
    var dense = dense.mutableSpan
    var counts = counts.mutableSpan
    for index in 0..<Swift.min(documents.count, impacts.count) {
      let at = Int(documents[index])
      guard at < end else { continue }
      let impact = BoundCompletions.weighted(impacts[index], way)
      dense[at] = dense[at] == 0 ? impact : Self.sum(dense[at], impact)
      counts[at] = counts[at] < .max ? counts[at] + 1 : .max
    }
  }

  @inline(__always)
  private static func sum(_ left: UInt32, _ right: UInt32) -> UInt32 {
    min(left >> 2 + right >> 2, unitsMax) << 2 | max(left & 3, right & 3)
  }

  /// The list, in order of documents, and how many postings of it there are up to each.
  consuming func finish() -> (list: MemoryPostings, counts: PostingCounts) {
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    var multiples: [UInt8] = []
    if isDense {
      for document in dense.indices where dense[document] != 0 {
        documents.append(UInt32(truncatingIfNeeded: document))
        impacts.append(dense[document])
        multiples.append(counts[document])
      }
    } else {
      sparse.sort { $0.document < $1.document }
      var at = 0
      while at < sparse.count {
        let document = sparse[at].document
        var impact = sparse[at].impact
        let start = at
        at += 1
        while at < sparse.count, sparse[at].document == document {
          impact = Self.sum(impact, sparse[at].impact)
          at += 1
        }
        documents.append(document)
        impacts.append(impact)
        multiples.append(UInt8(clamping: at - start))
      }
    }
    return (MemoryPostings(documents, impacts), PostingCounts(multiples))
  }
}

/// How many postings were added up into the first so many of a list.
///
/// For the past, whose words are counted as far as they had been written.
struct PostingCounts: Sendable {
  private static let stride = 256
  /// Postings on each document, nil when it is one on each.
  private let multiples: [UInt8]?
  /// Whether some document has more than fit, so that nothing can be told.
  private var isLost = false
  /// Sums up to each 256th document of the list.
  private var sums: [UInt64] = []

  /// One posting on each document.
  init() { multiples = nil }

  init(_ multiples: [UInt8]) {
    self.multiples = multiples
    isLost = multiples.contains(.max)
    var sum: UInt64 = 0
    for (index, count) in multiples.enumerated() {
      if index.isMultiple(of: Self.stride) { sums.append(sum) }
      sum += UInt64(count)
    }
  }

  /// The postings on the first so many documents of the list, nil when that is not known.
  func sum(first count: Int) -> UInt64? {
    guard !isLost else { return nil }
    guard let multiples, count > 0 else { return UInt64(count) }
    let block = (count - 1) / Self.stride
    return multiples[(block * Self.stride)..<count].reduce(sums[block]) { $0 + UInt64($1) }
  }
}
