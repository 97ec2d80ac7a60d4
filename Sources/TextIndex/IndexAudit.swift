internal import LMDB
internal import Projections

/// Reads every row of the index and compares what one table says with what the others say.
///
/// Postings with their positions are all tokens of all merged documents, so the identity of each
/// document's text is summed up from them and compared with what is kept of it elsewhere.
struct IndexAudit {
  let tables: IndexTables
  let state: IndexState

  /// What is known of one term.
  private struct Term {
    var hash: UInt64 = 0
    /// Documents the dictionary claims, less those found; all ones before the dictionary is read.
    var missing = UInt32.max
    var isPair = false
    var isPart = false
  }

  /// What is known of one merged document.
  private struct Document {
    var lengths = SIMD4<UInt32>()
    /// `ContentHash` of what was found so far.
    var content: UInt64 = 0
    /// Over the title tokens of its record, less those of its postings.
    var titleSum: UInt64 = 0
    /// Its values in `titles`.
    var titleStart: UInt32 = 0
    var titleEnd: UInt32 = 0
  }

  private var digest = RowDigest()
  /// By term id.
  private var terms: [Term]
  /// By number; the first one is none.
  private var documents: [Document] = [Document()]
  private var titles: [DocumentTokens.Title] = []
  private var items: [ItemEntry] = []
  private var versions: [UInt32] = []
  private var ends: [UInt32: DocumentEnd] = [:]
  private var liveCount: UInt32 = 0
  private var longRunCount = 0
  private var tokens = DocumentTokens()
  private var places: [UInt64] = []

  init(tables: IndexTables, state: IndexState) {
    self.tables = tables
    self.state = state
    terms = []
  }

  /// Makes room for a term, unless its id was never given.
  ///
  /// Room is made as terms are found: a count that is wrong must not be believed.
  private mutating func admit(_ term: Int) -> Bool {
    guard term < Int(state.nextTerm) else { return false }
    while terms.count <= term { terms.append(Term()) }
    return true
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

  /// Learns lengths and titles of all merged documents.
  mutating func readDocuments(_ txn: borrowing ReadTransaction) throws(StorageError) {
    documents.reserveCapacity(Int(state.mergedDocument) + 1)
    var cursor = try txn.cursor(tables.documents)
    var record = ByteWriter(capacity: 2_048)
    var number: UInt32 = 0
    while let found = try Parted.nextNumbered(&cursor, into: &record) {
      number += 1
      guard found == number, number <= state.mergedDocument else {
        throw Self.disagreement("document \(number)")
      }
      var reader = ByteReader(record.bytes)
      _ = try DocumentRecord.readHeader(&reader)
      try DocumentRecord.readBody(&reader, into: &tokens)
      var document = Document()
      document.lengths = tokens.lengths
      document.content = ContentHash.frame(tokens)
      document.titleStart = UInt32(truncatingIfNeeded: titles.count)
      titles.append(contentsOf: tokens.titles)
      document.titleEnd = UInt32(truncatingIfNeeded: titles.count)
      for token in tokens.tokens {
        guard token.kind == 0 else { throw Self.disagreement("document \(number)") }
        document.titleSum &+= Self.mix(token.term, token.position)
      }
      documents.append(document)
    }
    guard number == state.mergedDocument else { throw Self.disagreement("document \(number + 1)") }
  }

  /// Learns the hash of each term, and checks the postings of the rare ones.
  mutating func readDictionary(_ txn: borrowing ReadTransaction) throws(StorageError) {
    var cursor = try txn.cursor(tables.terms)
    while let row = try cursor.next() {
      let entry = try DictionaryEntry(row.value)
      let term = Int(entry.term)
      guard admit(term), terms[term].missing == .max, row.key.byteCount > 0 else {
        throw Self.disagreement("term \(entry.term) of the dictionary")
      }
      learn(term, row.key)
      terms[term].missing = entry.documentCount
      var start = 0
      for posting in entry.inline {
        let run = try entry.run(from: start)
        let impact = posting.impact.units << 2 | UInt32(posting.impact.place)
        try take(posting.document, impact, term, entry.positions.rawSpan, start, txn)
        start = run.upperBound
      }
    }
  }

  /// Learns the terms that only recent postings have, and checks these.
  mutating func readRecent(_ txn: borrowing ReadTransaction) throws(StorageError) {
    var cursor = try txn.cursor(tables.recent)
    var rowCount: UInt32 = 0
    while let found = try cursor.next() {
      let row = try RecentRow(found.value)
      let term = Int(row.term)
      rowCount += 1
      guard admit(term) else { throw Self.disagreement("a key of the recent postings") }
      if terms[term].missing == .max {
        learn(term, found.key)
        terms[term].missing = 0
      } else {
        guard let stored = try txn.get(tables.terms, found.key),
          try DictionaryEntry(stored).term == row.term
        else { throw Self.disagreement("term \(term) of the recent postings") }
      }
      terms[term].missing += row.count
      try row.forEach { (posting, run) throws(StorageError) in
        let impact = posting.impact.units << 2 | UInt32(posting.impact.place)
        try take(posting.document, impact, term, run, 0, txn)
      }
    }
    guard rowCount == state.recentCount else {
      throw Self.disagreement("the count of recent postings")
    }
  }

  private mutating func learn(_ term: Int, _ key: RawSpan) {
    let key = key.array()
    terms[term].hash = Vocabulary.hash(space: key[0], key, 1..<key.count)
    terms[term].isPair = key[0] == 2 && TermKey.scalarCount(key.dropFirst()) > 1
    terms[term].isPart = key[0] == 1
  }

  /// Checks the postings of all other terms.
  mutating func readPostings(_ txn: borrowing ReadTransaction) throws(StorageError) {
    var rows = try txn.cursor(tables.postings)
    var chunk = PostingChunk.Reader()
    var numbers: [UInt32] = []
    var impacts: [UInt32] = []
    while let row = try rows.next() {
      guard row.key.byteCount == 8 else { throw Self.disagreement("a key of the postings") }
      let term = Int(row.key.loadBigEndian32(at: 0))
      guard term < terms.count else { throw Self.disagreement("a key of the postings") }
      try chunk.load(row.value)
      for block in 0..<chunk.blockCount {
        try chunk.decode(block, documents: &numbers, impacts: &impacts)
        let range = try chunk.positions(of: block)
        var end = range.lowerBound
        for index in numbers.indices {
          let start = end
          try PositionCode.skip(1, chunk.bytes.rawSpan, &end, end: range.upperBound)
          let bytes = chunk.bytes.rawSpan.extracting(..<end)
          try take(numbers[index], impacts[index], term, bytes, start, txn)
        }
        guard end == range.upperBound else { throw PostingCode.damaged }
      }
    }
    for term in terms.indices where terms[term].missing != 0 && terms[term].missing != .max {
      throw Self.disagreement("the postings of term \(term)")
    }
    var rowCount = 0
    try txn.scan(tables.positions) { (key, _) throws(StorageError) in
      guard key.byteCount == 10 else { throw PostingCode.damaged }
      if key.loadBigEndian16(at: 8) == 0 { rowCount += 1 }
      return true
    }
    guard rowCount == longRunCount else { throw Self.disagreement("the runs of positions") }
  }

  /// Checks a posting, whose run of positions begins at an offset, and adds its tokens to its
  /// document.
  private mutating func take(
    _ number: UInt32,
    _ impact: UInt32,
    _ term: Int,
    _ bytes: borrowing RawSpan,
    _ start: Int,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    let id = UInt32(truncatingIfNeeded: term)
    guard number > 0, number < documents.count, terms[term].missing > 0 else {
      throw Self.disagreement("the postings of term \(term)")
    }
    let known = terms[term]
    terms[term].missing -= 1
    if try PositionCode.longByteCount(bytes, from: start) != nil { longRunCount += 1 }
    places.removeAll(keepingCapacity: true)
    try PositionCode.read(bytes, from: start, id, number, into: &places, txn, tables)
    var document = documents[Int(number)]
    var occurrence = Occurrence()
    for place in places {
      let token = DocumentTokens.Token(
        term: id,
        position: UInt32(truncatingIfNeeded: place),
        kind: UInt8(truncatingIfNeeded: place >> 32)
      )
      document.content &+= ContentHash.hash(token, known.hash)
      occurrence.count(Int(token.kind))
      if token.kind == 0 {
        document.titleSum &-= Self.mix(id, token.position)
        let values = titles[Int(document.titleStart)..<Int(document.titleEnd)]
        occurrence.raise(
          DocumentTokens.place(token, in: values, isPair: known.isPair, isPart: known.isPart)
        )
      }
    }
    documents[Int(number)] = document
    let expected = Impact(occurrence, lengths: document.lengths)
    guard impact == expected.units << 2 | UInt32(expected.place) else {
      throw Self.disagreement("the postings of term \(term)")
    }
  }

  /// Learns what is kept of versions that ended.
  mutating func readEnds(_ txn: borrowing ReadTransaction) throws(StorageError) {
    var cursor = try txn.cursor(tables.ends)
    while let row = try cursor.next() {
      guard row.key.byteCount == 5 else { throw Self.disagreement("a key of the ends") }
      let document = row.key.loadBigEndian32(at: 1)
      let end = try DocumentEnd(row.value)
      guard ends.updateValue(end, forKey: document) == nil else {
        throw Self.disagreement("the end of document \(document)")
      }
    }
  }

  /// Checks one version and adds its digest row.
  mutating func check(
    _ document: UInt32,
    _ view: PendingView,
    _ facts: inout DocumentFacts,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    let content: UInt64
    if view.document(document) != nil {
      try facts.tokens(document, into: &tokens, txn)
      content = ContentHash.hash(tokens, view.vocabulary)
    } else {
      guard document < documents.count, documents[Int(document)].titleSum == 0 else {
        throw Self.disagreement("the titles of document \(document)")
      }
      content = documents[Int(document)].content
    }
    let item = Int(try facts.item(document, txn))
    guard item < items.count else { throw Self.disagreement("document \(document) and its item") }
    versions[item] += 1
    let isLive = try facts.isVisible(document, txn)
    let entry = items[item]
    if isLive {
      liveCount += 1
      guard entry.document == document, entry.content == content,
        entry.versionCount == versions[item], ends[document] == nil
      else { throw Self.disagreement("document \(document) and its item") }
    } else {
      guard ends[document]?.content == content else {
        throw Self.disagreement("document \(document) and its end")
      }
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

  private static func mix(_ term: UInt32, _ position: UInt32) -> UInt64 {
    var hash = UInt64(term) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(position)
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
