internal import LMDB
internal import Projections

/// Copies the tables of an index by a plan.
struct IndexCopier {
  private let from: IndexTables
  private let to: IndexTables
  private let writer: RowWriter
  private let plan: CopyPlan
  /// Documents that each term with postings rows has left, by term id.
  private var counts: [UInt32] = []
  /// What is left of terms that have too few documents now for rows of their own.
  private var inlined: [UInt32: DictionaryEntry] = [:]
  /// Delta rows that stay.
  private var deltaCount: UInt32 = 0

  init(_ from: IndexTables, _ to: IndexTables, _ writer: RowWriter, _ plan: CopyPlan) {
    self.from = from
    self.to = to
    self.writer = writer
    self.plan = plan
  }

  /// Copies every row as it is.
  func copyEverything(_ txn: borrowing ReadTransaction) throws(CairnError) {
    let pairs = [
      (from.terms, to.terms), (from.postings, to.postings), (from.delta, to.delta),
      (from.positions, to.positions), (from.documents, to.documents), (from.pending, to.pending),
      (from.columns, to.columns), (from.items, to.items), (from.ends, to.ends),
    ]
    for (source, target) in pairs {
      try writer.copyRows(of: source, in: txn, to: target) { (key, row, batch) in
        batch.append(key, row)
      }
    }
    let state = try IndexState(txn, from)
    try writer.environment.write { (txn) throws(CairnError) in try state.write(&txn, to) }
  }

  /// Copies the postings, term by term; remembers what the dictionary has to know.
  mutating func copyPostings(_ state: IndexState, _ txn: borrowing ReadTransaction)
    throws(CairnError)
  {
    counts = Array(repeating: 0, count: Int(state.nextTerm))
    var copy = ListCopy(plan.numbers)
    var present: TermList?
    var cursor = try txn.cursor(from.postings)
    while let row = try cursor.next() {
      let list = try TermList(key: row.key)
      if list.term != present?.term {
        if let present { finish(present.term, &copy) }
        if copy.lists.rows.isFull { try writer.append(&copy.lists.rows, to: to.postings) }
        copy.begin(list.term)
      }
      if list.isPast, present?.isPast != true || present?.term != list.term { copy.beginPast() }
      present = list
      try copy.append(row.value)
    }
    if let present { finish(present.term, &copy) }
    try writer.append(&copy.lists.rows, to: to.postings)
  }

  private mutating func finish(_ term: UInt32, _ copy: inout ListCopy) {
    guard term < counts.count else { return }
    counts[Int(term)] = copy.count
    if copy.count <= DictionaryEntry.inlineCount {
      inlined[term] = copy.few
    } else {
      copy.lists.finish()
    }
  }

  /// Copies the dictionary; terms that only documents had that go, go too.
  func copyTerms(_ txn: borrowing ReadTransaction) throws(CairnError) {
    var value = ByteWriter(capacity: 256)
    try writer.copyRows(of: from.terms, in: txn, to: to.terms) {
      (key, row, batch) throws(CairnError) in
      let entry = try DictionaryEntry(row)
      var left = DictionaryEntry(term: entry.term, documentCount: 0)
      if entry.documentCount <= DictionaryEntry.inlineCount {
        try entry.forEachInline { (posting, run) throws(CairnError) in
          guard let document = try plan.number(posting.document) else { return }
          left.inline.append(Posting(document: document, impact: posting.impact))
          left.positions.append(run)
        }
        left.documentCount = UInt32(left.inline.count)
      } else {
        guard entry.term < counts.count else { throw IndexDamage.postings }
        if let few = inlined[entry.term] { left = few }
        left.documentCount = counts[Int(entry.term)]
      }
      guard left.documentCount > 0 else { return }
      left.write(to: &value)
      batch.append(key, value.bytes)
    }
  }

  /// Copies the postings that are not in their lists yet.
  mutating func copyDeltas(_ txn: borrowing ReadTransaction) throws(CairnError) {
    var value = ByteWriter(capacity: 256)
    var count: UInt32 = 0
    try writer.copyRows(of: from.delta, in: txn, to: to.delta) {
      (key, row, batch) throws(CairnError) in
      let known = try DeltaRow(row)
      var left = DeltaRow(term: known.term)
      try known.forEach { (posting, run) throws(CairnError) in
        guard let document = try plan.number(posting.document) else { return }
        try left.append(Posting(document: document, impact: posting.impact), run)
      }
      guard left.count > 0 else { return }
      left.write(to: &value)
      batch.append(key, value.bytes)
      count += 1
    }
    deltaCount = count
  }

  /// Copies the runs of positions that stand in a table of their own.
  func copyPositions(_ txn: borrowing ReadTransaction) throws(CairnError) {
    var name = ByteWriter(capacity: 10)
    try writer.copyRows(of: from.positions, in: txn, to: to.positions) {
      (key, row, batch) throws(CairnError) in
      guard key.byteCount == 10 else { throw IndexDamage.postings }
      guard let number = try plan.number(key.loadBigEndian32(at: 4)) else { return }
      name.removeAll()
      name.append(key.extracting(0..<4))
      name.appendBigEndian(number)
      name.append(key.extracting(8..<10))
      batch.append(name.bytes, row)
    }
  }

  /// Copies merged and buffered documents, and delta tombstones, under their new numbers.
  func copyDocuments(_ txn: borrowing ReadTransaction) throws(CairnError) {
    try copyMerged(txn)
    var name = ByteWriter(capacity: 8)
    var endCount: UInt32 = 0
    try writer.copyRows(of: from.pending, in: txn, to: to.pending) {
      (key, row, batch) throws(CairnError) in
      if Tombstone.isKey(key) { return try copy(Tombstone(key, row), &endCount, &batch) }
      guard key.byteCount == 6 else { throw DocumentRecord.damaged }
      guard let number = try plan.number(key.loadBigEndian32(at: 0)) else { return }
      name.removeAll()
      name.appendBigEndian(number)
      name.appendBigEndian(key.loadBigEndian16(at: 4))
      batch.append(name.bytes, row)
    }
  }

  private func copyMerged(_ txn: borrowing ReadTransaction) throws(CairnError) {
    var documents = DocumentRows()
    var block = ByteWriter(capacity: 2_048)
    var cursor = try txn.cursor(from.documents)
    while let last = try Parted.nextNumbered(&cursor, into: &block) {
      try DocumentBlock.visit(block.bytes, through: last) {
        (document, from, record) throws(CairnError) in
        if let number = try plan.number(document) {
          try documents.append(number, from: from, record)
        }
        return true
      }
      if documents.rows.isFull { try writer.append(&documents.rows, to: to.documents) }
    }
    try documents.finish()
    try writer.append(&documents.rows, to: to.documents)
  }

  private func copy(_ end: Tombstone, _ count: inout UInt32, _ batch: inout RowBatch)
    throws(CairnError)
  {
    guard let document = try plan.number(end.document) else { return }
    let copy = Tombstone(
      anchor: plan.count(through: end.anchor), number: count, document: document, item: end.item,
      end: end.end)
    var row = ByteWriter(capacity: 24)
    copy.write(to: &row)
    batch.append(copy.key.rawSpan, row.bytes)
    count += 1
  }

  /// Copies items and liveness of merged documents.
  func copyColumns(_ txn: borrowing ReadTransaction) throws(CairnError) {
    var batch = RowBatch()
    var block = ColumnBlock()
    var target = ColumnBlock.Builder()
    var row = ByteWriter(capacity: ColumnBlock.byteCountMax)
    var present: UInt32?
    var cursor = try txn.cursor(from.columns)
    while let found = try cursor.next() {
      guard found.key.byteCount == 4 else { throw DocumentRecord.damaged }
      try block.load(found.value)
      let first = Int(found.key.loadBigEndian32(at: 0)) * IndexLimits.columnDocumentCount
      for slot in 0..<block.count where first + slot < plan.numbers.count {
        let number = plan.numbers[first + slot]
        // What is not merged yet has no place in the columns.
        guard number != 0, first + slot <= plan.mergedDocument else { continue }
        if present != ColumnBlock.number(of: number) {
          if let present { append(target, present, &row, &batch) }
          present = ColumnBlock.number(of: number)
          target.removeAll()
        }
        let place = ColumnBlock.slot(of: number)
        target.set(place, item: try block.item(slot))
        if !block.isLive(slot) { target.clear(place) }
      }
      if batch.isFull { try writer.append(&batch, to: to.columns) }
    }
    if let present { append(target, present, &row, &batch) }
    try writer.append(&batch, to: to.columns)
  }

  private func append(
    _ block: ColumnBlock.Builder, _ number: UInt32, _ row: inout ByteWriter, _ batch: inout RowBatch
  ) {
    block.write(to: &row)
    batch.append(IndexTables.key(number).rawSpan, row.bytes)
  }

  /// Copies the ends of documents that are in the columns.
  func copyEnds(_ txn: borrowing ReadTransaction) throws(CairnError) {
    try writer.copyRows(of: from.ends, in: txn, to: to.ends) {
      (key, row, batch) throws(CairnError) in
      guard key.byteCount == 4 else { throw DocumentRecord.damaged }
      guard let number = try plan.number(key.loadBigEndian32(at: 0)) else { return }
      batch.append(IndexTables.key(number).rawSpan, row)
    }
  }

  /// Copies what is known of items that stay.
  func copyItems(_ erasure: Erasure, _ txn: borrowing ReadTransaction) throws(CairnError) {
    var entries: [ItemEntry] = []
    var value = ByteWriter(capacity: ItemBlock.byteCount)
    try writer.copyRows(of: from.items, in: txn, to: to.items) {
      (key, row, batch) throws(CairnError) in
      guard key.byteCount == 4 else { throw DocumentRecord.damaged }
      entries.removeAll(keepingCapacity: true)
      try ItemBlock.read(row, into: &entries)
      let first = key.loadBigEndian32(at: 0) * UInt32(IndexLimits.itemRowCount)
      for offset in entries.indices {
        if erasure.isGone(item: first + UInt32(offset)) { entries[offset] = ItemEntry() }
        guard entries[offset].document != 0 else { continue }
        entries[offset].document = try plan.number(entries[offset].document) ?? 0
      }
      ItemBlock.write(entries[...], to: &value)
      batch.append(key, value.bytes)
    }
  }

  /// Writes the totals and returns the digest.
  func copyState(
    _ state: IndexState, _ view: WriteBuffer, _ remainder: (digest: RowDigest, liveCount: UInt32)
  ) throws(CairnError) -> RowDigest {
    var copy = state
    copy.nextDocument = plan.count(through: state.nextDocument - 1) + 1
    copy.mergedDocument = plan.count(through: state.mergedDocument)
    copy.digest = remainder.digest
    copy.liveCount = remainder.liveCount
    copy.deltaCount = deltaCount
    copy.compactionDebt = min(state.compactionDebt, deltaCount)
    // A term may be of a text that goes.
    copy.compactionKey = []
    // Nothing that is remembered of the other index holds for this one.
    copy.stamp = UInt64.random(in: 1 ... .max)
    copy.epoch = UInt64.random(in: 1 ... .max)
    for document in state.mergedDocument + 1..<state.nextDocument {
      guard try plan.number(document) == nil, let known = view.document(document) else { continue }
      copy.pendingTokenCount -= UInt64(known.tokens.count)
    }
    // A sweep begins anew; as many as before are not apart.
    let unsplitCount = state.mergedEndCount - min(state.mergedEndCount, state.pastCount)
    copy.foldedTombstoneCount = 0
    copy.endCount = 0
    for end in view.ends.values where try plan.number(end.document) != nil { copy.endCount += 1 }
    copy.pastCount = copy.mergedEndCount - min(copy.mergedEndCount, unsplitCount)
    copy.pastTarget = copy.pastCount
    let written = copy
    try writer.environment.write { (txn) throws(CairnError) in try written.write(&txn, to) }
    return remainder.digest
  }
}
