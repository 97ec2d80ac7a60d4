/// Collects the postings of many terms into one list, adding up what falls on one document.
struct PostingUnion {
  /// Impacts as units · 4 + place by document, when that is less work than sorting.
  private var dense: [UInt32] = []
  /// How many postings fell on each document, where that is kept.
  private var counts: [UInt8] = []
  /// Document · 2³² + impact.
  private var sparse: [UInt64] = []
  private let isDense: Bool
  private let isCounted: Bool
  /// Keeps sums inside 30 bits: what is worth more is worth no more.
  private static let unitsMax: UInt32 = 1 << 30 - 1

  /// Counts the postings on each document only where the list is asked about its past.
  init(documentCount: UInt32, postingCount: UInt64, isCounted: Bool = false) {
    self.isCounted = isCounted
    isDense = postingCount > 4_096 && postingCount * 8 > UInt64(documentCount)
    if isDense {
      dense = Array(repeating: 0, count: Int(documentCount) + 1)
      if isCounted { counts = Array(repeating: 0, count: dense.count) }
    } else {
      sparse.reserveCapacity(Int(clamping: min(postingCount, 1 << 24)))
    }
  }

  /// Adds postings, given as document · 2³² + impact.
  mutating func add(_ postings: [UInt64]) {
    guard isDense else { return sparse.append(contentsOf: postings) }
    var dense = dense.mutableSpan
    for posting in postings {
      let at = Int(posting >> 32)
      guard at < dense.count else { continue }
      dense[at] = Self.sum(dense[at], UInt32(truncatingIfNeeded: posting))
    }
    if isCounted {
      for posting in postings { Self.count(Int(posting >> 32), &counts) }
    }
  }

  /// Adds the postings of a block for a term that stands for a word in some way.
  mutating func add(_ documents: [UInt32], _ impacts: [UInt32], _ way: TermMatch) {
    guard isDense else {
      for index in 0..<min(documents.count, impacts.count) {
        let impact = BoundUnion.weighted(impacts[index], way)
        sparse.append(UInt64(documents[index]) << 32 | UInt64(impact))
      }
      return
    }
    Self.add(documents, impacts, way, &dense)
    if isCounted {
      for document in documents { Self.count(Int(document), &counts) }
    }
  }

  private static func add(
    _ documents: [UInt32], _ impacts: [UInt32], _ way: TermMatch, _ dense: inout [UInt32]
  ) {
    var dense = dense.mutableSpan
    for index in 0..<min(documents.count, impacts.count) {
      let at = Int(documents[index])
      guard at < dense.count else { continue }
      dense[at] = sum(dense[at], BoundUnion.weighted(impacts[index], way))
    }
  }

  @inline(__always) private static func count(_ document: Int, _ counts: inout [UInt8]) {
    guard document < counts.count, counts[document] < .max else { return }
    counts[document] &+= 1
  }

  @inline(__always) static func sum(_ left: UInt32, _ right: UInt32) -> UInt32 {
    min(left >> 2 &+ right >> 2, unitsMax) << 2 | max(left & 3, right & 3)
  }

  /// The list, in order of documents, and how many postings of it there are up to each, where that
  /// was counted.
  consuming func finish() -> (list: MemoryPostings, counts: PostingCounts) {
    isDense ? finishDense() : finishSparse()
  }

  /// 1 for an impact, 0 for none: without a branch, as none can be foreseen here.
  @inline(__always) private static func step(_ impact: UInt32) -> Int {
    Int(truncatingIfNeeded: (impact | (0 &- impact)) &>> 31)
  }

  private func finishDense() -> (list: MemoryPostings, counts: PostingCounts) {
    var found = 0
    for impact in dense { found &+= Self.step(impact) }
    // One more than there are: each is written before it is known whether it counts.
    var documents = [UInt32](repeating: 0, count: found + 1)
    var impacts = documents
    var at = 0
    var documentSpan = documents.mutableSpan
    var impactSpan = impacts.mutableSpan
    for document in dense.indices {
      let impact = dense[document]
      documentSpan[at] = UInt32(truncatingIfNeeded: document)
      impactSpan[at] = impact
      at &+= Self.step(impact)
    }
    documents.removeLast()
    impacts.removeLast()
    let multiples = isCounted ? documents.map { counts[Int($0)] } : nil
    return (MemoryPostings(documents, impacts), PostingCounts(multiples))
  }

  /// Postings in order of documents; those of one in any, as they are added up.
  /// - Complexity: O(postings), some 5 ns each.
  private static func inOrderOfDocuments(_ postings: [UInt64]) -> [UInt64] {
    guard postings.count > digitCount else { return postings.sorted() }
    let most = postings.max() ?? 0
    var (from, into) = (postings, postings)
    for shift in stride(from: 32, to: 64 - most.leadingZeroBitCount, by: digitBitCount) {
      var places = [Int](repeating: 0, count: digitCount + 1)
      for posting in from { places[digit(posting, shift) + 1] += 1 }
      for digit in 1...digitCount { places[digit] += places[digit - 1] }
      var span = into.mutableSpan
      for posting in from {
        let digit = digit(posting, shift)
        span[places[digit]] = posting
        places[digit] += 1
      }
      swap(&from, &into)
    }
    return from
  }

  private static let digitBitCount = 11
  private static let digitCount = 1 << digitBitCount

  @inline(__always) private static func digit(_ posting: UInt64, _ shift: Int) -> Int {
    Int(truncatingIfNeeded: posting &>> UInt64(shift)) & (digitCount - 1)
  }

  private consuming func finishSparse() -> (list: MemoryPostings, counts: PostingCounts) {
    let sorted = Self.inOrderOfDocuments(sparse)
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    var multiples: [UInt8] = []
    documents.reserveCapacity(sorted.count)
    impacts.reserveCapacity(sorted.count)
    multiples.reserveCapacity(sorted.count)
    var at = 0
    while at < sorted.count {
      let document = sorted[at] >> 32
      var impact = UInt32(truncatingIfNeeded: sorted[at])
      let start = at
      at += 1
      while at < sorted.count, sorted[at] >> 32 == document {
        impact = Self.sum(impact, UInt32(truncatingIfNeeded: sorted[at]))
        at += 1
      }
      documents.append(UInt32(truncatingIfNeeded: document))
      impacts.append(impact)
      multiples.append(UInt8(clamping: at - start))
    }
    return (MemoryPostings(documents, impacts), PostingCounts(isCounted ? multiples : nil))
  }
}

/// How many postings were added up into the first so many of a list.
///
/// For the past, whose words are counted as far as they had been written.
struct PostingCounts: Sendable {
  private static let stride = 256
  /// Postings on each document, nil when it is one on each.
  private let multiples: [UInt8]?
  /// Whether nothing can be told: some document has more than fit, or they were not counted.
  private var isLost = false
  /// Sums up to each 256th document of the list.
  private var sums: [UInt64] = []

  /// One posting on each document.
  init() { multiples = nil }

  /// So many postings on each document, nil when that was not counted.
  init(_ multiples: [UInt8]?) {
    self.multiples = multiples
    guard let multiples else {
      isLost = true
      return
    }
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
