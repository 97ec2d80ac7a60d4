internal import LMDB

extension Inverter.Entry {
  var posting: Posting { Posting(document: document, impact: impact) }

  var run: Range<Int> { Int(positionStart)..<Int(positionStart) + Int(positionCount) }
}

extension Inverter {
  /// Postings of a batch brought together by term.
  struct Sorted {
    var postings: [Entry]
    /// By position in `touched`: where the term's postings begin.
    var starts: [Int]
  }

  /// Writes the batch straight to the dictionary, in byte order, and the postings lists, in order of
  /// term ids; no term may have a recent row.
  ///
  /// - Complexity: O(postings + terms · log n).
  mutating func writeBatch(
    _ state: inout IndexState, _ txn: inout WriteTransaction, _ tables: IndexTables
  ) throws(StorageError) {
    let hadTerms = state.stamp != 0
    let sorted = sortPostings()
    let inlined = try writeDictionary(sorted, &txn, tables, append: !hadTerms)
    try writePostings(sorted, inlined, &txn, tables)
    try writeLongRuns(&txn, tables)
    for index in touched { documentCounts[Int(index)] += batchCounts[Int(index)] }
    // Random, so that no other process can have come to the same stamp another way.
    state.stamp = UInt64.random(in: 1 ... .max)
    finishBatch(stamp: state.stamp, hasCounts: true)
  }

  /// Writes the runs of positions that stand in a table of their own.
  func writeLongRuns(_ txn: inout WriteTransaction, _ tables: IndexTables) throws(StorageError) {
    for (term, document, run) in longRuns {
      try LongPositions.put(run, terms[Int(term)], document, &txn, tables)
    }
  }

  /// Counting sort by term; documents stay in order.
  func sortPostings() -> Sorted {
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

  /// Positions in `touched` in byte order of the terms.
  func byteOrder() -> [Int] { keys.byteOrder(touched) }

  /// Writes the dictionary rows; returns, by position in `touched`, postings that were inline and
  /// now need a chunk.
  private func writeDictionary(
    _ sorted: Sorted, _ txn: inout WriteTransaction, _ tables: IndexTables, append: Bool
  ) throws(StorageError) -> [Int: DictionaryEntry] {
    var moved: [Int: DictionaryEntry] = [:]
    var key = ByteWriter(capacity: 256)
    var row = ByteWriter(capacity: 256)
    for at in byteOrder() {
      let index = touched[at]
      keys.write(index, to: &key)
      let before = documentCounts[Int(index)]
      var entry = DictionaryEntry(
        term: terms[Int(index)], documentCount: before + batchCounts[Int(index)])
      if before > 0, before <= DictionaryEntry.inlineCount {
        guard let stored = try txn.reader.get(tables.terms, key.bytes) else {
          throw PostingCode.damaged
        }
        let old = try DictionaryEntry(stored)
        guard old.term == entry.term, old.documentCount == before else { throw PostingCode.damaged }
        if entry.documentCount > DictionaryEntry.inlineCount { moved[at] = old }
        entry.inline = old.inline
        entry.positions = old.positions
      }
      if entry.documentCount <= DictionaryEntry.inlineCount {
        for posting in sorted.starts[at]..<sorted.starts[at + 1] {
          entry.inline.append(sorted.postings[posting].posting)
          entry.positions.append(contentsOf: positions[sorted.postings[posting].run])
        }
      } else {
        entry.inline.removeAll()
        entry.positions.removeAll()
      }
      entry.write(to: &row)
      if append {
        try txn.append(tables.terms, key.bytes, row.bytes)
      } else {
        try txn.put(tables.terms, key.bytes, row.bytes)
      }
    }
    return moved
  }

  /// Adds the postings of all terms with more than two documents to their chunks.
  private func writePostings(
    _ sorted: Sorted, _ inlined: [Int: DictionaryEntry], _ txn: inout WriteTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    let order = touched.indices.filter {
      let index = Int(touched[$0])
      return documentCounts[index] + batchCounts[index] > DictionaryEntry.inlineCount
    }.sorted { terms[Int(touched[$0])] < terms[Int(touched[$1])] }
    let lastKey = try PostingWriter.lastKey(txn.reader, tables)
    var writer = PostingWriter(tables, lastKey: lastKey)
    for at in order {
      let index = Int(touched[at])
      try writer.begin(
        terms[index], resumes: documentCounts[index] > DictionaryEntry.inlineCount, txn.reader)
      if let entry = inlined[at] {
        var start = 0
        for posting in entry.inline {
          let run = try entry.run(from: start)
          try writer.append(posting, entry.positions.rawSpan.extracting(run), &txn)
          start = run.upperBound
        }
      }
      for place in sorted.starts[at]..<sorted.starts[at + 1] {
        let entry = sorted.postings[place]
        try writer.append(entry.posting, positions.rawSpan.extracting(entry.run), &txn)
      }
      try writer.finish(&txn)
    }
  }
}
