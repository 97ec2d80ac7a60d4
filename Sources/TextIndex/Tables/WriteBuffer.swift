internal import LMDB
internal import Synchronization

/// The buffered documents of one state of the index, inverted in memory.
///
/// Grows with the documents; a merge makes a new one. Reading a thousand takes a fraction of a
/// millisecond, so a process that lives for one query loses little.
struct WriteBuffer: Sendable {
  struct Document: Sendable {
    var header: DocumentRecord.Header
    var version: DocumentRecord.Version
    var lengths: SIMD4<UInt32>
    var weights: [FieldWeight]
    /// Its tokens inside `tokens`, its titles inside `titles`.
    var tokens: Range<Int>
    var titles: Range<Int>
  }

  private var epoch: UInt64
  private var stamp: UInt64
  /// Number of the first document.
  private(set) var first: UInt32
  private(set) var documents: [Document] = []
  /// Terms of all documents; indices into it number the arrays below.
  private(set) var vocabulary = Vocabulary(capacity: 64)
  private(set) var tokens: [DocumentTokens.Token] = []
  private(set) var titles: [DocumentTokens.Title] = []
  /// Postings as one list per term, newest first.
  private var postings: [(document: UInt32, occurrence: Occurrence, before: Int)] = []
  /// By the place of a posting: of documents whose fields have weights.
  private var weighted: [Int: WeightedOccurrence] = [:]
  private var heads: [Int] = []
  private(set) var counts: [UInt32] = []
  private var isPair: [Bool] = []
  /// Delta tombstones by document.
  private(set) var ends: [UInt32: Tombstone] = [:]
  /// Number of the first one.
  private var firstEnd: UInt32
  private var lastEnd: Tombstone?
  private var scratch = DocumentTokens()

  /// A view of no documents.
  init(_ state: IndexState) {
    epoch = state.epoch
    stamp = state.stamp
    first = state.mergedDocument + 1
    firstEnd = state.foldedTombstoneCount
  }

  /// Whether the view is of the state given, or of an earlier one that only lacks documents and
  /// ends.
  func fits(_ state: IndexState) -> Bool {
    epoch == state.epoch && stamp == state.stamp && first == state.mergedDocument + 1
      && firstEnd == state.foldedTombstoneCount
  }

  /// Reads the documents and ends that the state has and the view lacks.
  mutating func extend(
    to state: IndexState, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    var document = first + UInt32(documents.count)
    var value = ByteWriter(capacity: 4_096)
    while document < state.nextDocument {
      value.removeAll()
      guard try Parted.get(txn, tables.pending, key: IndexTables.key(document), into: &value) else {
        throw DocumentRecord.damaged
      }
      try add(document, value.array())
      document += 1
    }
    try extendEnds(to: state, txn, tables)
  }

  private mutating func extendEnds(
    to state: IndexState, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    let next = lastEnd.map { $0.number + 1 } ?? firstEnd
    guard next < state.endCount else { return }
    var found: [Tombstone] = []
    let missing = Int(state.endCount - next)
    let start = lastEnd.map { Tombstone.key(anchor: $0.anchor, number: next) } ?? [0]
    try txn.scan(tables.pending, from: start) { (key, row) throws(CairnError) in
      if Tombstone.isKey(key) { found.append(try Tombstone(key, row)) }
      return found.count < missing
    }
    for (offset, end) in found.enumerated() {
      guard end.number == next + UInt32(offset), ends.updateValue(end, forKey: end.document) == nil
      else { throw DocumentRecord.damaged }
    }
    guard found.count == missing else { throw DocumentRecord.damaged }
    lastEnd = found.last
  }

  /// The sequence from which on a document is not, when its end is recent in the state.
  func end(of document: UInt32, in state: IndexState) -> UInt64? {
    guard let end = ends[document], end.number < state.endCount else { return nil }
    return end.end.sequence
  }

  /// Document by number, nil when it is merged or newer than the view.
  func document(_ number: UInt32) -> Document? {
    guard number >= first, Int(number - first) < documents.count else { return nil }
    return documents[Int(number - first)]
  }

  /// Postings of a term in order of documents, up to the last one given.
  func list(_ term: UInt32, through last: UInt32, into list: inout MemoryPostings) {
    var found: [Posting] = []
    var at = heads[Int(term)]
    while at >= 0 {
      let (document, occurrence, before) = postings[at]
      if document <= last {
        let lengths = documents[Int(document - first)].lengths
        var impact = Impact(occurrence, lengths: lengths)
        if !weighted.isEmpty, let known = weighted[at] {
          impact = Impact(known, place: occurrence.place, lengths: lengths)
        }
        found.append(Posting(document: document, impact: impact))
      }
      at = before
    }
    for posting in found.reversed() { list.append(posting) }
  }

  private mutating func add(_ number: UInt32, _ bytes: [UInt8]) throws(CairnError) {
    var reader = ByteReader(bytes.rawSpan)
    let header = try DocumentRecord.readHeader(&reader)
    let version = try DocumentRecord.readVersion(&reader)
    let ranges = try DocumentRecord.readTerms(&reader)
    try DocumentRecord.readBody(&reader, into: &scratch)
    var names: [UInt32] = []
    for range in ranges {
      let term = vocabulary.intern(space: bytes[range.lowerBound], bytes, range.dropFirst())
      if Int(term) == heads.count {
        heads.append(-1)
        counts.append(0)
        isPair.append(vocabulary.keys.isPair(term))
      }
      names.append(term)
    }
    let start = tokens.count
    var walk = WeightWalk(scratch.weights)
    for var token in scratch.tokens {
      guard Int(token.term) < names.count else { throw DocumentRecord.damaged }
      token.term = names[Int(token.term)]
      tokens.append(token)
      count(token, of: number)
      if !scratch.weights.isEmpty {
        let weight = walk.weight(token.kind, token.position)
        let posting = heads[Int(token.term)]
        weighted[posting, default: WeightedOccurrence()].count(token.kind, weight: weight)
      }
    }
    titles.append(contentsOf: scratch.titles)
    documents.append(
      Document(
        header: header, version: version, lengths: scratch.lengths, weights: scratch.weights,
        tokens: start..<tokens.count,
        titles: titles.count - scratch.titles.count..<titles.count))
  }

  private mutating func count(_ token: DocumentTokens.Token, of document: UInt32) {
    let term = Int(token.term)
    if heads[term] < 0 || postings[heads[term]].document != document {
      postings.append((document, Occurrence(), heads[term]))
      heads[term] = postings.count - 1
      counts[term] += 1
    }
    postings[heads[term]].occurrence.count(Int(token.kind))
    if token.kind == 0 {
      let place = scratch.place(
        token, isPair: isPair[term], isPart: vocabulary.keys.isPart(token.term))
      postings[heads[term]].occurrence.raise(place)
    }
  }
}

/// The last view, shared by the queries of a process.
final class WriteBufferCache: Sendable {
  private let view = Mutex<WriteBuffer?>(nil)

  /// A view that covers the state; it may have more documents than the state.
  func view(_ state: IndexState, _ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError) -> WriteBuffer
  {
    var current = view.withLock { stored in
      let taken = stored
      // Taking it out keeps the arrays unique, so that growing does not copy them.
      stored = nil
      return taken
    }
    if current == nil || current?.fits(state) == false { current = WriteBuffer(state) }
    var result = current ?? WriteBuffer(state)
    current = nil
    try result.extend(to: state, txn, tables)
    let kept = result
    view.withLock { $0 = kept }
    return result
  }
}
