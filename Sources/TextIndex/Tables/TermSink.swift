internal import LMDB

/// Brings delta postings of terms into dictionary and lists.
///
/// Terms come in the order of their keys, as the dictionary has them; lists are written in the
/// order of term ids, as their table has them.
struct TermSink: ~Copyable {
  /// What a list gets.
  private struct Addition {
    var row: DeltaRow
    /// The term's row in the dictionary before, nil for a new term.
    var old: DictionaryEntry?
  }

  private let tables: IndexTables
  /// Whether every key comes after all of the dictionary.
  private let appends: Bool
  private var additions: [Addition] = []
  private var value = ByteWriter(capacity: 512)

  init(_ tables: IndexTables, appends: Bool = false) {
    self.tables = tables
    self.appends = appends
  }

  /// Adds postings to a term, given by its key in the dictionary.
  /// - Throws: `.corrupt` when the dictionary has another term under the key, or later postings.
  mutating func add(_ row: DeltaRow, _ key: RawSpan, _ txn: inout WriteTransaction)
    throws(CairnError)
  {
    var old: DictionaryEntry?
    if !appends, let stored = try txn.reader.get(tables.terms, key) {
      old = try DictionaryEntry(stored)
    }
    guard old == nil || old?.term == row.term else { throw IndexDamage.postings }
    var entry = DictionaryEntry(
      term: row.term, documentCount: (old?.documentCount ?? 0) + row.count)
    if entry.hasList {
      additions.append(Addition(row: row, old: old))
    } else {
      entry = old ?? DictionaryEntry(term: row.term, documentCount: 0)
      try entry.add(row)
    }
    entry.write(to: &value)
    if appends {
      try txn.append(tables.terms, key, value.bytes)
    } else {
      try txn.put(tables.terms, key, value.bytes)
    }
  }

  /// Writes the lists of the terms added.
  /// - Complexity: O(postings + terms · log n).
  mutating func finish(_ txn: inout WriteTransaction) throws(CairnError) {
    guard !additions.isEmpty else { return }
    additions.sort { $0.row.term < $1.row.term }
    var lists = ListSink(.growing)
    var lastKey = try lastKey(txn.reader)
    for addition in additions {
      try append(addition, to: &lists, txn.reader)
      if lists.rows.byteCount >= IndexLimits.listBatchByteCount {
        try store(&lists.rows, &lastKey, &txn)
      }
    }
    try store(&lists.rows, &lastKey, &txn)
    additions.removeAll(keepingCapacity: true)
  }

  private func append(
    _ addition: Addition, to lists: inout ListSink, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let term = addition.row.term
    let list = TermList(term: term)
    if let old = addition.old, old.hasList {
      var key: [UInt8] = []
      IndexTables.setKey(&key, list, .max)
      if let tail = try txn.get(tables.postings, key) {
        try lists.resume(list, tail)
      } else {
        // All that the term had is past.
        lists.begin(list)
      }
    } else {
      lists.begin(list)
      try addition.old?.forEachInline { (posting, run) throws(CairnError) in
        try lists.append(posting, run)
      }
    }
    try addition.row.forEach { (posting, run) throws(CairnError) in
      try lists.append(posting, run)
    }
    lists.finish()
  }

  /// Greatest key of the postings, 0 when there are none.
  private func lastKey(_ txn: borrowing ReadTransaction) throws(CairnError) -> UInt64 {
    var cursor = try txn.cursor(tables.postings)
    guard let last = try cursor.last() else { return 0 }
    guard last.key.byteCount == 8 else { throw IndexDamage.postings }
    return last.key.loadBigEndian64(at: 0)
  }

  private func store(
    _ rows: inout RowBatch, _ lastKey: inout UInt64, _ txn: inout WriteTransaction
  ) throws(CairnError) {
    try rows.forEach { (key, row) throws(CairnError) in
      let number = key.loadBigEndian64(at: 0)
      if number > lastKey {
        try txn.append(tables.postings, key, row)
        lastKey = number
      } else {
        try txn.put(tables.postings, key, row)
      }
    }
    rows.removeAll()
  }
}
