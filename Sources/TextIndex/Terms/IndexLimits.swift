/// Every limit and tuning constant of the text index, with its reason.
package enum IndexLimits {
  /// Largest row value: keeps every row inside a B-tree leaf together with its CRC, so that nothing
  /// ever goes to an overflow page.
  static let rowByteCount = 1_896

  /// Postings covered by one bound inside a chunk: small enough to skip finely, large enough that
  /// the bounds stay below a tenth of the postings.
  static let blockPostingCount = 128

  /// Documents per row of the document columns: a row of them is at most half a page.
  static let columnDocumentCount = 448

  /// Documents in a row that would enter and have ended from which on a search asks the columns for
  /// the next one that has not.
  static let deadStreakCount = 16

  /// Items per row of the item table: four rows fill a page.
  static let itemRowCount = 76

  /// Pending documents that make a merge due: a query reads them all in some 0.05 ms, and a merge of
  /// so many takes half of the 50 ms that an update may take.
  package static let mergeDocumentCount = 384

  /// Pending tokens that make a merge due, for stores of few but long documents.
  package static let mergeTokenCount = 32_768

  /// Most tokens one merge takes (one document may exceed it alone).
  static let mergeStepTokenCount = 49_152

  /// Longest row of recent postings; what would be longer goes to its list at once.
  ///
  /// With two inline postings before them they still fit a chunk.
  static let recentRowByteCount = 1_000

  /// Documents per round of the hand through all terms: the more, the more postings are brought
  /// into a list at a time, and the more pages the merges of pending documents touch.
  static let sweepDocumentCount = 16_384

  /// Most rows of recent postings that one step brings into their lists, so that it takes a tenth of
  /// the 50 ms that an update may take; each touches some two pages, whatever the step.
  static let sweepRowCount = 128

  /// Most rows that one step looks at.
  static let sweepVisitCount = 1_024

  /// Rows still to be visited from which on a step is followed by another at once.
  static let sweepDebtMax = 16_384

  /// Rounds after which the hand takes even the rows that are hardly worth a page.
  static let sweepRoundCount: UInt32 = 4

  /// Bytes of a recent row that are worth the pages of its list.
  static let sweepByteCount = 48

  /// Puts in one `apply` from which on documents go straight to merged form.
  package static let bulkPutCount = 2_000

  /// Puts in one `apply` from which on postings go straight to their lists, which touches most pages
  /// of these, whatever the hand has left.
  static let directPutCount = 16_384

  /// Postings held in memory before a bulk build writes them (12 bytes each).
  static let bulkPostingCount = 6_000_000

  /// Positions between two values of one field, so that no phrase crosses them.
  static let valueGap: UInt32 = 100

  /// Fewer visible documents than this holding a word as typed lets its near misspellings in.
  static let typoHelpCount = 5

  /// Misspellings tried per word, the closest and then the most frequent ones.
  static let typoTermCount = 50

  /// How many times more documents a word must be in to be offered in place of a rare one.
  static let correctionFactor = 10

  /// Terms of one prefix that are looked at, in byte order; more letters come soon anyway.
  static let prefixTermCount = 200_000

  /// Bytes of lists a process keeps of words asked for again and of prefixes: of a few common ones,
  /// or of hundreds of others.
  static let completionByteCount = 64 << 20

  /// Whole words remembered as asked for once.
  static let completionNameCount = 4_096

  /// Terms scanned for suggestions.
  static let completionScanCount = 20_000

  /// Pieces of an audit's postings: enough that threads end at about the same time.
  static let auditPieceCount = 64
}
