/// How much is buffered before it is merged, and how much compaction does at a time.
///
/// Rows differ with it, answers and digests do not.
package struct MergePace: Sendable {
  /// Buffered documents, or tombstones, that make a merge due; also the most that one takes.
  package var documentCount = IndexLimits.mergeDocumentCount
  /// Documents per round of compaction through the terms.
  package var roundDocumentCount = IndexLimits.compactionDocumentCount
  /// Most delta rows that one step brings into their lists.
  package var rowCount = IndexLimits.compactionRowCount
  /// Most delta rows that one step looks at.
  package var visitCount = IndexLimits.compactionVisitCount
  /// Bytes from which on a delta row is worth the pages of its list.
  package var worthByteCount = IndexLimits.compactionByteCount
  /// Ended documents that make a split due, in a store of few, are a quarter as many.
  package var splitEndCount = IndexLimits.splitEndCount
  /// Bytes of lists that one step of a split reads.
  package var splitByteCount = IndexLimits.splitByteCount
  /// Longest delta row.
  package var rowByteCount = IndexLimits.deltaByteCount

  /// The pace that is right for files on disks.
  package init() {}
}
