internal import LMDB
internal import Synchronization
internal import Text

/// How much besides the very term stands for a word.
enum CompletionExtent: UInt8, Sendable {
  /// Nothing.
  case term
  /// Parts of camel-case words.
  case parts
  /// Parts, and longer words and parts.
  case longer
}

/// What a list is of.
struct CompletionName: Hashable, Sendable {
  var extent: CompletionExtent
  var space: TermSpace
  var bytes: [UInt8]

  /// Where its terms stand in the dictionary, and how the very term stands for the word there.
  var spaces: [(TermSpace, TermMatch)] {
    extent == .term ? [(space, .whole)] : [(.word, .whole), (.part, .part)]
  }
}

/// All stored terms that a word may stand for, as one list.
///
/// They are the word itself, parts and, of an unfinished one, longer words. Their postings are added
/// up by weight. True of one state of the dictionary.
final class Completions: Sendable {
  /// Documents of the terms, each counted for itself.
  private let documentCount: UInt64
  private let counts: PostingCounts
  /// Their postings, units in hundredths.
  let postings: MemoryPostings
  /// One bit a longer term's id.
  private let terms: [UInt64]

  /// Whether longer words are among the terms.
  var hasLonger: Bool { !terms.isEmpty }

  /// Documents of the terms up to one, each counted for itself; nil when that is not known.
  func documentCount(through last: UInt32) -> UInt64? {
    if last >= postings.documents.last ?? 0 { return documentCount }
    return counts.sum(first: postings.count(through: last))
  }

  /// Whether a term is one of the longer ones.
  func contains(_ term: UInt32) -> Bool {
    let word = Int(term >> 6)
    return word < terms.count && terms[word] >> UInt64(term & 63) & 1 == 1
  }

  /// What it takes in memory, about.
  var byteCount: Int { postings.documents.count * 10 + terms.count * 8 + 512 }

  /// Reads the terms.
  ///
  /// - Complexity: O(postings of the terms).
  init(
    of name: CompletionName,
    _ state: IndexState,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    var reader = CompletionReader(termCount: state.nextTerm, hasLonger: name.extent == .longer)
    for (space, way) in name.spaces {
      try reader.readDictionary(space, name.bytes, way, txn, tables)
    }
    (postings, counts) = try reader.union(state.documentCount, txn, tables)
    documentCount = reader.documentCount
    terms = reader.terms
  }
}

/// Gathers the postings of many terms with one cursor each over dictionary and chunks.
private struct CompletionReader {
  private(set) var terms: [UInt64]
  private(set) var documentCount: UInt64 = 0
  /// Impacts of rare terms and of recent postings as units · 4 + place.
  private var inline: [(document: UInt32, impact: UInt32)] = []
  private var stored: [(term: UInt32, way: TermMatch)] = []

  private let hasLonger: Bool

  init(termCount: UInt32, hasLonger: Bool) {
    self.hasLonger = hasLonger
    terms = hasLonger ? Array(repeating: 0, count: Int(termCount) / 64 + 1) : []
  }

  mutating func readDictionary(
    _ space: TermSpace,
    _ prefix: [UInt8],
    _ way: TermMatch,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    let key = [space.rawValue] + prefix
    var rowCount = 0
    let hasLonger = hasLonger
    try tables.walkTerms(from: key, txn) { (name, row, recent) throws(StorageError) in
      guard name.hasPrefix(key.rawSpan) else { return .stop }
      let isLonger = name.byteCount > key.count
      if isLonger, !hasLonger { return .stop }
      let own = isLonger ? TermMatch.completion : way
      if let row { try take(row, own) }
      if let recent { try take(recent: recent, own) }
      rowCount += 1
      return hasLonger && rowCount < IndexLimits.prefixTermCount ? .next : .stop
    }
  }

  /// Takes a term of the dictionary in; `way` is how it stands for the word.
  private mutating func take(_ row: RawSpan, _ way: TermMatch) throws(StorageError) {
    var offset = 0
    let term = try PostingCode.varint(row, &offset)
    let count = try PostingCode.varint(row, &offset)
    guard term < UInt64(UInt32.max), count < UInt64(UInt32.max) else { throw PostingCode.damaged }
    try take(UInt32(term), count: count, way)
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
    try take(row.term, count: UInt64(row.count), way)
    try row.forEach { (posting, _) throws(StorageError) in take(posting, way) }
  }

  private mutating func take(
    _ term: UInt32,
    count: UInt64,
    _ way: TermMatch
  ) throws(StorageError) {
    documentCount += count
    guard way == .completion else { return }
    guard Int(term >> 6) < terms.count else { throw PostingCode.damaged }
    terms[Int(term >> 6)] |= 1 << UInt64(term & 63)
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
  ) throws(StorageError) -> (MemoryPostings, PostingCounts) {
    if stored.count == 1, let list = try single(txn, tables) { return (list, PostingCounts()) }
    var union = PostingUnion(documentCount: documentCount, postingCount: self.documentCount)
    for (document, impact) in inline { union.add(document, impact) }
    stored.sort { $0.term < $1.term }
    try visit(txn, tables) { union.add($0, $1, $2) }
    return union.finish()
  }

  /// The postings of the one term that has a list with the others behind it; nil when these are not
  /// all behind it.
  private mutating func single(
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> MemoryPostings? {
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    try visit(txn, tables) { blockDocuments, blockImpacts, way in
      documents += blockDocuments
      for impact in blockImpacts { impacts.append(BoundCompletions.weighted(impact, way)) }
    }
    inline.sort { $0.document < $1.document }
    for (document, impact) in inline {
      guard document > documents.last ?? 0 else { return nil }
      documents.append(document)
      impacts.append(impact)
    }
    return MemoryPostings(documents, impacts)
  }

  /// Visits the stored postings by blocks.
  private func visit(
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables,
    _ body: (_ documents: [UInt32], _ impacts: [UInt32], _ way: TermMatch) -> Void
  ) throws(StorageError) {
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
          body(documents, impacts, way)
        }
        guard let row = try chunks.next() else { break }
        isIn = try Self.load(&chunk, row, term)
      }
    }
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

/// The last lists that were asked for, shared by the queries of a process: the letters of a word
/// come one by one while those before it stay, and every query of many begins alike.
final class CompletionCache: Sendable {
  private struct State {
    var epoch: UInt64 = 0
    var stamp: UInt64 = 0
    var byteCount = 0
    var useCount: UInt64 = 0
    var entries: [CompletionName: (list: Completions, lastUse: UInt64)] = [:]
    /// Whole words asked for once: a list is made only for those that come again.
    var names: Set<CompletionName> = []
  }

  private let state = Mutex(State())

  /// The list of a name, as far as it is merged; nil for a whole word that is asked for for the first
  /// time.
  func completions(
    of name: CompletionName,
    _ index: IndexState,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> Completions? {
    let (known, isDue) = state.withLock { state -> (Completions?, Bool) in
      if state.epoch != index.epoch || state.stamp != index.stamp {
        state = State(epoch: index.epoch, stamp: index.stamp)
      }
      if let found = state.entries[name] {
        state.useCount += 1
        state.entries[name]?.lastUse = state.useCount
        return (found.list, true)
      }
      if name.extent == .longer { return (nil, true) }
      if state.names.count > IndexLimits.completionNameCount { state.names.removeAll() }
      return (nil, !state.names.insert(name).inserted)
    }
    if known != nil || !isDue { return known }
    let made = try Completions(of: name, index, txn, tables)
    state.withLock { state in
      guard state.epoch == index.epoch, state.stamp == index.stamp else { return }
      guard made.byteCount <= IndexLimits.completionByteCount else { return }
      while state.byteCount + made.byteCount > IndexLimits.completionByteCount {
        guard let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
          break
        }
        state.byteCount -= oldest.value.list.byteCount
        state.entries[oldest.key] = nil
      }
      state.useCount += 1
      guard state.entries.updateValue((made, state.useCount), forKey: name) == nil else { return }
      state.byteCount += made.byteCount
    }
    return made
  }
}
