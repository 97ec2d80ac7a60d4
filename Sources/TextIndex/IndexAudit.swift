internal import LMDB
internal import Projections

/// Reads every row of the index and compares what one table says with what the others say.
struct IndexAudit {
  let tables: IndexTables
  let state: IndexState

  /// What is known of one term: 32 bytes, so that a token costs one look into memory.
  private struct Term {
    var hash: UInt64 = 0
    /// Over the postings that the documents make expect, less those that are there.
    var sum: UInt64 = 0
    /// In the document being counted; empty between documents.
    var occurrence = Occurrence()
    /// Documents expected.
    var documentCount: UInt32 = 0
    var isPair = false
    var isPart = false
  }

  private var digest = RowDigest()
  /// By term id.
  private var terms: [Term]
  private var items: [ItemEntry] = []
  private var versions: [UInt32] = []
  private var liveCount: UInt32 = 0
  private var impacts = ImpactTable()
  private var tokens = DocumentTokens()
  /// The terms of the document being counted.
  private var counted: [UInt32] = []

  init(tables: IndexTables, state: IndexState) {
    self.tables = tables
    self.state = state
    terms = Array(repeating: Term(), count: Int(state.nextTerm))
  }

  /// Learns the hash of each term.
  mutating func readDictionary(_ txn: borrowing ReadTransaction) throws(StorageError) {
    var cursor = try txn.cursor(tables.terms)
    while let row = try cursor.next() {
      let entry = try DictionaryEntry(row.value)
      let term = Int(entry.term)
      guard term < terms.count, terms[term].hash == 0 else {
        throw Self.disagreement("term \(entry.term) of the dictionary")
      }
      let key = row.key.array()
      terms[term].hash = Vocabulary.hash(space: key[0], key, 1..<key.count)
      terms[term].isPair = key[0] == 2 && TermKey.scalarCount(key.dropFirst()) > 1
      terms[term].isPart = key[0] == 1
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
  ///
  /// The cursor goes along the merged documents, whose order is that of the numbers; `record` is
  /// room for one of them.
  mutating func check(
    _ document: UInt32,
    _ view: PendingView,
    _ facts: inout DocumentFacts,
    _ documents: inout Cursor,
    _ record: inout ByteWriter,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    let content: UInt64
    if view.document(document) != nil {
      try facts.tokens(document, into: &tokens, txn)
      content = ContentHash.hash(tokens, view.vocabulary)
    } else {
      try readTokens(document, &documents, &record)
      content = try count(document)
    }
    let item = Int(try facts.item(document, txn))
    guard item < items.count else { throw Self.disagreement("document \(document) and its item") }
    versions[item] += 1
    let isLive = try facts.isVisible(document, txn)
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

  /// Reads the document that the cursor stands before.
  private mutating func readTokens(
    _ document: UInt32,
    _ documents: inout Cursor,
    _ record: inout ByteWriter
  ) throws(StorageError) {
    record.removeAll()
    guard try Parted.next(&documents, key: IndexTables.key(document), into: &record) else {
      throw Self.disagreement("document \(document)")
    }
    var reader = ByteReader(record.bytes)
    _ = try DocumentRecord.readHeader(&reader)
    try DocumentRecord.readBody(&reader, into: &tokens)
  }

  /// Adds the postings that a merged document must have to the sums of their terms, and hashes it.
  private mutating func count(_ document: UInt32) throws(StorageError) -> UInt64 {
    counted.removeAll(keepingCapacity: true)
    var content = ContentHash.frame(tokens)
    for token in tokens.tokens {
      let number = Int(token.term)
      guard number < terms.count else {
        throw Self.disagreement("document \(document) and the dictionary")
      }
      var term = terms[number]
      content &+= ContentHash.hash(token, term.hash)
      if term.occurrence.packed == 0 { counted.append(token.term) }
      term.occurrence.count(Int(token.kind))
      if token.kind == 0 {
        term.occurrence.raise(tokens.place(token, isPair: term.isPair, isPart: term.isPart))
      }
      terms[number].occurrence = term.occurrence
    }
    impacts.begin(tokens.lengths)
    for number in counted {
      var term = terms[Int(number)]
      term.documentCount += 1
      term.sum &+= Self.mix(document, impacts.impact(term.occurrence))
      term.occurrence = Occurrence()
      terms[Int(number)] = term
    }
    return content
  }

  /// Compares the postings of each term with what the documents said.
  mutating func checkPostings(_ txn: borrowing ReadTransaction) throws(StorageError) {
    var cursor = try txn.cursor(tables.terms)
    while let row = try cursor.next() {
      let entry = try DictionaryEntry(row.value)
      let term = Int(entry.term)
      guard terms[term].documentCount == entry.documentCount else {
        throw Self.disagreement("the document count of term \(entry.term)")
      }
      for posting in entry.inline {
        terms[term].sum &-= Self.mix(posting.document, posting.impact)
      }
    }
    var rows = try txn.cursor(tables.postings)
    var chunk = PostingChunk.Reader()
    var documents: [UInt32] = []
    var packed: [UInt32] = []
    while let row = try rows.next() {
      guard row.key.byteCount == 8 else { throw Self.disagreement("a key of the postings") }
      let term = Int(row.key.loadBigEndian32(at: 0))
      guard term < terms.count else { throw Self.disagreement("a key of the postings") }
      try chunk.load(row.value)
      var sum: UInt64 = 0
      for block in 0..<chunk.blockCount {
        try chunk.decode(block, documents: &documents, impacts: &packed)
        for (document, impact) in zip(documents, packed) {
          sum &+= Self.mix(document, units: impact)
        }
      }
      terms[term].sum &-= sum
    }
    for term in terms.indices where terms[term].sum != 0 {
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
