internal import LMDB

/// Merges runs whose terms have their ids into dictionary and lists.
struct IndexMerge: ~Copyable {
  private let file: SpillFile
  private let runs: [StoredRun]
  private let memory: MergeMemory
  private var readers: [RunReader] = []
  private var heap = ReaderHeap()
  private var group: [Int] = []
  private var rows = MergedRows()
  private var lists = ListWriter()
  private var key = ByteWriter(capacity: 600)
  private var row = ByteWriter(capacity: 600)

  init(_ file: SpillFile, _ runs: [StoredRun], _ memory: MergeMemory) {
    self.file = file
    self.runs = runs
    self.memory = memory
  }

  /// Merges the terms between two places of each run, and puts their rows into a pipe.
  ///
  /// - Complexity: O(postings + terms of all runs · log runs), some 50 ns a posting.
  mutating func run(_ low: [RunMark], _ high: [RunMark], _ pipe: RowPipe) throws(StorageError) {
    heap.removeAll()
    readers.removeAll(keepingCapacity: true)
    for run in runs.indices where low[run].term < high[run].term {
      var reader = RunReader(
        runs[run], low[run], high[run], bufferByteCount: memory.bufferByteCount)
      if try reader.advance(file) { heap.push(reader.id, readers.count) }
      readers.append(reader)
    }
    while let term = heap.takeLeast(into: &group) {
      try merge(term)
      for place in group {
        if try readers[place].advance(file) { heap.push(readers[place].id, place) }
      }
      if max(lists.rows.byteCount, rows.terms.byteCount) >= memory.batchByteCount
        || rows.positions.byteCount >= memory.batchByteCount
      {
        try put(to: pipe, .more)
      }
    }
    try put(to: pipe, .last)
  }

  private mutating func put(to pipe: RowPipe, _ mark: RowPipe.Mark) throws(StorageError) {
    swap(&lists.rows, &rows.postings)
    try pipe.put(&rows, mark)
    swap(&lists.rows, &rows.postings)
  }

  /// Writes the row of a term and its list.
  private mutating func merge(_ term: UInt32) throws(StorageError) {
    var count = 0
    var byteCount = 0
    for place in group {
      count += readers[place].keys.count
      byteCount += readers[place].keys.postingByteCount
    }
    guard count < Int(UInt32.max), let first = group.first else { throw SpillFile.damaged }
    var entry = DictionaryEntry(term: term, documentCount: UInt32(truncatingIfNeeded: count))
    if entry.hasList {
      lists.begin(term, byteCount: byteCount)
      for place in group { try readers[place].append(to: &lists) }
      lists.finish()
    } else {
      for place in group {
        try readers[place].forEachPosting { (posting, run) throws(StorageError) in
          entry.inline.append(posting)
          entry.positions.append(run)
        }
      }
    }
    entry.write(to: &row)
    readers[first].keys.writeKey(to: &key)
    rows.terms.append(key, row)
    for place in group where readers[place].keys.longByteCount > 0 {
      try readers[place].forEachLongRun { (document, run) throws(StorageError) in
        try rows.positions.appendParted(LongPositions.key(term, document).rawSpan, run)
      }
    }
  }
}
