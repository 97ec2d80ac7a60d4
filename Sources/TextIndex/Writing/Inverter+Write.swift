internal import LMDB

extension Inverter {
  /// Postings of a batch brought together by term.
  private struct Sorted {
    var postings: [Entry]
    /// By position in `touched`: where the term's postings begin.
    var starts: [Int]
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
    var sink = TermSink(tables, appends: state.stamp == 0 && deltaByteCountMax == 0)
    var key = ByteWriter(capacity: 256)
    var value = ByteWriter(capacity: IndexLimits.rowByteCount)
    for at in keys.byteOrder(touched) {
      keys.write(touched[at], to: &key)
      let term = terms[Int(touched[at])]
      var row = DeltaRow(term: term)
      var isKnown = false
      if state.deltaCount > 0, let known = try txn.reader.get(tables.delta, key.bytes) {
        row = try DeltaRow(known)
        isKnown = true
        guard row.term == term else { throw IndexDamage.postings }
      }
      for place in sorted.starts[at]..<sorted.starts[at + 1] {
        let entry = sorted.postings[place]
        let start = Int(entry.positionStart)
        try row.append(
          Posting(document: entry.document, impact: entry.impact),
          positions.rawSpan.extracting(start..<start + Int(entry.positionCount)))
      }
      if row.byteCount > deltaByteCountMax {
        try sink.add(row, key.bytes, &txn)
        guard isKnown else { continue }
        try txn.delete(tables.delta, key.bytes)
        state.deltaCount -= 1
      } else {
        row.write(to: &value)
        try txn.put(tables.delta, key.bytes, value.bytes)
        if !isKnown { state.deltaCount += 1 }
      }
    }
    try sink.finish(&txn)
    for (term, document, run) in longRuns {
      try LongPositions.put(run, terms[Int(term)], document, &txn, tables)
    }
    let share = Int(state.deltaCount) * documentCount / pace.roundDocumentCount + 1
    state.compactionDebt = UInt32(min(Int(state.compactionDebt) + share, Int(state.deltaCount)))
    // Random, so that no other process can have come to the same stamp another way.
    state.stamp = UInt64.random(in: 1 ... .max)
    finishBatch(stamp: state.stamp)
  }

  /// Counting sort by term; documents stay in order.
  private func sortPostings() -> Sorted {
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
    return Sorted(postings: sorted, starts: starts)
  }
}
