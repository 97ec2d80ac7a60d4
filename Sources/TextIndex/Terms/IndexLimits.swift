/// Every limit and tuning constant of the text index, with its reason.
package enum IndexLimits {
  /// Largest row value: keeps every row inside a B-tree leaf together with its CRC, so that nothing
  /// ever goes to an overflow page.
  static let rowByteCount = 1_896

  /// Postings covered by one bound inside a chunk: small enough to skip finely, large enough that
  /// the bounds stay below a tenth of the postings.
  static let blockPostingCount = 128

  /// Documents whose columns are read in the time in which a search visits one posting that may
  /// have a bonus.
  static let boundedDocumentCount: UInt64 = 6

  /// Items whose bonus changed that are looked up one by one, rather than reading all columns.
  static let changedBoundCount = 4_096

  /// Bytes that an unfinished word has in plain letters before longer words in them are meant too:
  /// an ø alone does not mean all that begins with o.
  static let variantPrefixByteCount = 3

  /// Documents per row of the document columns: a row of them is at most half a page.
  static let columnDocumentCount = 448

  /// After this many dead candidates in a row, a search skips to the next live document.
  static let deadStreakCount = 16

  /// Items per row of the item table: four rows fill a page.
  static let itemRowCount = 76

  /// Buffered documents that make a merge due: a query reads them all in some 0.05 ms, and a merge
  /// of so many takes half of the 50 ms that an update may take.
  package static let mergeDocumentCount = 384

  /// Pending tokens that make a merge due, for stores of few but long documents.
  package static let mergeTokenCount = 32_768

  /// Most tokens one merge takes (one document may exceed it alone).
  static let mergeStepTokenCount = 49_152

  /// Longest delta row; what would be longer goes to its list at once.
  ///
  /// With two inline postings before them they still fit a chunk.
  static let deltaByteCount = 1_000

  /// Documents per round of compaction through all terms: the more, the more postings are brought
  /// into a list at a time, and the more pages the merges of buffered documents touch.
  static let compactionDocumentCount = 16_384

  /// Most delta rows that one step brings into their lists, so that it takes a tenth of
  /// the 50 ms that an update may take; each touches some two pages, whatever the step.
  static let compactionRowCount = 128

  /// Most rows that one step looks at.
  static let compactionVisitCount = 1_024

  /// Rows still to be visited from which on a step is followed by another at once.
  static let compactionDebtMax = 16_384

  /// Rounds after which compaction takes even the rows that are hardly worth a page.
  static let compactionRoundCount: UInt32 = 4

  /// Bytes of a delta row that are worth the pages of its list.
  static let compactionByteCount = 48

  /// Fewer ended documents than a quarter of this stay among the others.
  static let splitEndCount = 2_048

  /// Bytes of lists that one step of a split reads, so that it takes a third of the 50 ms that an
  /// update may take.
  static let splitByteCount = 1 << 20

  /// Puts in one `apply` from which on documents go straight to merged form.
  package static let bulkPutCount = 2_000

  /// Puts in one `apply` from which on postings go straight to their lists, most of whose pages
  /// they touch.
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

  /// Likely hits whose titles do not tell whether the words of a clause stand side by side, after
  /// which that is looked up.
  static let postponedCount = 256

  /// Documents with titles that had been found before, after which no more titles are looked for.
  static let repeatedTitleCount = 4_096

  /// Where a last word has fewer documents than one in so many, it is known which.
  static let frequentShare: UInt64 = 32

  /// Terms of one prefix that are looked at, in byte order; more letters come soon anyway.
  static let prefixTermCount = 200_000

  /// Bytes of lists a process keeps of unfinished words: of a few common ones, or of hundreds.
  static let unionByteCount = 128 << 20

  /// Postings of an unfinished word from which on only those are added up that are in documents a
  /// query can do with: fewer take less than to find these documents.
  static let selectionPostingCount: UInt64 = 4_096

  /// Latest documents that tell the language of all.
  static let languageDocumentCount: UInt32 = 1_024

  /// Askings of an unfinished word that are answered so: to add all of its postings up takes about
  /// as long as all of these.
  static let selectionCount = 4

  /// Words of which it is remembered how often they were asked for.
  static let unionNameCount = 4_096

  /// Terms scanned for suggestions.
  static let completionScanCount = 20_000
}
