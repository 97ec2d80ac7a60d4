internal import LMDB

/// Brings postings of terms into dictionary and lists.
///
/// Terms come in the order of their keys, as the dictionary has them; lists are written in the
/// order of term ids, as their table has them.
struct TermSink: ~Copyable {
  /// What a list gets.
  private struct Addition {
    var term: UInt32
    /// Whether the term had a list before.
    var hasList: Bool
    /// Whether they are postings of the batch, rather than of rows.
    var isOfBatch: Bool
    var postings: Range<Int>
  }

  private let tables: IndexTables
  /// Whether every key comes after all of the dictionary.
  private let appends: Bool
  private let batch: PostingBatch
  /// Postings of rows.
  private var read = PostingBatch()
  private var additions: [Addition] = []
  private var value = ByteWriter(capacity: 512)

  init(_ tables: IndexTables, appends: Bool = false, batch: PostingBatch = PostingBatch()) {
    self.tables = tables
    self.appends = appends
    self.batch = batch
  }

  /// Adds a delta row to a term, given by its key in the dictionary.
  /// - Throws: `.corrupt` when the dictionary has another term under the key, or later postings.
  mutating func add(_ row: DeltaRow, _ key: RawSpan, _ txn: inout WriteTransaction)
    throws(CairnError)
  {
    try txn.run(tables.terms, append: appends) { (run) throws(CairnError) in
      try add(row, key, &run)
    }
  }

  /// The same in a run through the dictionary.
  mutating func add(_ row: DeltaRow, _ key: RawSpan, _ run: inout SortedRun) throws(CairnError) {
    let start = read.entries.count
    try row.forEach { (posting, run) throws(CairnError) in read.append(posting, run) }
    try add(row.term, start..<read.entries.count, isOfBatch: false, key, &run)
  }

  /// Adds postings of the batch to a term, given by its key in the dictionary.
  mutating func add(
    _ term: UInt32, _ postings: Range<Int>, _ key: RawSpan, _ run: inout SortedRun
  ) throws(CairnError) { try add(term, postings, isOfBatch: true, key, &run) }

  private mutating func add(
    _ term: UInt32, _ postings: Range<Int>, isOfBatch: Bool, _ key: RawSpan,
    _ run: inout SortedRun
  ) throws(CairnError) {
    var entry = DictionaryEntry(term: term, documentCount: 0)
    if !appends, let stored = try run.get(key) {
      entry = try DictionaryEntry(stored)
      guard entry.term == term else { throw IndexDamage.postings }
    }
    let count = entry.documentCount + UInt32(postings.count)
    if count > DictionaryEntry.inlineCount {
      if !entry.inline.isEmpty {
        let start = read.entries.count
        try entry.forEachInline { (posting, run) throws(CairnError) in read.append(posting, run) }
        additions.append(
          Addition(
            term: term, hasList: false, isOfBatch: false, postings: start..<read.entries.count))
      }
      additions.append(
        Addition(term: term, hasList: entry.hasList, isOfBatch: isOfBatch, postings: postings))
      entry = DictionaryEntry(term: term, documentCount: count)
    } else {
      try (isOfBatch ? batch : read).forEach(in: postings) { (posting, run) throws(CairnError) in
        guard posting.document > entry.inline.last?.document ?? 0 else {
          throw IndexDamage.postings
        }
        entry.add(posting, run)
      }
      entry.documentCount = count
    }
    entry.write(to: &value)
    try run.put(key, value.bytes)
  }

  /// Writes the lists of the terms added.
  /// - Complexity: O(postings + terms · log n).
  mutating func finish(_ txn: inout WriteTransaction) throws(CairnError) {
    guard !additions.isEmpty else { return }
    // Those of a term in the order in which they came.
    var order = additions.indices.map { UInt64(additions[$0].term) << 32 | UInt64($0) }
    order.sort()
    let lastKey = try lastKey(txn.reader)
    try txn.run(tables.postings) { (run) throws(CairnError) in
      try write(order, after: lastKey, &run)
    }
    additions.removeAll(keepingCapacity: true)
    read.removeAll()
  }

  private func write(_ order: [UInt64], after last: UInt64, _ run: inout SortedRun)
    throws(CairnError)
  {
    var lists = ListSink(.growing)
    var lastKey = last
    var term: UInt32?
    for place in order {
      let addition = additions[Int(truncatingIfNeeded: place & 0xFFFF_FFFF)]
      if addition.term != term {
        try Self.store(&lists, &lastKey, &run)
        try Self.begin(addition, &lists, &run)
        term = addition.term
      }
      try (addition.isOfBatch ? batch : read).forEach(in: addition.postings) {
        (posting, run) throws(CairnError) in try lists.append(posting, run)
      }
    }
    try Self.store(&lists, &lastKey, &run)
  }

  private static func begin(
    _ addition: Addition, _ lists: inout ListSink, _ run: inout SortedRun
  ) throws(CairnError) {
    let list = TermList(term: addition.term)
    guard addition.hasList else { return lists.begin(list) }
    var key = ByteWriter(capacity: 8)
    IndexTables.setKey(&key, list, .max)
    if let tail = try run.get(key.bytes) {
      try lists.resume(list, tail)
    } else {
      // All that the term had is past.
      lists.begin(list)
    }
  }

  /// Greatest key of the postings, 0 when there are none.
  private func lastKey(_ txn: borrowing ReadTransaction) throws(CairnError) -> UInt64 {
    var cursor = try txn.cursor(tables.postings)
    guard let last = try cursor.last() else { return 0 }
    guard last.key.byteCount == 8 else { throw IndexDamage.postings }
    return last.key.loadBigEndian64(at: 0)
  }

  /// Ends the present list, and stores the rows that it got.
  private static func store(
    _ lists: inout ListSink, _ lastKey: inout UInt64, _ run: inout SortedRun
  ) throws(CairnError) {
    lists.finish()
    try lists.rows.forEach { (key, row) throws(CairnError) in
      let number = key.loadBigEndian64(at: 0)
      try run.put(key, row, isLast: number > lastKey)
      lastKey = max(lastKey, number)
    }
    lists.rows.removeAll()
  }
}

/// Postings in a flat array, those of a term side by side.
struct PostingBatch: Sendable {
  var entries: [Inverter.Entry] = []
  /// Runs of positions of the postings.
  var positions: [UInt8] = []

  mutating func append(_ posting: Posting, _ run: RawSpan) {
    entries.append(
      Inverter.Entry(
        term: 0, document: posting.document, impact: posting.impact,
        positionCount: UInt16(truncatingIfNeeded: run.byteCount),
        positionStart: UInt32(truncatingIfNeeded: positions.count)))
    positions.append(run)
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
  }

  /// Visits postings with the bytes of their positions.
  @inline(__always) func forEach(
    in range: Range<Int>, _ body: (Posting, RawSpan) throws(CairnError) -> Void
  ) throws(CairnError) {
    let runs = positions.rawSpan
    for place in range {
      let entry = entries[place]
      let start = Int(entry.positionStart)
      try body(
        Posting(document: entry.document, impact: entry.impact),
        runs.extracting(start..<start + Int(entry.positionCount)))
    }
  }
}
