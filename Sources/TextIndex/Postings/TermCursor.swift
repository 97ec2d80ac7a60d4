internal import LMDB

/// Walks the postings of a term, or of several as one list, by blocks: stored chunks, then postings
/// in memory.
///
/// The one way to read postings. `approach` moves to the block that may hold a document and gives
/// its bound without decoding it; `seek` decodes it and finds the document; `merge` and `join` take
/// the list into candidates. All only go forward. Postings in memory are those of a delta row and
/// of buffered documents, or a union of many terms.
struct TermCursor: Sendable {
  /// No document: past the end.
  static let end = UInt32.max

  /// Weight of the list inside its group, in hundredths.
  let weight: UInt32
  /// How the terms of the list relate to the word of the query.
  let match: TermMatch
  /// Postings of the list, an estimate for planning.
  let documentCount: UInt64

  /// The only merged term of the list; nil when it has several, or only buffered documents.
  let singleTerm: UInt32?
  /// Whether it walks the term's list of ended documents.
  private let isPast: Bool
  var memory: MemoryPostings
  /// Postings behind those in `memory`.
  var tail: MemoryPostings?
  var chunk = PostingChunk.Reader()
  /// Whether the present chunk or one to come is of the list.
  private(set) var isStored: Bool
  var block = 0
  var isDecoded = false
  /// Room for the keys of chunks: a long list has many.
  private var key: [UInt8] = []
  /// The postings of the present block stand in these from `low` to `high`: in memory they are
  /// those of the whole list.
  var documents: [UInt32]
  var impacts: [UInt32]
  private(set) var low = 0
  var high = 0
  var at = 0
  /// Postings of the present block that a visit takes.
  var selected: [UInt32] = []
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
  var weightedUnits: UInt64 { UInt64(weight) * UInt64(impact >> 2) }

  /// Creates a cursor over postings in memory; `singleTerm` is their only merged term.
  init(
    weight: UInt32, match: TermMatch, documentCount: UInt64, memory: MemoryPostings,
    tail: MemoryPostings? = nil, singleTerm: UInt32? = nil, hasList: Bool = false,
    isPast: Bool = false
  ) {
    self.weight = weight
    self.match = match
    self.documentCount = documentCount
    self.singleTerm = singleTerm
    self.isPast = isPast
    self.memory = memory
    self.tail = tail
    isStored = hasList
    documents = hasList ? [] : memory.documents
    impacts = hasList ? [] : memory.impacts
  }

  /// Creates a cursor over one term: its list, and its postings in memory.
  init(weight: UInt32, _ candidate: Candidate, _ memory: MemoryPostings) {
    self.init(
      weight: weight, match: candidate.match, documentCount: candidate.documentCount,
      memory: memory, singleTerm: candidate.entry?.term, hasList: candidate.entry?.hasList ?? false)
  }

  /// Creates a cursor over the ended documents of a term that has lists.
  init(weight: UInt32, _ candidate: Candidate, past entry: DictionaryEntry) {
    self.init(
      weight: weight, match: candidate.match, documentCount: 0, memory: MemoryPostings(),
      singleTerm: entry.term, hasList: true, isPast: true)
  }

  /// Cursors over one term: its list, its delta row, and buffered documents; its ended documents
  /// too where they are wanted.
  static func lists(
    of candidate: Candidate, weight: UInt32, _ facts: DocumentVisibility, withEnded: Bool
  ) throws(CairnError) -> [TermCursor] {
    var memory = MemoryPostings()
    if let entry = candidate.entry { memory = try MemoryPostings(entry) }
    if let index = candidate.pending {
      facts.pending.list(index, through: facts.state.documentCount, into: &memory)
    }
    var lists = [TermCursor(weight: weight, candidate, memory)]
    if withEnded, let entry = candidate.entry, entry.hasList {
      lists.append(TermCursor(weight: weight, candidate, past: entry))
    }
    return lists
  }

  /// Makes the first block that ends at the document or after it the present one.
  /// - Complexity: O(1) inside a chunk step, O(log n) from chunk to chunk.
  mutating func approach(_ target: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError)
  {
    if target <= blockEnd, blockEnd != 0 { return }
    if isStored {
      if chunk.lastDocument < target { try loadChunk(target, txn, tables) }
      if isStored {
        var next = block
        while chunk.lastDocument(of: next) < target {
          next += 1
          guard next < chunk.blockCount else { throw IndexDamage.postings }
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
    throws(CairnError) -> UInt32
  {
    if document >= target, isDecoded { return document }
    try approach(target, txn, tables)
    if blockEnd == Self.end { return Self.end }
    if !isDecoded { try decode() }
    at = Self.position(of: target, in: documents, from: at, to: high)
    // The block ends at the target or later, unless it is damaged.
    guard at < high else { throw IndexDamage.postings }
    document = documents[at]
    impact = impacts[at]
    return document
  }

  /// First index of a range whose document is not below the one given.
  @inline(__always) static func position(
    of target: UInt32, in documents: [UInt32], from start: Int, to end: Int
  ) -> Int {
    unsafe documents.withUnsafeBufferPointer { documents in
      // SAFETY: each index is compared with the end, at most the count, before its use.
      (start..<max(start, min(end, documents.count))).nearbyPartitioningIndex {
        unsafe documents[$0] >= target
      }
    }
  }

  /// Visits the postings of all blocks from the present one on.
  mutating func visitBlocks(
    _ txn: borrowing ReadTransaction, _ tables: IndexTables,
    _ visit: (_ documents: ArraySlice<UInt32>, _ impacts: ArraySlice<UInt32>) -> Void
  ) throws(CairnError) {
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

  mutating func decode() throws(CairnError) {
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
  ) throws(CairnError) {
    block = 0
    guard let singleTerm else { return }
    let list = TermList(term: singleTerm, isPast: isPast)
    if try PostingChunk.load(&chunk, list, from: target, key: &key, txn, tables) { return }
    isStored = false
    take(memory)
  }
}

extension PostingChunk {
  /// Loads the first chunk of a list that ends at a document or after it; false when there is none.
  static func load(
    _ reader: inout Reader, _ list: TermList, from document: UInt32, key: inout [UInt8],
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> Bool {
    var cursor = try txn.cursor(tables.postings)
    IndexTables.setKey(&key, list, document)
    guard let entry = try cursor.seek(key.rawSpan), entry.key.byteCount == 8,
      entry.key.loadBigEndian32(at: 0) == list.number
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
