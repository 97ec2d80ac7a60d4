internal import LMDB

/// Postings held in memory, in blocks with bounds like stored ones: of buffered documents, of rare
/// terms, and of many terms merged into one list.
struct MemoryPostings: Sendable {
  private(set) var documents: [UInt32] = []
  /// Units · 4 + place.
  private(set) var impacts: [UInt32] = []
  private(set) var bounds: [BlockBound] = []
  /// Where a term stands, of lists of one merged term.
  var runs = PostingRuns()

  var blockCount: Int { bounds.count }

  init() {}

  /// Postings in rising order of documents, with impacts as units · 4 + place.
  init(_ documents: [UInt32], _ impacts: [UInt32]) {
    self.documents = documents
    self.impacts = impacts
    bounds.reserveCapacity(documents.count / IndexLimits.blockPostingCount + 1)
    var start = 0
    while start < documents.count {
      let end = Swift.min(start + IndexLimits.blockPostingCount, documents.count)
      var units = SIMD4<UInt32>()
      // Outside of titles, where most are, units stand above no place.
      var plain: UInt32 = 0
      for index in start..<end {
        let impact = impacts[index]
        let place = Int(impact & 3)
        if place == 0 {
          plain = max(plain, impact)
        } else {
          units[place] = max(units[place], impact >> 2)
        }
      }
      units[0] = plain >> 2
      bounds.append(BlockBound(lastDocument: documents[end - 1], units: units))
      start = end
    }
  }

  /// The postings that stand beside a term, with their positions.
  /// - Throws: `.corrupt` for damaged runs of positions.
  init(_ entry: DictionaryEntry) throws(CairnError) {
    for posting in entry.inline { append(posting) }
    try runs.append(entry.inline.count, entry.positions.rawSpan)
  }

  /// Adds a posting; documents must rise.
  mutating func append(_ document: UInt32, units: UInt32, place: UInt8) {
    if documents.count.isMultiple(of: IndexLimits.blockPostingCount) { bounds.append(BlockBound()) }
    documents.append(document)
    impacts.append(units << 2 | UInt32(place))
    bounds[bounds.count - 1].include(document, units: units, place: Int(place))
  }

  mutating func append(_ posting: Posting) {
    append(posting.document, units: posting.impact.units, place: posting.impact.place)
  }

  /// First block whose last document is not below the one given, from a block on.
  /// - Complexity: O(log blocks passed over).
  func block(from start: Int, containing document: UInt32) -> Int {
    (start..<bounds.count).nearbyPartitioningIndex { bounds[$0].lastDocument >= document }
  }

  /// How many postings are of documents up to one.
  func count(through last: UInt32) -> Int {
    documents.indices.partitioningIndex { documents[$0] > last }
  }

  func range(_ block: Int) -> Range<Int> {
    let start = block * IndexLimits.blockPostingCount
    return start..<Swift.min(start + IndexLimits.blockPostingCount, documents.count)
  }
}
