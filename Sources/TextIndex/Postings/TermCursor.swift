internal import LMDB

/// Walks one postings list by blocks: stored chunks first, then postings in memory.
///
/// `approach` moves to the block that may hold a document and gives its bound without decoding;
/// `seek` decodes it and finds the document. Both only go forward.
struct TermCursor: Sendable {
  /// No document: past the end.
  static let end = UInt32.max

  /// Weight of the list inside its group, in hundredths.
  let weight: UInt32
  /// How the terms of the list relate to the word of the query.
  let match: TermMatch
  /// Postings of the list, an estimate for planning.
  let documentCount: UInt64

  /// The only merged term of the list; nil when it has several, or only pending documents.
  let soleTerm: UInt32?
  var memory: MemoryPostings
  /// Postings behind those in `memory`.
  var tail: MemoryPostings?
  var chunk = PostingChunk.Reader()
  /// Whether the present chunk or one to come is of the list, or of the recent postings.
  var isStored: Bool
  private var hasList: Bool
  /// The chunk behind the list; taken when its turn comes.
  private var recent: [UInt8]
  private var hasChunk = false
  var block = 0
  var isDecoded = false
  /// Room for the keys of chunks: a long list has many.
  private var key: [UInt8] = []
  /// The postings of the present block stand in these from `low` to `high`: in memory they are those
  /// of the whole list.
  var documents: [UInt32]
  var impacts: [UInt32]
  private(set) var low = 0
  var high = 0
  var at = 0
  /// How far the positions of the present block are read, nil before the first.
  var runs: RunWalk?
  /// Bound of the present block; of none at the end.
  private(set) var bound = BlockBound()
  /// Last document of the present block, `end` behind the last one.
  private(set) var blockEnd: UInt32 = 0
  /// The present document after `seek`.
  private(set) var document: UInt32 = 0
  /// Its impact as units · 4 + place.
  private(set) var impact: UInt32 = 0
  /// Its units, weighted.
  var weightedUnits: UInt64 { UInt64(weight) * UInt64(impact >> 2) }

  /// Which documents the postings in memory have that are walked now, where that is kept.
  var bits: DocumentBits? { isStored ? nil : memory.bits }

  /// Creates a cursor over postings in memory.
  init(
    weight: UInt32, match: TermMatch, documentCount: UInt64, memory: MemoryPostings,
    tail: MemoryPostings? = nil, soleTerm: UInt32? = nil
  ) {
    self.weight = weight
    self.match = match
    self.documentCount = documentCount
    self.soleTerm = soleTerm
    self.memory = memory
    self.tail = tail
    hasList = false
    recent = []
    isStored = false
    documents = memory.documents
    impacts = memory.impacts
  }

  /// Creates a cursor over one term: its merged postings, and those of pending documents.
  init(
    weight: UInt32, match: TermMatch, documentCount: UInt64, entry: DictionaryEntry,
    pending: MemoryPostings
  ) {
    self.weight = weight
    self.match = match
    self.documentCount = documentCount
    soleTerm = entry.term
    memory = MemoryPostings()
    for posting in entry.inline { memory.append(posting) }
    memory.runs = PostingRuns(block: entry.positions)
    tail = pending
    hasList = entry.hasList
    recent = entry.recent
    isStored = hasList || !recent.isEmpty
    documents = isStored ? [] : memory.documents
    impacts = isStored ? [] : memory.impacts
  }

  /// Makes the first block that ends at the document or after it the present one.
  ///
  /// - Complexity: O(1) inside a chunk step, O(log n) from chunk to chunk.
  mutating func approach(_ target: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(StorageError)
  {
    if target <= blockEnd, blockEnd != 0 { return }
    if isStored {
      if !hasChunk || chunk.lastDocument < target { try loadChunk(target, txn, tables) }
      if isStored {
        var next = hasChunk ? block : 0
        while chunk.lastDocument(of: next) < target {
          next += 1
          guard next < chunk.blockCount else { throw PostingCode.damaged }
        }
        enter(next, chunk.bound(next))
        return
      }
    }
    var next = memory.block(from: block, containing: target)
    if next == memory.blockCount, let tail {
      take(tail)
      self.tail = nil
      next = memory.block(from: 0, containing: target)
    }
    if next < memory.blockCount {
      enter(next, memory.bounds[next])
    } else {
      block = next
      bound = BlockBound()
      blockEnd = Self.end
      document = Self.end
      isDecoded = true
    }
  }

  /// The first document of the list that is not below the one given, `end` when there is none.
  mutating func seek(_ target: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(StorageError) -> UInt32
  {
    if document >= target, isDecoded { return document }
    try approach(target, txn, tables)
    if blockEnd == Self.end { return Self.end }
    if !isDecoded { try decode() }
    at = Self.position(of: target, in: documents, from: at, to: high)
    // The block ends at the target or later, unless it is damaged.
    guard at < high else { throw PostingCode.damaged }
    document = documents[at]
    impact = impacts[at]
    return document
  }

  /// First index of a range whose document is not below the one given.
  @inline(__always) static func position(
    of target: UInt32, in documents: [UInt32], from start: Int, to end: Int
  ) -> Int {
    unsafe documents.withUnsafeBufferPointer { documents in
      let end = min(end, documents.count)
      var low = start
      var step = 1
      // SAFETY: each index is compared with the end, at most the count, before its use.
      while low + step < end, unsafe documents[low + step] < target {
        low += step
        step *= 2
      }
      var high = min(low + step, end)
      while low < high {
        let middle = (low + high) / 2
        if unsafe documents[middle] < target { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// Moves inside the present block, from the first posting not below a document on, to one whose
  /// units reach what its place needs; false when there is none.
  mutating func advance(to target: UInt32, least: SIMD4<UInt32>) throws(StorageError) -> Bool {
    if !isDecoded { try decode() }
    let start = Self.position(of: target, in: documents, from: at, to: high)
    let end = min(high, impacts.count)
    let found = unsafe impacts.withUnsafeBufferPointer { impacts in
      var index = start
      // SAFETY: the index stays below the end, at most the count.
      while index < end, unsafe impacts[index] >> 2 < least[Int(impacts[index] & 3)] { index += 1 }
      return index
    }
    guard found < end else { return false }
    at = found
    document = documents[found]
    impact = impacts[found]
    return true
  }

  /// Visits the postings of all blocks from the present one on.
  mutating func visitBlocks(
    _ txn: borrowing ReadTransaction, _ tables: IndexTables,
    _ visit: (_ documents: ArraySlice<UInt32>, _ impacts: ArraySlice<UInt32>) -> Void
  ) throws(StorageError) {
    var target: UInt32 = 1
    while true {
      try approach(target, txn, tables)
      guard blockEnd != Self.end else { return }
      if !isDecoded { try decode() }
      visit(documents[low..<high], impacts[low..<high])
      target = blockEnd + 1
    }
  }

  mutating func enter(_ next: Int, _ bound: BlockBound) {
    block = next
    self.bound = bound
    blockEnd = bound.lastDocument
    isDecoded = false
    runs = nil
    document = 0
  }

  /// Goes on with postings in memory.
  private mutating func take(_ postings: MemoryPostings) {
    memory = postings
    documents = postings.documents
    impacts = postings.impacts
    block = 0
  }

  mutating func decode() throws(StorageError) {
    if isStored {
      try chunk.decode(block, documents: &documents, impacts: &impacts)
      low = 0
      high = documents.count
    } else {
      let range = memory.range(block)
      low = range.lowerBound
      high = range.upperBound
    }
    at = low
    isDecoded = true
  }

  private mutating func loadChunk(
    _ target: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(StorageError) {
    guard let soleTerm else { return }
    block = 0
    if hasList, try PostingChunk.load(&chunk, term: soleTerm, from: target, key: &key, txn, tables)
    {
      hasChunk = true
      return
    }
    hasList = false
    if !recent.isEmpty {
      let row = recent
      recent = []
      try chunk.load(row.rawSpan)
      if chunk.lastDocument >= target {
        hasChunk = true
        return
      }
    }
    isStored = false
    take(memory)
  }
}

extension PostingChunk {
  /// Loads the first chunk of a term that ends at a document or after it; false when there is none.
  static func load(
    _ reader: inout Reader, term: UInt32, from document: UInt32, key: inout [UInt8],
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(StorageError) -> Bool {
    var cursor = try txn.cursor(tables.postings)
    IndexTables.setKey(&key, term, document)
    guard let entry = try cursor.seek(key.rawSpan), entry.key.byteCount == 8,
      entry.key.loadBigEndian32(at: 0) == term
    else { return false }
    try reader.load(entry.value)
    return reader.lastDocument >= document
  }
}

/// How a term relates to the word that was asked for.
enum TermMatch: UInt8, Sendable {
  /// The word itself.
  case whole
  /// A part of a camel-case word.
  case part
  /// Another word of the same stem.
  case stem
  /// It begins with the word, which may be unfinished.
  case completion
  /// Within one or two typing errors.
  case typo
}
