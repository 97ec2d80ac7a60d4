internal import LMDB
internal import Text

/// What an unfinished word of a query may stand for: merged terms, and those of pending documents.
struct BoundCompletions {
  let stored: Completions
  /// The longer words in the pending vocabulary.
  private(set) var pendingTerms: [UInt32] = []
  private var pending = MemoryPostings()
  /// Documents of the terms, each counted for itself.
  private(set) var documentCount: UInt64

  init(_ stored: Completions, _ prefix: [UInt8], _ facts: DocumentFacts) {
    self.stored = stored
    documentCount = stored.documentCount
    let view = facts.pending
    guard !view.documents.isEmpty else { return }
    var found: [(term: UInt32, way: TermMatch)] = []
    for (space, way) in [(TermSpace.word, TermMatch.whole), (.part, .part)] {
      let key = [space.rawValue] + prefix
      for term in view.vocabulary.indices(withPrefix: key) {
        let isLonger = view.vocabulary.keys[term].count > key.count
        found.append((term, isLonger ? .completion : way))
      }
    }
    pendingTerms = found.filter { $0.way == .completion }.map { $0.term }
    let count = found.reduce(0) { $0 + UInt64(view.counts[Int($1.term)]) }
    documentCount += count
    guard count > 0 else { return }
    let last = facts.state.documentCount
    var union = PostingUnion(documentCount: last, postingCount: count)
    for (term, way) in found {
      var list = MemoryPostings()
      view.list(term, through: last, into: &list)
      union.add(list.documents, list.impacts, way)
    }
    pending = union.finish()
  }

  /// An impact in hundredths of units; a title that only begins with the word is not the word.
  @inline(__always)
  static func weighted(_ impact: UInt32, _ way: TermMatch) -> UInt32 {
    let weight =
      switch way {
      case .whole: QueryPlan.wholeWeight
      case .part: QueryPlan.partWeight
      case .stem: QueryPlan.stemWeight
      case .completion, .typo: QueryPlan.completionWeight
      }
    return (impact >> 2) * weight << 2 | min(impact & 3, way == .whole ? 3 : 2)
  }

  /// Postings of all terms together.
  var postingCount: Int { stored.postings.documents.count + pending.documents.count }

  /// A cursor over the postings, whose units are weighted.
  func cursor() -> TermCursor {
    TermCursor(
      weight: 1,
      match: .whole,
      documentCount: UInt64(postingCount),
      memory: stored.postings,
      tail: pending
    )
  }
}
