internal import LMDB
internal import Synchronization
internal import Text

/// All stored terms that an unfinished word may stand for, as one list.
///
/// They are the word itself, parts and longer words. Their postings are added up by weight. True of
/// one state of the dictionary.
final class Completions: Sendable {
  /// Documents of the terms, each counted for itself.
  let documentCount: UInt64
  /// Their postings, units in hundredths.
  let postings: MemoryPostings
  /// One bit a longer term's id.
  private let terms: [UInt64]

  init(_ postings: MemoryPostings, documentCount: UInt64, terms: [UInt64]) {
    self.postings = postings
    self.documentCount = documentCount
    self.terms = terms
  }

  /// Whether a term is one of the longer ones.
  func contains(_ term: UInt32) -> Bool {
    let word = Int(term >> 6)
    return word < terms.count && terms[word] >> UInt64(term & 63) & 1 == 1
  }

  /// What it takes in memory, about.
  var byteCount: Int { postings.documents.count * 9 + terms.count * 8 + 128 }

  /// Reads the terms of the spaces for words and parts that begin with the bytes.
  ///
  /// - Complexity: O(postings of the terms).
  convenience init(
    of prefix: [UInt8],
    _ state: IndexState,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    var reader = CompletionReader(termCount: state.nextTerm)
    for space in [TermSpace.word, .part] {
      try reader.readDictionary(space, prefix, txn, tables)
    }
    let postings = try reader.union(state.documentCount, txn, tables)
    self.init(postings, documentCount: reader.documentCount, terms: reader.terms)
  }
}

/// Gathers the postings of many terms with one cursor each over dictionary and chunks.
private struct CompletionReader {
  private(set) var terms: [UInt64]
  private(set) var documentCount: UInt64 = 0
  /// Impacts of rare terms and of recent postings as units · 4 + place.
  private var inline: [(document: UInt32, impact: UInt32)] = []
  private var stored: [(term: UInt32, way: TermMatch)] = []

  init(termCount: UInt32) { terms = Array(repeating: 0, count: Int(termCount) / 64 + 1) }

  mutating func readDictionary(
    _ space: TermSpace,
    _ prefix: [UInt8],
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    let key = [space.rawValue] + prefix
    let way: TermMatch = space == .word ? .whole : .part
    var rowCount = 0
    try tables.walkTerms(from: key, txn) { (name, row, recent) throws(StorageError) in
      guard name.hasPrefix(key.rawSpan) else { return .stop }
      let own = name.byteCount > key.count ? TermMatch.completion : way
      if let row { try take(row, own) }
      if let recent { try take(recent: recent, own) }
      rowCount += 1
      return rowCount < IndexLimits.prefixTermCount ? .next : .stop
    }
  }

  /// Takes a term of the dictionary in; `way` is how it stands for the word.
  private mutating func take(_ row: RawSpan, _ way: TermMatch) throws(StorageError) {
    var offset = 0
    let term = try PostingCode.varint(row, &offset)
    let count = try PostingCode.varint(row, &offset)
    guard term >> 6 < UInt64(terms.count), count < UInt64(UInt32.max) else {
      throw PostingCode.damaged
    }
    if way == .completion { terms[Int(term >> 6)] |= 1 << (term & 63) }
    documentCount += count
    if count > UInt64(DictionaryEntry.inlineCount) {
      return stored.append((UInt32(term), way))
    }
    var previous: UInt32 = 0
    for _ in 0..<count {
      let posting = try PostingCode.read(row, &offset, after: previous)
      take(posting, way)
      previous = posting.document
    }
  }

  /// Takes postings in that are not in the list of their term yet.
  private mutating func take(recent: RawSpan, _ way: TermMatch) throws(StorageError) {
    let row = try RecentRow(recent)
    guard Int(row.term >> 6) < terms.count else { throw PostingCode.damaged }
    if way == .completion { terms[Int(row.term >> 6)] |= 1 << UInt64(row.term & 63) }
    documentCount += UInt64(row.count)
    try row.forEach { (posting, _) throws(StorageError) in take(posting, way) }
  }

  private mutating func take(_ posting: Posting, _ way: TermMatch) {
    let impact = posting.impact.units << 2 | UInt32(posting.impact.place)
    inline.append((posting.document, BoundCompletions.weighted(impact, way)))
  }

  /// The postings of all terms, added up.
  mutating func union(
    _ documentCount: UInt32,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> MemoryPostings {
    var union = PostingUnion(documentCount: documentCount, postingCount: self.documentCount)
    for (document, impact) in inline { union.add(document, impact) }
    stored.sort { $0.term < $1.term }
    var chunks = try txn.cursor(tables.postings)
    var chunk = PostingChunk.Reader()
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    for (term, way) in stored {
      var isIn = false
      let key = IndexTables.key(term) + [0, 0, 0, 0]
      if let row = try chunks.seek(key) { isIn = try Self.load(&chunk, row, term) }
      guard isIn else { throw PostingCode.damaged }
      while isIn {
        for block in 0..<chunk.blockCount {
          try chunk.decode(block, documents: &documents, impacts: &impacts)
          union.add(documents, impacts, way)
        }
        guard let row = try chunks.next() else { break }
        isIn = try Self.load(&chunk, row, term)
      }
    }
    return union.finish()
  }

  /// Loads the chunk of a row when it is one of the term.
  private static func load(
    _ chunk: inout PostingChunk.Reader,
    _ row: borrowing Entry,
    _ term: UInt32
  ) throws(StorageError) -> Bool {
    guard row.key.byteCount == 8, row.key.loadBigEndian32(at: 0) == term else { return false }
    try chunk.load(row.value)
    return true
  }
}

/// The last completions that were asked for, shared by the queries of a process: the letters of a
/// word come one by one, and every query of many begins alike.
final class CompletionCache: Sendable {
  private struct State {
    var epoch: UInt64 = 0
    var stamp: UInt64 = 0
    var byteCount = 0
    var entries: [[UInt8]: Completions] = [:]
  }

  private let state = Mutex(State())

  /// The completions of some bytes, as far as they are merged.
  func completions(
    of prefix: [UInt8],
    _ index: IndexState,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> Completions {
    let known = state.withLock { state -> Completions? in
      guard state.epoch == index.epoch, state.stamp == index.stamp else {
        state = State(epoch: index.epoch, stamp: index.stamp)
        return nil
      }
      return state.entries[prefix]
    }
    if let known { return known }
    let made = try Completions(of: prefix, index, txn, tables)
    state.withLock { state in
      guard state.epoch == index.epoch, state.stamp == index.stamp else { return }
      if state.byteCount + made.byteCount > IndexLimits.completionByteCount {
        state.entries.removeAll()
        state.byteCount = 0
      }
      state.entries[prefix] = made
      state.byteCount += made.byteCount
    }
    return made
  }
}
