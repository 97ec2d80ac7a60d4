internal import LMDB
internal import Text

/// Gathers the postings of many terms with one cursor each over dictionary and chunks.
struct UnionReader {
  private(set) var terms: [UInt64]
  private(set) var documentCount: UInt64 = 0
  private(set) var greatestCount: UInt64 = 0
  /// Postings of rare terms and recent ones: document · 2³² + impact as units · 4 + place.
  private var inline: [UInt64] = []
  private var stored: [Stored] = []

  private let hasPast: Bool

  /// A list of the postings, and how its term stands for the word.
  private typealias Stored = (list: TermList, way: TermMatch)

  init(termCount: UInt32, hasPast: Bool) {
    self.hasPast = hasPast
    terms = Array(repeating: 0, count: Int(termCount) / 64 + 1)
  }

  mutating func readDictionary(
    _ space: TermSpace, _ prefix: [UInt8], _ way: TermMatch, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) {
    try tables.walkTerms(space, prefix, txn) { (isLonger, row, delta) throws(CairnError) in
      let own = isLonger ? TermMatch.completion : way
      if let row { try take(row, own) }
      if let delta { try take(delta: delta, own) }
    }
  }

  /// Visits where each term that begins so stands in some merged documents, term by term; the
  /// places in order.
  mutating func forEachPlace(
    _ space: TermSpace, _ prefix: [UInt8], within documents: DocumentBits,
    _ txn: borrowing ReadTransaction, _ tables: IndexTables,
    _ body: (_ document: UInt32, _ places: [UInt64]) -> Void
  ) throws(CairnError) {
    var places: [UInt64] = []
    stored.removeAll()
    try tables.walkTerms(space, prefix, txn) { (_, row, delta) throws(CairnError) in
      inline.removeAll(keepingCapacity: true)
      if let row { try take(row, .whole) }
      if let delta { try take(delta: delta, .whole) }
      guard inline.contains(where: { documents.contains(UInt32($0 >> 32)) }),
        let entry = try DictionaryEntry(stored: row, delta: delta)
      else { return }
      try entry.forEachInline { (posting, run) throws(CairnError) in
        guard documents.contains(posting.document) else { return }
        places.removeAll(keepingCapacity: true)
        try PositionCode.read(
          run, from: 0, entry.term, posting.document, into: &places, txn, tables)
        body(posting.document, places)
      }
    }
    var (blockDocuments, blockImpacts) = ([UInt32](), [UInt32]())
    try visit(within: documents, txn, tables) { (chunk, block, list) throws(CairnError) in
      try chunk.decode(block, documents: &blockDocuments, impacts: &blockImpacts)
      var walk = RunWalk(try chunk.positions(of: block))
      for (index, document) in blockDocuments.enumerated() where documents.contains(document) {
        places.removeAll(keepingCapacity: true)
        let start = try walk.seek(index, chunk.bytes.rawSpan)
        let runs = chunk.bytes.rawSpan.extracting(..<walk.end)
        try PositionCode.read(
          runs, from: start, list.list.term, document, into: &places, txn, tables)
        body(document, places)
      }
    }
  }

  /// Takes a term of the dictionary in; `way` is how it stands for the word.
  private mutating func take(_ row: RawSpan, _ way: TermMatch) throws(CairnError) {
    var offset = 0
    let term = try Varint.read(row, &offset)
    let count = try Varint.read(row, &offset)
    guard term < UInt64(UInt32.max), count < UInt64(UInt32.max) else { throw IndexDamage.postings }
    try take(UInt32(term), count: count, way)
    if count > UInt64(DictionaryEntry.inlineCount) {
      stored.append((TermList(term: UInt32(term)), way))
      if hasPast { stored.append((TermList(term: UInt32(term), isPast: true), way)) }
      return
    }
    var previous: UInt32 = 0
    for _ in 0..<count {
      let posting = try Posting.read(row, &offset, after: previous)
      take(posting, way)
      previous = posting.document
    }
  }

  /// Takes postings in that are not in the list of their term yet.
  private mutating func take(delta: RawSpan, _ way: TermMatch) throws(CairnError) {
    let row = try DeltaRow(delta)
    try take(row.term, count: UInt64(row.count), way)
    try row.forEach { (posting, _) in take(posting, way) }
  }

  private mutating func take(_ term: UInt32, count: UInt64, _ way: TermMatch) throws(CairnError) {
    documentCount += count
    greatestCount = max(greatestCount, count)
    guard way == .completion else { return }
    guard Int(term >> 6) < terms.count else { throw IndexDamage.postings }
    terms[Int(term >> 6)] |= 1 << UInt64(term & 63)
  }

  private mutating func take(_ posting: Posting, _ way: TermMatch) {
    let impact = posting.impact.units << 2 | UInt32(posting.impact.place)
    inline.append(UInt64(posting.document) << 32 | UInt64(BoundUnion.weighted(impact, way)))
  }

  /// The postings of all terms, added up.
  mutating func union(
    _ state: IndexState, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> (MemoryPostings, PostingCounts) {
    // Of ended documents most are apart.
    let share = hasPast ? 1 : Double(state.liveCount + 1) / Double(state.documentCount + 1)
    var union = PostingUnion(
      documentCount: state.documentCount, postingCount: UInt64(Double(documentCount) * share),
      isCounted: hasPast)
    union.add(inline)
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    try visit(txn, tables) { (chunk, block, list) throws(CairnError) in
      try chunk.decode(block, documents: &documents, impacts: &impacts)
      union.add(documents, impacts, list.way)
    }
    return union.finish()
  }

  /// The merged documents of a group, nil where all postings had better be added up.
  mutating func documents(
    of group: TermGroup, postingCountMin: UInt64, _ state: IndexState,
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> DocumentBits? {
    guard documentCount >= postingCountMin, group.documentCount < UInt64(state.documentCount) / 4
    else { return nil }
    return try group.cursors.documents(through: state.mergedDocument, txn, tables)
  }

  /// The postings of all terms in some documents, added up.
  mutating func union(
    within documents: DocumentBits, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> MemoryPostings {
    var union = SelectedUnion(documents)
    union.add(inline)
    var (blockDocuments, blockImpacts) = ([UInt32](), [UInt32]())
    try visit(within: documents, txn, tables) { (chunk, block, list) throws(CairnError) in
      try chunk.decode(block, documents: &blockDocuments, impacts: &blockImpacts)
      union.add(blockDocuments, blockImpacts, list.way)
    }
    return union.finish()
  }

  /// Visits the stored blocks that may have some of the documents.
  private mutating func visit(
    within documents: DocumentBits, _ txn: borrowing ReadTransaction, _ tables: IndexTables,
    _ body: (PostingChunk.Reader, _ block: Int, Stored) throws(CairnError) -> Void
  ) throws(CairnError) {
    try visit(txn, tables) { (chunk, block, list) throws(CairnError) in
      let before = block > 0 ? chunk.lastDocument(of: block - 1) : chunk.base
      let last = chunk.lastDocument(of: block)
      guard before < last else { throw IndexDamage.postings }
      guard documents.meets(before + 1...last) else { return }
      try body(chunk, block, list)
    }
  }

  /// Visits the stored postings by blocks.
  private mutating func visit(
    _ txn: borrowing ReadTransaction, _ tables: IndexTables,
    _ body: (PostingChunk.Reader, _ block: Int, Stored) throws(CairnError) -> Void
  ) throws(CairnError) {
    stored.sort { $0.list.number < $1.list.number }
    var chunk = PostingChunk.Reader()
    var chunks = try txn.cursor(tables.postings, keepsPages: true)
    // Terms that stand side by side in the dictionary often do so here, so the row behind a list is
    // mostly the first one of the next.
    var loaded: TermList?
    for index in stored.indices {
      let list = stored[index].list
      if loaded != list {
        // Either list of a term may be empty.
        guard let row = try chunks.seek(IndexTables.key(list.number) + [0, 0, 0, 0]) else { return }
        guard try TermList(key: row.key) == list else { continue }
        try chunk.load(row.value)
        loaded = list
      }
      let next = index + 1 < stored.count ? stored[index + 1].list : list
      while loaded == list {
        for block in 0..<chunk.blockCount { try body(chunk, block, stored[index]) }
        loaded = nil
        guard let row = try chunks.next() else { break }
        let owner = try TermList(key: row.key)
        guard owner == list || owner == next else { break }
        try chunk.load(row.value)
        loaded = owner
      }
    }
  }
}
