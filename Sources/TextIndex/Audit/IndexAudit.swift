internal import LMDB
internal import Projections

/// Reads every row of the index and compares what one table says with what the others say.
///
/// Postings with their positions are all tokens of all merged documents, so the identity of each
/// document's text is summed up from them and compared with what is kept of it elsewhere.
struct IndexAudit {
  let tables: IndexTables
  let state: IndexState

  private var digest = RowDigest()
  /// By term id.
  private var terms: [AuditedTerm]
  private var documents: AuditedDocuments
  /// By number of a merged document: its `ContentHash`, once all postings were read.
  private var contents: [UInt64] = []
  private var items: [ItemEntry] = []
  private var bufferedItems = BufferedItems()
  /// Versions found of the items of the table, and of those that came after it was written.
  private var versions: [UInt32] = []
  private var newVersions: [UInt32: UInt32] = [:]
  private var ends: [UInt32: DocumentEnd] = [:]
  private var liveCount: UInt32 = 0
  private var tokens = DocumentTokens()

  init(tables: IndexTables, state: IndexState) {
    self.tables = tables
    self.state = state
    terms = []
    documents = AuditedDocuments(capacity: Int(state.mergedDocument))
  }

  /// Makes room for a term, unless its id was never given.
  ///
  /// Room is made as terms are found: a count that is wrong must not be believed.
  private mutating func admit(_ term: Int) -> Bool {
    guard term < Int(state.nextTerm) else { return false }
    while terms.count <= term { terms.append(AuditedTerm()) }
    return true
  }

  mutating func readItems(_ txn: borrowing ReadTransaction) throws(CairnError) {
    items.reserveCapacity(try txn.count(tables.items) * IndexLimits.itemRowCount)
    var cursor = try txn.cursor(tables.items)
    while let row = try cursor.next() {
      guard row.key.byteCount == 4 else { throw Self.disagreement("a key of the items") }
      let start = Int(row.key.loadBigEndian32(at: 0)) * IndexLimits.itemRowCount
      while items.count < start { items.append(ItemEntry()) }
      try ItemBlock.read(row.value, into: &items)
    }
    versions = Array(repeating: 0, count: items.count)
    bufferedItems = try BufferedItems(state, txn, tables)
  }

  private func entry(_ item: UInt32) -> ItemEntry? {
    bufferedItems[item] ?? (item < items.count ? items[Int(item)] : nil)
  }

  /// Counts one more version of an item and returns how many there are.
  private mutating func addVersion(of item: UInt32) -> UInt32 {
    guard item < versions.count else {
      newVersions[item, default: 0] += 1
      return newVersions[item] ?? 1
    }
    versions[Int(item)] += 1
    return versions[Int(item)]
  }

  /// Learns lengths and titles of all merged documents.
  mutating func readDocuments(_ txn: borrowing ReadTransaction) throws(CairnError) {
    var cursor = try txn.cursor(tables.documents)
    var record = ByteWriter(capacity: 2_048)
    var number: UInt32 = 0
    while let last = try Parted.nextNumbered(&cursor, into: &record) {
      try DocumentBlock.visit(record.bytes, through: last) {
        (document, _, record) throws(CairnError) in
        number += 1
        guard document == number, number <= state.mergedDocument else {
          throw Self.disagreement("document \(number)")
        }
        try DocumentRecord.readMerged(record, into: &tokens)
        documents.append(tokens)
        return true
      }
    }
    guard number == state.mergedDocument else { throw Self.disagreement("document \(number + 1)") }
  }

  /// Learns the hash of each term, and checks all postings.
  mutating func readPostings(ended: DocumentBits, _ txn: borrowing ReadTransaction)
    throws(CairnError)
  {
    var audit = PostingAudit(tables, documents, ended: ended)
    try readDictionary(&audit, txn)
    try readDeltas(&audit, txn)
    try audit.look(at: terms, txn)
    contents = documents.sums
    for index in contents.indices { contents[index] &+= audit.documents[index].sum }
    var rowCount = 0
    try txn.scan(tables.positions) { (key, _) throws(CairnError) in
      guard key.byteCount == 10 else { throw IndexDamage.postings }
      if key.loadBigEndian16(at: 8) == 0 { rowCount += 1 }
      return true
    }
    guard rowCount == audit.longRunCount else { throw Self.disagreement("the runs of positions") }
  }

  private mutating func readDictionary(
    _ audit: inout PostingAudit, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    var cursor = try txn.cursor(tables.terms)
    while let row = try cursor.next() {
      let entry = try DictionaryEntry(row.value)
      let term = Int(entry.term)
      guard admit(term), !terms[term].isKnown, row.key.byteCount > 0 else {
        throw Self.disagreement("term \(entry.term) of the dictionary")
      }
      terms[term] = AuditedTerm(row.key, documentCount: entry.documentCount)
      try audit.take(entry, terms[term], txn)
    }
  }

  /// Learns the terms that only delta postings have, and checks these.
  private mutating func readDeltas(_ audit: inout PostingAudit, _ txn: borrowing ReadTransaction)
    throws(CairnError)
  {
    var cursor = try txn.cursor(tables.delta)
    var rowCount: UInt32 = 0
    while let found = try cursor.next() {
      let row = try DeltaRow(found.value)
      let term = Int(row.term)
      rowCount += 1
      guard admit(term), found.key.byteCount > 0 else {
        throw Self.disagreement("a key of the delta postings")
      }
      if !terms[term].isKnown {
        terms[term] = AuditedTerm(found.key, documentCount: 0)
      } else {
        guard let stored = try txn.get(tables.terms, found.key),
          try DictionaryEntry(stored).term == row.term
        else { throw Self.disagreement("term \(term) of the delta postings") }
      }
      let known = terms[term]
      try row.forEach { (posting, run) throws(CairnError) in
        try audit.take(posting, run, row.term, known, txn)
      }
    }
    guard rowCount == state.deltaCount else {
      throw Self.disagreement("the count of delta postings")
    }
  }

  /// Learns what is kept of versions that ended.
  mutating func readEnds(_ view: WriteBuffer, _ txn: borrowing ReadTransaction) throws(CairnError) {
    ends = view.ends.mapValues { $0.end }
    var cursor = try txn.cursor(tables.ends)
    while let row = try cursor.next() {
      guard row.key.byteCount == 4 else { throw Self.disagreement("a key of the ends") }
      let document = row.key.loadBigEndian32(at: 0)
      let end = try DocumentEnd(row.value)
      guard ends.updateValue(end, forKey: document) == nil else {
        throw Self.disagreement("the end of document \(document)")
      }
    }
    guard ends.count == Int(state.documentCount) - Int(state.liveCount) else {
      throw Self.disagreement("the count of ended documents")
    }
  }

  /// Checks one version and adds its digest row, for which `itemKey` hashes its item's identifier.
  mutating func check(
    _ document: UInt32, _ view: WriteBuffer, _ facts: inout DocumentVisibility,
    _ txn: borrowing ReadTransaction, itemKey: (UInt32) throws(CairnError) -> NameKey,
    visit: (IndexedVersion) -> Void = { _ in }
  ) throws(CairnError) {
    let content: UInt64
    if view.document(document) != nil {
      try facts.tokens(document, into: &tokens, txn)
      content = ContentHash.hash(tokens, view.vocabulary)
    } else {
      guard document < contents.count else { throw Self.disagreement("document \(document)") }
      content = contents[Int(document)]
    }
    let item = try facts.item(document, txn)
    guard let entry = entry(item) else {
      throw Self.disagreement("document \(document) and its item")
    }
    if let end = view.ends[document], end.item != item {
      throw Self.disagreement("the end of document \(document)")
    }
    let version = addVersion(of: item)
    let isLive = try facts.isVisible(document, txn)
    if isLive {
      liveCount += 1
      guard entry.document == document, entry.content == content, entry.versionCount == version,
        ends[document] == nil
      else { throw Self.disagreement("document \(document) and its item") }
    } else {
      guard ends[document]?.content == content else {
        throw Self.disagreement("document \(document) and its end")
      }
    }
    let key = try itemKey(item)
    digest.add(ItemEntry.row(key, version: version, content: content, isLive: isLive))
    visit(
      IndexedVersion(
        document: document, item: item, version: version, content: content, isLive: isLive))
  }

  /// The digest, when the totals agree too.
  func finish() throws(CairnError) -> RowDigest {
    guard liveCount == state.liveCount else {
      throw Self.disagreement("the count of live documents")
    }
    for item in items.indices where entry(UInt32(item))?.versionCount != versions[item] {
      throw Self.disagreement("the version count of item \(item)")
    }
    for (item, entry) in bufferedItems.entries where item >= items.count {
      guard entry.versionCount == newVersions[item] else {
        throw Self.disagreement("the version count of item \(item)")
      }
    }
    return digest
  }

  static func disagreement(_ what: String) -> CairnError {
    CairnError(.corrupt, "the text index contradicts itself at \(what); rebuild the text index")
  }
}
