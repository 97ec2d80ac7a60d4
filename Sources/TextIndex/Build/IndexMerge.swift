internal import HeapModule
internal import LMDB

/// What the end of a build may take.
struct MergeMemory: Sendable {
  /// Bytes of rows that are stored at a time, about.
  let batchByteCount: Int
  /// Bytes that are read of a run at a time.
  let bufferByteCount: Int

  init(_ byteCount: Int, runCount: Int) {
    batchByteCount = min(max(byteCount / 32, 1 << 12), RowBatch.fullByteCount)
    bufferByteCount = min(max(byteCount / 32 / max(runCount, 1), 512), 1 << 18)
  }
}

/// Merges the runs of a build into dictionary and lists.
///
/// Terms get their ids in byte order, so that the lists of words with one beginning stand side by
/// side. Each run is told the ids of its terms, which its documents are written with.
struct IndexMerge: ~Copyable {
  private let file: SpillFile
  private let runs: [StoredRun]
  private let memory: MergeMemory
  private let writer: RowWriter
  private let tables: IndexTables
  private var readers: [RunReader]
  private var heads = Heap<RunHead>()
  /// Runs that stand at the least key.
  private var group: [Int] = []
  private var lists = ListSink(.packed)
  private var terms = RowBatch()
  private var positions = RowBatch()
  private var key = ByteWriter(capacity: 600)
  private var row = ByteWriter(capacity: 600)
  /// By run, ids that are not written yet and how many are.
  private var ids: [[UInt32]]
  private var writtenCounts: [Int]

  /// Ids of a run that are written at a time.
  private static let idCountMax = 4_096

  init(
    _ file: SpillFile, _ runs: [StoredRun], _ memory: MergeMemory, _ writer: RowWriter,
    _ tables: IndexTables
  ) {
    self.file = file
    self.runs = runs
    self.memory = memory
    self.writer = writer
    self.tables = tables
    readers = runs.map { RunReader($0, bufferByteCount: memory.bufferByteCount) }
    ids = runs.map { _ in [] }
    writtenCounts = runs.map { _ in 0 }
  }

  /// Merges all terms and gives their number; rows are stored on the writer's thread meanwhile.
  /// - Complexity: O(postings + terms of all runs · log runs), some 50 ns a posting.
  /// - Throws: `.corrupt` for a damaged run; `.diskFull` and the like.
  mutating func run() throws(CairnError) -> UInt32 {
    for run in readers.indices { try advance(run) }
    var term: UInt32 = 0
    while takeLeast() {
      guard term < TermList.termCountMax - 1 else {
        throw CairnError(.internal, "the text index has run out of term numbers")
      }
      try merge(term)
      for run in group {
        ids[run].append(term)
        if ids[run].count == Self.idCountMax { try writeIDs(of: run) }
        try advance(run)
      }
      term += 1
      if max(lists.rows.byteCount, terms.byteCount, positions.byteCount) >= memory.batchByteCount {
        try store()
      }
    }
    try store()
    for run in runs.indices { try writeIDs(of: run) }
    return term
  }

  private mutating func advance(_ run: Int) throws(CairnError) {
    if try readers[run].advance(file) { heads.insert(readers[run].head(of: run)) }
  }

  /// Takes the runs at the least key out of the heap; false when all is read.
  private mutating func takeLeast() -> Bool {
    group.removeAll(keepingCapacity: true)
    guard let first = heads.popMin() else { return false }
    group.append(first.run)
    while let next = heads.min, next.hasKey(of: first) {
      group.append(next.run)
      heads.removeMin()
    }
    return true
  }

  private mutating func store() throws(CairnError) {
    // The longest last: it is stored while the merge goes on.
    try writer.append(&terms, to: tables.terms)
    try writer.append(&positions, to: tables.positions)
    try writer.append(&lists.rows, to: tables.postings)
  }

  /// Writes the row of a term and its list.
  private mutating func merge(_ term: UInt32) throws(CairnError) {
    var count = 0
    var byteCount = 0
    for run in group {
      count += readers[run].count
      byteCount += readers[run].postingByteCount
    }
    guard count < Int(UInt32.max), let first = group.first else { throw SpillFile.damaged }
    var entry = DictionaryEntry(term: term, documentCount: UInt32(truncatingIfNeeded: count))
    if entry.hasList {
      lists.begin(TermList(term: term), byteCount: byteCount)
      for run in group { try readers[run].append(to: &lists) }
      lists.finish()
    } else {
      for run in group {
        try readers[run].forEachPosting { (posting, run) throws(CairnError) in
          entry.inline.append(posting)
          entry.positions.append(run)
        }
      }
    }
    entry.write(to: &row)
    readers[first].writeKey(to: &key)
    terms.append(key, row)
    for run in group where readers[run].longByteCount > 0 {
      try readers[run].forEachLongRun { (document, run) throws(CairnError) in
        try positions.appendParted(LongPositions.key(term, document).rawSpan, run)
      }
    }
  }

  private mutating func writeIDs(of run: Int) throws(CairnError) {
    let header = runs[run].header
    guard writtenCounts[run] + ids[run].count <= Int(header.termCount) else {
      throw SpillFile.damaged
    }
    row.removeAll()
    for id in ids[run] { row.appendLittleEndian(id) }
    try file.write(row, at: runs[run].start + header.ids + 4 * writtenCounts[run])
    writtenCounts[run] += ids[run].count
    ids[run].removeAll(keepingCapacity: true)
  }
}
