internal import LMDB
internal import Synchronization
internal import Text

/// How much besides the very term stands for a word.
enum UnionExtent: UInt8, Sendable {
  /// Nothing.
  case term
  /// Parts of camel-case words.
  case parts
  /// Parts, and longer words and parts.
  case longer
}

/// What a list is of.
struct UnionName: Hashable, Sendable {
  var extent: UnionExtent
  var space: TermSpace
  var bytes: [UInt8]

  /// Where its terms stand in the dictionary, and how the very term stands for the word there.
  var spaces: [(TermSpace, TermMatch)] {
    extent == .term ? [(space, .whole)] : [(.word, .whole), (.part, .part)]
  }
}

/// All stored terms that a word may stand for, as one list.
///
/// They are the word itself, parts and, of an unfinished one, longer words. Their postings are
/// added up by weight. True of one state of the dictionary.
final class TermUnion: Sendable {
  /// Documents of the terms, each counted for itself.
  private let documentCount: UInt64
  private let counts: PostingCounts
  /// Their postings, units in hundredths.
  let postings: MemoryPostings
  /// The only term, when there is just one; then the postings have their positions.
  let singleTerm: UInt32?
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
  var byteCount: Int {
    postings.documents.count * 10 + postings.runs.bytes.count + terms.count * 8 + 512
      + (postings.bits?.byteCount ?? 0)
  }

  /// Reads the terms.
  ///
  /// - Complexity: O(postings of the terms).
  init(
    of name: UnionName, _ state: IndexState, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) {
    var reader = UnionReader(termCount: state.nextTerm, hasLonger: name.extent == .longer)
    for (space, way) in name.spaces {
      try reader.readDictionary(space, name.bytes, way, txn, tables)
    }
    var (postings, counts) = try reader.union(state.documentCount, txn, tables)
    postings.bits = DocumentBits(postings.documents)
    self.postings = postings
    self.counts = counts
    documentCount = reader.documentCount
    singleTerm = postings.runs.bytes.isEmpty ? nil : reader.singleTerm
    terms = reader.terms
  }
}

/// Gathers the postings of many terms with one cursor each over dictionary and chunks.
private struct UnionReader {
  private(set) var terms: [UInt64]
  private(set) var documentCount: UInt64 = 0
  /// Postings of rare terms and recent ones: document · 2³² + impact as units · 4 + place.
  private var inline: [UInt64] = []
  private var stored: [(term: UInt32, way: TermMatch)] = []
  /// Positions of what is inline, of finished words.
  private var inlineRuns: [UInt8] = []
  /// The only term so far.
  private(set) var singleTerm: UInt32?
  private var hasSeveral = false

  private let hasLonger: Bool

  init(termCount: UInt32, hasLonger: Bool) {
    self.hasLonger = hasLonger
    terms = hasLonger ? Array(repeating: 0, count: Int(termCount) / 64 + 1) : []
  }

  mutating func readDictionary(
    _ space: TermSpace, _ prefix: [UInt8], _ way: TermMatch, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) {
    let key = [space.rawValue] + prefix
    var rowCount = 0
    let hasLonger = hasLonger
    try tables.walkTerms(from: key, txn) { (name, row, delta) throws(CairnError) in
      guard name.hasPrefix(key.rawSpan) else { return .stop }
      let isLonger = name.byteCount > key.count
      if isLonger, !hasLonger { return .stop }
      let own = isLonger ? TermMatch.completion : way
      if let row { try take(row, own) }
      if let delta { try take(delta: delta, own) }
      rowCount += 1
      return hasLonger && rowCount < IndexLimits.prefixTermCount ? .next : .stop
    }
  }

  /// Takes a term of the dictionary in; `way` is how it stands for the word.
  private mutating func take(_ row: RawSpan, _ way: TermMatch) throws(CairnError) {
    var offset = 0
    let term = try Varint.read(row, &offset)
    let count = try Varint.read(row, &offset)
    guard term < UInt64(UInt32.max), count < UInt64(UInt32.max) else { throw IndexDamage.postings }
    try take(UInt32(term), count: count, way)
    if count > UInt64(DictionaryEntry.inlineCount) { return stored.append((UInt32(term), way)) }
    var previous: UInt32 = 0
    for _ in 0..<count {
      let posting = try Posting.read(row, &offset, after: previous)
      take(posting, way)
      previous = posting.document
    }
    if !hasLonger { inlineRuns.append(row.extracting(offset...)) }
  }

  /// Takes postings in that are not in the list of their term yet.
  private mutating func take(delta: RawSpan, _ way: TermMatch) throws(CairnError) {
    let row = try DeltaRow(delta)
    try take(row.term, count: UInt64(row.count), way)
    try row.forEach { (posting, run) throws(CairnError) in
      take(posting, way)
      if !hasLonger { inlineRuns.append(run) }
    }
  }

  private mutating func take(_ term: UInt32, count: UInt64, _ way: TermMatch) throws(CairnError) {
    documentCount += count
    if !hasSeveral {
      hasSeveral = singleTerm != nil && singleTerm != term
      singleTerm = hasSeveral ? nil : term
    }
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
    _ documentCount: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> (MemoryPostings, PostingCounts) {
    if stored.count == 1 || singleTerm != nil, let list = try single(txn, tables) {
      return (list, PostingCounts())
    }
    var union = PostingUnion(documentCount: documentCount, postingCount: self.documentCount)
    union.add(inline)
    stored.sort { $0.term < $1.term }
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    try visit(txn, tables) { (chunk, block, way) throws(CairnError) in
      try chunk.decode(block, documents: &documents, impacts: &impacts)
      union.add(documents, impacts, way)
    }
    return union.finish()
  }

  /// The postings of the one term that has a list with the others behind it; nil when these are not
  /// all behind it.
  private mutating func single(_ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError) -> MemoryPostings?
  {
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    var runs = PostingRuns()
    let keepsRuns = singleTerm != nil && !hasLonger
    var (blockDocuments, blockImpacts) = (documents, impacts)
    try visit(txn, tables) { (chunk, block, way) throws(CairnError) in
      try chunk.decode(block, documents: &blockDocuments, impacts: &blockImpacts)
      documents += blockDocuments
      for impact in blockImpacts { impacts.append(BoundUnion.weighted(impact, way)) }
      guard keepsRuns else { return }
      let range = try chunk.positions(of: block)
      try runs.append(blockDocuments.count, chunk.bytes.rawSpan.extracting(range))
    }
    if keepsRuns { try runs.append(inline.count, inlineRuns.rawSpan) }
    for posting in inline.sorted() {
      let document = UInt32(truncatingIfNeeded: posting >> 32)
      guard document > documents.last ?? 0 else { return nil }
      documents.append(document)
      impacts.append(UInt32(truncatingIfNeeded: posting))
    }
    var list = MemoryPostings(documents, impacts)
    list.runs = runs
    return list
  }

  /// Visits the stored postings by blocks.
  private func visit(
    _ txn: borrowing ReadTransaction, _ tables: IndexTables,
    _ body: (PostingChunk.Reader, _ block: Int, _ way: TermMatch) throws(CairnError) -> Void
  ) throws(CairnError) {
    var chunks = try txn.cursor(tables.postings)
    var chunk = PostingChunk.Reader()
    // Terms that stand side by side in the dictionary often do so here, so the row behind a list is
    // mostly the first one of the next.
    var loaded: UInt32?
    for (index, (term, way)) in stored.enumerated() {
      if loaded != term {
        guard let row = try chunks.seek(IndexTables.key(term) + [0, 0, 0, 0]),
          Self.term(of: row) == term
        else { throw IndexDamage.postings }
        try chunk.load(row.value)
        loaded = term
      }
      let next = index + 1 < stored.count ? stored[index + 1].term : term
      while loaded == term {
        for block in 0..<chunk.blockCount { try body(chunk, block, way) }
        loaded = nil
        guard let row = try chunks.next(), let owner = Self.term(of: row),
          owner == term || owner == next
        else { break }
        try chunk.load(row.value)
        loaded = owner
      }
    }
  }

  /// Whose list a row is of.
  private static func term(of row: borrowing Entry) -> UInt32? {
    row.key.byteCount == 8 ? row.key.loadBigEndian32(at: 0) : nil
  }
}

/// The last lists that were asked for, shared by the queries of a process: the letters of a word
/// come one by one while those before it stay, and every query of many begins alike.
final class UnionCache: Sendable {
  private struct State {
    var epoch: UInt64 = 0
    var stamp: UInt64 = 0
    var byteCount = 0
    var useCount: UInt64 = 0
    var entries: [UnionName: (list: TermUnion, lastUse: UInt64)] = [:]
    /// Whole words asked for once: a list is made only for those that come again.
    var names: Set<UnionName> = []
  }

  private let state = Mutex(State())

  /// The list of a name, as far as it is merged; nil for a whole word that is asked for for the
  /// first time.
  func completions(
    of name: UnionName, _ index: IndexState, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) -> TermUnion? {
    let (known, isDue) = state.withLock { state -> (TermUnion?, Bool) in
      if state.epoch != index.epoch || state.stamp != index.stamp {
        state = State(epoch: index.epoch, stamp: index.stamp)
      }
      if let found = state.entries[name] {
        state.useCount += 1
        state.entries[name]?.lastUse = state.useCount
        return (found.list, true)
      }
      if name.extent == .longer { return (nil, true) }
      if state.names.count > IndexLimits.unionNameCount { state.names.removeAll() }
      return (nil, !state.names.insert(name).inserted)
    }
    if known != nil || !isDue { return known }
    let made = try TermUnion(of: name, index, txn, tables)
    state.withLock { state in
      guard state.epoch == index.epoch, state.stamp == index.stamp else { return }
      guard made.byteCount <= IndexLimits.unionByteCount else { return }
      while state.byteCount + made.byteCount > IndexLimits.unionByteCount {
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
