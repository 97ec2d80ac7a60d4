/// Some documents of a list of many terms, with which a query can do.
struct UnionSelection: Sendable {
  enum Documents: Sendable {
    /// Those of another group that a document must have too.
    case group(TermGroup)
    /// Those whose title begins with one of the terms, if there are at least so many, and some
    /// others, a bit each.
    case titles(atLeast: Int, and: [UInt64])
  }

  var documents: Documents
  /// Fewer postings are all added up.
  var postingCountMin = IndexLimits.selectionPostingCount

  /// Whether documents outside it may be hits.
  var isOpen: Bool { if case .titles = documents { true } else { false } }
}
