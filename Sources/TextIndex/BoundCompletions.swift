internal import LMDB
internal import Text

/// The completions of a word of a query: those merged, and those of pending documents.
struct BoundCompletions {
  let stored: Completions
  /// The completions in the pending vocabulary.
  private(set) var pendingTerms: [UInt32] = []
  private var pending = MemoryPostings()
  /// Documents of the terms, each counted for itself.
  private(set) var documentCount: UInt64

  init(_ stored: Completions, _ prefix: [UInt8], _ facts: DocumentFacts) {
    self.stored = stored
    documentCount = stored.documentCount
    let view = facts.pending
    guard !view.documents.isEmpty else { return }
    for space in [TermSpace.word, .part] {
      let key = [space.rawValue] + prefix
      pendingTerms += view.vocabulary.indices(withPrefix: key).filter {
        view.vocabulary.keys[$0].count > key.count
      }
    }
    let count = pendingTerms.reduce(0) { $0 + UInt64(view.counts[Int($1)]) }
    documentCount += count
    guard count > 0 else { return }
    let state = facts.state
    var union = PostingUnion(documentCount: state.documentCount, postingCount: count)
    for term in pendingTerms {
      var list = MemoryPostings()
      view.list(term, through: state.documentCount, into: &list)
      union.add(list.documents, list.impacts)
    }
    pending = union.finish()
  }

  /// Postings of all terms together.
  var postingCount: Int { stored.postings.documents.count + pending.documents.count }

  /// A cursor over the postings.
  func cursor() -> TermCursor {
    TermCursor(
      weight: QueryPlan.completionWeight,
      match: .completion,
      documentCount: UInt64(postingCount),
      term: nil,
      memory: stored.postings,
      tail: pending
    )
  }
}
