internal import LMDB
internal import Projections

/// Reads every row of the index and compares what one table says with what the others say.
struct IndexAudit {
  let tables: IndexTables
  let state: IndexState

  private var digest = RowDigest()
  /// By term id: hash of the term, documents expected, and a sum over its expected postings.
  private var hashes: [UInt64]
  private var isPair: [Bool]
  private var isPart: [Bool]
  private var counts: [UInt32]
  private var sums: [UInt64]
  private var items: [ItemEntry] = []
  private var versions: [UInt32] = []
  private var liveCount: UInt32 = 0
  private var facts: DocumentFacts?
  private var tokens = DocumentTokens()
  private var occurrences: [UInt32: Occurrence] = [:]

  init(tables: IndexTables, state: IndexState) {
    self.tables = tables
    self.state = state
    let count = Int(state.nextTerm)
    hashes = Array(repeating: 0, count: count)
    isPair = Array(repeating: false, count: count)
    isPart = Array(repeating: false, count: count)
    counts = Array(repeating: 0, count: count)
    sums = Array(repeating: 0, count: count)
  }

  /// Learns the hash of each term.
  mutating func readDictionary(_ txn: borrowing ReadTransaction) throws(StorageError) {
    var cursor = try txn.cursor(tables.terms)
    while let row = try cursor.next() {
      let entry = try DictionaryEntry(row.value)
      let term = Int(entry.term)
      guard term < hashes.count, hashes[term] == 0 else {
        throw Self.disagreement("term \(entry.term) of the dictionary")
      }
      let key = row.key.array()
      hashes[term] = Vocabulary.hash(space: key[0], key, 1..<key.count)
      isPair[term] = key[0] == 2 && TermKey.scalarCount(key.dropFirst()) > 1
      isPart[term] = key[0] == 1
    }
  }

  /// Learns the entries of all items.
  mutating func readItems(_ txn: borrowing ReadTransaction) throws(StorageError) {
    var cursor = try txn.cursor(tables.items)
    while let row = try cursor.next() {
      guard row.key.byteCount == 4 else { throw Self.disagreement("a key of the items") }
      let start = Int(row.key.loadBigEndian32(at: 0)) * IndexLimits.itemRowCount
      while items.count < start { items.append(ItemEntry()) }
      try ItemTable.read(row.value, into: &items)
    }
    versions = Array(repeating: 0, count: items.count)
  }

  /// Checks one version and adds its digest row.
  mutating func check(
    _ document: UInt32,
    _ view: PendingView,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    var facts =
      if let facts { facts } else { try DocumentFacts(tables, state, view, asOf: nil, txn) }
    try facts.tokens(document, into: &tokens, txn)
    let item = Int(try facts.item(document, txn))
    guard item < items.count else { throw Self.disagreement("document \(document) and its item") }
    versions[item] += 1
    let isLive = try facts.isVisible(document, txn)
    let content: UInt64
    if view.document(document) != nil {
      content = ContentHash.hash(tokens, view.vocabulary)
    } else {
      for token in tokens.tokens where Int(token.term) >= hashes.count {
        throw Self.disagreement("document \(document) and the dictionary")
      }
      content = ContentHash.hash(tokens) { hashes[Int($0)] }
      count(document)
    }
    self.facts = facts
    let entry = items[item]
    if isLive {
      liveCount += 1
      guard entry.document == document, entry.content == content,
        entry.versionCount == versions[item]
      else { throw Self.disagreement("document \(document) and its item") }
    }
    digest.add(
      ItemEntry.row(
        keyLow: entry.keyLow,
        keyHigh: entry.keyHigh,
        version: versions[item],
        content: content,
        isLive: isLive
      )
    )
  }

  /// Adds the postings that a merged document must have to the sums of their terms.
  private mutating func count(_ document: UInt32) {
    occurrences.removeAll(keepingCapacity: true)
    for token in tokens.tokens {
      let term = Int(token.term)
      var occurrence = occurrences[token.term] ?? Occurrence()
      occurrence.count(Int(token.kind))
      if token.kind == 0 {
        occurrence.raise(tokens.place(token, isPair: isPair[term], isPart: isPart[term]))
      }
      occurrences[token.term] = occurrence
    }
    for (term, occurrence) in occurrences {
      counts[Int(term)] += 1
      sums[Int(term)] &+= Self.mix(document, Impact(occurrence, lengths: tokens.lengths))
    }
  }

  /// Compares the postings of each term with what the documents said.
  mutating func checkPostings(_ txn: borrowing ReadTransaction) throws(StorageError) {
    var cursor = try txn.cursor(tables.terms)
    while let row = try cursor.next() {
      let entry = try DictionaryEntry(row.value)
      let term = Int(entry.term)
      guard counts[term] == entry.documentCount else {
        throw Self.disagreement("the document count of term \(entry.term)")
      }
      for posting in entry.inline { sums[term] &-= Self.mix(posting.document, posting.impact) }
    }
    var rows = try txn.cursor(tables.postings)
    var chunk = PostingChunk.Reader()
    var documents: [UInt32] = []
    var packed: [UInt32] = []
    while let row = try rows.next() {
      guard row.key.byteCount == 8 else { throw Self.disagreement("a key of the postings") }
      let term = Int(row.key.loadBigEndian32(at: 0))
      guard term < sums.count else { throw Self.disagreement("a key of the postings") }
      try chunk.load(row.value)
      for block in 0..<chunk.blockCount {
        try chunk.decode(block, documents: &documents, impacts: &packed)
        for (document, impact) in zip(documents, packed) {
          sums[term] &-= Self.mix(document, units: impact)
        }
      }
    }
    for term in sums.indices where sums[term] != 0 {
      throw Self.disagreement("the postings of term \(term)")
    }
  }

  /// The digest, when the totals agree too.
  func finish() throws(StorageError) -> RowDigest {
    guard liveCount == state.liveCount else {
      throw Self.disagreement("the count of live documents")
    }
    for item in items.indices where items[item].versionCount != versions[item] {
      throw Self.disagreement("the version count of item \(item)")
    }
    return digest
  }

  private static func mix(_ document: UInt32, _ impact: Impact) -> UInt64 {
    mix(document, units: impact.units << 2 | UInt32(impact.place))
  }

  private static func mix(_ document: UInt32, units: UInt32) -> UInt64 {
    var hash = UInt64(document) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(units)
    hash ^= hash &>> 29
    hash = hash &* 0xBF58_476D_1CE4_E5B9
    return hash ^ (hash &>> 32) | 1
  }

  private static func disagreement(_ what: String) -> StorageError {
    StorageError(
      .corrupt,
      "the text index contradicts itself at \(what); rebuild the text index"
    )
  }
}
