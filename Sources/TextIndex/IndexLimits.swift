/// Every limit and tuning constant of the text index, with its reason.
package enum IndexLimits {
  /// Largest row value: keeps every row inside a B-tree leaf together with its CRC, so that nothing
  /// ever goes to an overflow page.
  static let rowByteCount = 1_896

  /// Postings covered by one bound inside a chunk: small enough to skip finely, large enough that
  /// the bounds stay below a tenth of the postings.
  static let blockPostingCount = 128

  /// Documents per row of the document columns (4 bytes and one bit each).
  static let columnDocumentCount = 448

  /// Items per row of the item table (32 bytes each).
  static let itemRowCount = 56

  /// Pending documents that make a merge due: below it a scan costs less than the merge saves.
  package static let mergeDocumentCount = 1_024

  /// Pending tokens that make a merge due, for stores of few but long documents.
  package static let mergeTokenCount = 65_536

  /// Most documents one merge step takes, so that a step stays below 50 ms.
  static let mergeStepDocumentCount = 1_024

  /// Most tokens one merge step takes (one document may exceed it alone).
  static let mergeStepTokenCount = 49_152

  /// Puts in one `apply` from which on documents go straight to merged form.
  package static let bulkPutCount = 2_000

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

  /// Bytes of completions a process keeps: the prefixes of a few words typed letter by letter, or
  /// hundreds of longer ones.
  static let completionByteCount = 48 << 20

  /// Terms scanned for suggestions.
  static let completionScanCount = 20_000
}
