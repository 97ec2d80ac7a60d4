internal import Text

/// What an unfinished word of a query may stand for: merged terms, and those of buffered documents.
struct BoundUnion {
  let stored: TermUnion
  /// The longer words in the pending vocabulary.
  private(set) var pendingTerms: [UInt32] = []
  private var pending = MemoryPostings()
  /// Documents of the terms, each counted for itself.
  private(set) var documentCount: UInt64

  /// nil when the list cannot tell how many documents there were at a past point.
  init?(_ stored: TermUnion, _ name: UnionName, _ facts: DocumentVisibility) {
    self.stored = stored
    guard let count = stored.documentCount(through: facts.lastDocument) else { return nil }
    documentCount = count
    let view = facts.pending
    guard !view.documents.isEmpty else { return }
    var found: [(term: UInt32, way: TermMatch)] = []
    for (space, way) in UnionName.spaces {
      let key = [space.rawValue] + name.bytes
      for term in view.vocabulary.indices(withPrefix: key) {
        let isLonger = view.vocabulary.keys[term].count > key.count
        found.append((term, isLonger ? .completion : way))
      }
    }
    pendingTerms = found.filter { $0.way == .completion }.map { $0.term }
    let pendingCount = found.reduce(0) { $0 + UInt64(view.counts[Int($1.term)]) }
    guard pendingCount > 0 else { return }
    let last = facts.state.documentCount
    var union = PostingUnion(documentCount: last, postingCount: pendingCount)
    for (term, way) in found {
      var list = MemoryPostings()
      view.list(term, through: last, into: &list)
      union.add(list.documents, list.impacts, way)
      documentCount += UInt64(list.documents.count { $0 <= facts.lastDocument })
    }
    pending = union.finish().list
  }

  /// Whether a term is one of the longer ones.
  func contains(_ candidate: Candidate) -> Bool {
    if let entry = candidate.entry, stored.contains(entry.term) { return true }
    return candidate.pending.map { pendingTerms.contains($0) } ?? false
  }

  /// An impact in so many hundredths of units; a title that only begins with the word is not the
  /// word.
  @inline(__always) static func weighted(_ impact: UInt32, _ way: TermMatch) -> UInt32 {
    let weight =
      switch way {
      case .whole: QueryPlan.wholeWeight
      case .part: QueryPlan.partWeight
      case .stem: QueryPlan.stemWeight
      case .completion, .typo: QueryPlan.completionWeight
      }
    return (impact >> 2) &* (weight / step) << 2 | min(impact & 3, way == .whole ? 3 : 2)
  }

  /// What all weights are multiples of, as sums have 30 bits.
  private static let step: UInt32 = 20

  /// Postings of all terms together.
  var postingCount: Int { stored.postings.documents.count + pending.documents.count }

  /// A cursor over the postings, whose units are weighted.
  func cursor() -> TermCursor {
    TermCursor(
      weight: Self.step, match: .whole, documentCount: UInt64(postingCount),
      memory: stored.postings, tail: pending)
  }
}
