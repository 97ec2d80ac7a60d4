internal import LMDB

extension Inverter {
  /// Postings of a batch brought together by term.
  private struct Sorted {
    var postings: PostingBatch
    /// By position in `touched`: where the term's postings begin.
    var starts: [Int]

    func range(_ at: Int) -> Range<Int> { starts[at]..<starts[at + 1] }
  }

  /// Writes the batch, in byte order of its terms: to delta rows while these stay short, else to
  /// dictionary and lists.
  ///
  /// Compaction has to move on by as large a part of its round as the batch is.
  /// - Complexity: O(postings + terms · log n).
  mutating func write(
    _ state: inout IndexState, _ txn: inout WriteTransaction, _ tables: IndexTables,
    _ pace: MergePace, deltaByteCountMax: Int
  ) throws(CairnError) {
    let sorted = sortPostings()
    if deltaByteCountMax > 0 {
      try writeRows(sorted, &state, &txn, tables, deltaByteCountMax: deltaByteCountMax)
    } else {
      try writeLists(sorted, &state, &txn, tables)
    }
    for (term, document, run) in longRuns {
      try LongPositions.put(run, terms[Int(term)], document, &txn, tables)
    }
    let share = Int(state.deltaCount) * documentCount / pace.roundDocumentCount + 1
    state.compactionDebt = UInt32(min(Int(state.compactionDebt) + share, Int(state.deltaCount)))
    // Random, so that no other process can have come to the same stamp another way.
    state.stamp = UInt64.random(in: 1 ... .max)
    finishBatch(stamp: state.stamp)
  }

  /// Writes the postings of each term behind those that wait in its delta row, or with these to its
  /// list.
  private func writeRows(
    _ sorted: Sorted, _ state: inout IndexState, _ txn: inout WriteTransaction,
    _ tables: IndexTables, deltaByteCountMax: Int
  ) throws(CairnError) {
    var sink = TermSink(tables)
    var key = ByteWriter(capacity: 256)
    var value = ByteWriter(capacity: IndexLimits.rowByteCount)
    for at in keys.byteOrder(touched) {
      keys.write(touched[at], to: &key)
      let term = terms[Int(touched[at])]
      let known = try deltaRow(of: term, key.bytes, state, txn.reader, tables)
      var row = known ?? DeltaRow(term: term)
      try sorted.postings.forEach(in: sorted.range(at)) { (posting, run) throws(CairnError) in
        try row.append(posting, run)
      }
      if row.byteCount > deltaByteCountMax {
        try sink.add(row, key.bytes, &txn)
        guard known != nil else { continue }
        try txn.delete(tables.delta, key.bytes)
        state.deltaCount -= 1
      } else {
        row.write(to: &value)
        try txn.put(tables.delta, key.bytes, value.bytes)
        if known == nil { state.deltaCount += 1 }
      }
    }
    try sink.finish(&txn)
  }

  /// Writes the postings of each term to its list, those that wait in its delta row before them.
  private func writeLists(
    _ sorted: Sorted, _ state: inout IndexState, _ txn: inout WriteTransaction,
    _ tables: IndexTables
  ) throws(CairnError) {
    let isFirst = state.stamp == 0
    let order = keys.byteOrder(touched)
    var key = ByteWriter(capacity: 256)
    var waiting: [Int: DeltaRow] = [:]
    if state.deltaCount > 0 {
      for at in order {
        keys.write(touched[at], to: &key)
        let term = terms[Int(touched[at])]
        guard let row = try deltaRow(of: term, key.bytes, state, txn.reader, tables) else {
          continue
        }
        waiting[at] = row
        try txn.delete(tables.delta, key.bytes)
        state.deltaCount -= 1
      }
    }
    var sink = TermSink(tables, appends: isFirst, batch: sorted.postings)
    try txn.run(tables.terms, append: isFirst) { (run) throws(CairnError) in
      for at in order {
        keys.write(touched[at], to: &key)
        if let row = waiting[at] { try sink.add(row, key.bytes, &run) }
        try sink.add(terms[Int(touched[at])], sorted.range(at), key.bytes, &run)
      }
    }
    try sink.finish(&txn)
  }

  /// The postings of a term that wait for their list.
  private func deltaRow(
    of term: UInt32, _ key: RawSpan, _ state: IndexState, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) -> DeltaRow? {
    guard state.deltaCount > 0, let known = try txn.get(tables.delta, key) else { return nil }
    let row = try DeltaRow(known)
    guard row.term == term else { throw IndexDamage.postings }
    return row
  }

  /// Sorts by term, by counting; documents stay in order.
  ///
  /// Takes the positions out of the batch.
  private mutating func sortPostings() -> Sorted {
    var starts: [Int] = []
    starts.reserveCapacity(touched.count + 1)
    var next = [Int](repeating: 0, count: keys.count)
    var total = 0
    for index in touched {
      starts.append(total)
      next[Int(index)] = total
      total += Int(batchCounts[Int(index)])
    }
    starts.append(total)
    let none = Entry(
      term: 0, document: 0, impact: Impact(packed: 0), positionCount: 0, positionStart: 0)
    var sorted = [Entry](repeating: none, count: total)
    for entry in postings {
      let place = next[Int(entry.term)]
      next[Int(entry.term)] = place + 1
      sorted[place] = entry
    }
    var batch = PostingBatch(entries: sorted)
    swap(&batch.positions, &positions)
    return Sorted(postings: batch, starts: starts)
  }
}
