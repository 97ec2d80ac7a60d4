internal import LMDB

/// Walks one postings list by blocks: stored chunks first, then postings in memory.
///
/// `approach` moves to the block that may hold a document and gives its bound without decoding;
/// `seek` decodes it and finds the document. Both only go forward.
struct TermCursor: Sendable {
  /// No document: past the end.
  static let end = UInt32.max

  /// Weight of the list inside its group.
  let weight: Double
  /// How the terms of the list relate to the word of the query.
  let match: TermMatch
  /// Postings of the list, an estimate for planning.
  let documentCount: UInt64

  private let term: UInt32?
  private let memory: MemoryPostings
  private var chunk = PostingChunk.Reader()
  private var isStored: Bool
  private var hasChunk = false
  private var block = 0
  private var isDecoded = false
  private var documents: [UInt32] = []
  private var impacts: [UInt32] = []
  private var at = 0
  /// Bound of the present block; of none at the end.
  private(set) var bound = BlockBound()
  /// Last document of the present block, `end` behind the last one.
  private(set) var blockEnd: UInt32 = 0
  /// The present document after `seek`.
  private(set) var document: UInt32 = 0
  /// Its impact as units · 4 + place.
  private(set) var impact: UInt32 = 0

  /// Creates a cursor over the chunks of a term (nil: it has none) and postings after them.
  init(
    weight: Double,
    match: TermMatch,
    documentCount: UInt64,
    term: UInt32?,
    memory: MemoryPostings
  ) {
    self.weight = weight
    self.match = match
    self.documentCount = documentCount
    self.term = term
    self.memory = memory
    isStored = term != nil
  }

  /// Makes the first block that ends at the document or after it the present one.
  ///
  /// - Complexity: O(1) inside a chunk step, O(log n) from chunk to chunk.
  mutating func approach(
    _ target: UInt32,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
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
    let next = memory.block(from: block, containing: target)
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
  mutating func seek(
    _ target: UInt32,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> UInt32 {
    if document >= target, isDecoded { return document }
    try approach(target, txn, tables)
    if blockEnd == Self.end { return Self.end }
    if !isDecoded { try decode() }
    // The block ends at the target or later, so the loop stays inside it.
    while at < documents.count, documents[at] < target { at += 1 }
    guard at < documents.count else { throw PostingCode.damaged }
    document = documents[at]
    impact = impacts[at]
    return document
  }

  private mutating func enter(_ next: Int, _ bound: BlockBound) {
    block = next
    self.bound = bound
    blockEnd = bound.lastDocument
    isDecoded = false
    document = 0
  }

  private mutating func decode() throws(StorageError) {
    if isStored {
      try chunk.decode(block, documents: &documents, impacts: &impacts)
    } else {
      let range = memory.range(block)
      documents.removeAll(keepingCapacity: true)
      impacts.removeAll(keepingCapacity: true)
      documents.append(contentsOf: memory.documents[range])
      impacts.append(contentsOf: memory.impacts[range])
    }
    at = 0
    isDecoded = true
  }

  private mutating func loadChunk(
    _ target: UInt32,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    guard let term else { return }
    block = 0
    if try PostingChunk.load(&chunk, term: term, from: target, txn, tables) {
      hasChunk = true
    } else {
      isStored = false
    }
  }
}

extension PostingChunk {
  /// Loads the first chunk of a term that ends at a document or after it; false when there is none.
  static func load(
    _ reader: inout Reader,
    term: UInt32,
    from document: UInt32,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> Bool {
    var cursor = try txn.cursor(tables.postings)
    let key = IndexTables.key(term) + IndexTables.key(document)
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
  /// It begins with the word, which may be unfinished.
  case completion
  /// Within one or two typing errors.
  case typo
}
