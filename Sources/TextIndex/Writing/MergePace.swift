/// How much gathers before it is merged, and how much of it at a time.
///
/// Rows differ with it, answers and digests do not.
package struct MergePace: Sendable {
  /// Pending documents, or ends of documents, that make a merge due; also the most that one takes.
  package var documentCount = IndexLimits.mergeDocumentCount
  /// Documents per round of the hand through the terms.
  package var roundDocumentCount = IndexLimits.sweepDocumentCount
  /// Most rows of recent postings that one step of the hand brings into their lists.
  package var rowCount = IndexLimits.sweepRowCount
  /// Most rows that one step looks at.
  package var visitCount = IndexLimits.sweepVisitCount
  /// Bytes from which on a row of recent postings is worth the pages of its list.
  package var worthByteCount = IndexLimits.sweepByteCount
  /// Longest row of recent postings.
  package var rowByteCount = IndexLimits.recentRowByteCount

  /// The pace that is right for files on disks.
  package init() {}

  /// Merges all the time, for tests of little text.
  package static var hurried: MergePace {
    var pace = MergePace()
    pace.documentCount = 7
    pace.roundDocumentCount = 20
    pace.rowCount = 9
    pace.visitCount = 15
    pace.worthByteCount = 24
    pace.rowByteCount = 60
    return pace
  }
}
