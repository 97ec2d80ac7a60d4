internal import LMDB

extension Inverter {
  /// Writes the batch as recent postings: one row for each term, in byte order.
  ///
  /// A row that grows too long goes to the term's list at once. The hand has to move on by as large
  /// a part of its round as the batch is.
  ///
  /// - Complexity: O(postings + terms · log n).
  mutating func writeRecent(
    _ state: inout IndexState, _ txn: inout WriteTransaction, _ tables: IndexTables,
    _ pace: MergePace
  ) throws(StorageError) {
    let sorted = sortPostings()
    var mover = try TermMover(txn.reader, tables)
    var key = ByteWriter(capacity: 256)
    var value = ByteWriter(capacity: IndexLimits.rowByteCount)
    for at in byteOrder() {
      let index = touched[at]
      keys.write(index, to: &key)
      let term = terms[Int(index)]
      var row = RecentRow(term: term)
      var isKnown = false
      if let known = try txn.reader.get(tables.recent, key.bytes) {
        row = try RecentRow(known)
        isKnown = true
        guard row.term == term else { throw PostingCode.damaged }
      }
      for place in sorted.starts[at]..<sorted.starts[at + 1] {
        let entry = sorted.postings[place]
        try row.append(entry.posting, positions.rawSpan.extracting(entry.run))
      }
      if row.byteCount > pace.rowByteCount {
        try mover.move(row, key.bytes, &txn)
        guard isKnown else { continue }
        try txn.delete(tables.recent, key.bytes)
        guard state.recentCount > 0 else { throw PostingCode.damaged }
        state.recentCount -= 1
      } else {
        row.write(to: &value)
        try txn.put(tables.recent, key.bytes, value.bytes)
        if !isKnown { state.recentCount += 1 }
      }
    }
    try writeLongRuns(&txn, tables)
    let share = Int(state.recentCount) * documentCount / pace.roundDocumentCount + 1
    state.sweepDebt = UInt32(min(Int(state.sweepDebt) + share, Int(state.recentCount)))
    // Random, so that no other process can have come to the same stamp another way.
    state.stamp = UInt64.random(in: 1 ... .max)
    finishBatch(stamp: state.stamp, hasCounts: false)
  }
}

/// Brings recent postings into dictionary and lists, term by term.
struct TermMover: ~Copyable {
  private let tables: IndexTables
  private var writer: PostingWriter
  private var value = ByteWriter(capacity: 512)

  init(_ txn: borrowing ReadTransaction, _ tables: IndexTables) throws(StorageError) {
    self.tables = tables
    writer = PostingWriter(tables, lastKey: try PostingWriter.lastKey(txn, tables))
  }

  /// Adds the postings of a row to what the dictionary has under its key; the row itself stays.
  ///
  /// - Complexity: O(postings + log n).
  mutating func move(_ row: RecentRow, _ key: RawSpan, _ txn: inout WriteTransaction)
    throws(StorageError)
  {
    var old: DictionaryEntry?
    if let stored = try txn.reader.get(tables.terms, key) { old = try DictionaryEntry(stored) }
    guard old == nil || old?.term == row.term else { throw PostingCode.damaged }
    var entry = DictionaryEntry(
      term: row.term, documentCount: (old?.documentCount ?? 0) + row.count)
    if entry.hasList {
      try writeList(row, old, &txn)
    } else {
      entry.inline = old?.inline ?? []
      entry.positions = old?.positions ?? []
      let last = entry.inline.last?.document ?? 0
      try row.forEach { (posting, run) throws(StorageError) in
        guard posting.document > last else { throw PostingCode.damaged }
        entry.inline.append(posting)
        entry.positions.append(run)
      }
    }
    entry.write(to: &value)
    try txn.put(tables.terms, key, value.bytes)
  }

  private mutating func writeList(
    _ row: RecentRow, _ old: DictionaryEntry?, _ txn: inout WriteTransaction
  ) throws(StorageError) {
    try writer.begin(row.term, resumes: old?.hasList ?? false, txn.reader)
    if let old, !old.hasList {
      var start = 0
      for posting in old.inline {
        let run = try old.run(from: start)
        try writer.append(posting, old.positions.rawSpan.extracting(run), &txn)
        start = run.upperBound
      }
    }
    try row.forEach { (posting, run) throws(StorageError) in try writer.append(posting, run, &txn) }
    try writer.finish(&txn)
  }
}
