internal import LMDB

/// What the end of a build may take.
struct MergeMemory: Sendable {
  /// Bytes of rows that are stored at a time, about.
  let batchByteCount: Int
  /// Bytes that are read of a run at a time.
  let bufferByteCount: Int

  init(_ byteCount: Int, runCount: Int) {
    batchByteCount = min(max(byteCount / 128, 1 << 12), RowBatch.fullByteCount)
    bufferByteCount = min(max(byteCount / 32 / max(runCount, 1), 512), 1 << 18)
  }
}

/// Gives the terms of all runs their ids in byte order, so that the lists of words with one beginning
/// stand side by side, and cuts them into jobs of about one size.
struct TermNumbering: ~Copyable {
  private let file: SpillFile
  private let runs: [StoredRun]
  private let memory: MergeMemory
  /// Bytes of postings that make a job.
  private let jobByteCount: Int
  /// By run, ids that are not written yet and how many are.
  private var ids: [[UInt32]]
  private var writtenCounts: [Int]
  private var bytes = ByteWriter(capacity: 4_096)

  /// Most jobs, each of which takes a mark in every run.
  private static let jobCountMax = 256
  private static let documentJobCount = 8

  init(_ file: SpillFile, _ runs: [StoredRun], _ memory: MergeMemory) {
    self.file = file
    self.runs = runs
    self.memory = memory
    let byteCount = runs.reduce(0) { $0 + $1.header.postingByteCount }
    jobByteCount = max(memory.batchByteCount / 2, byteCount / Self.jobCountMax)
    ids = runs.map { _ in [] }
    writtenCounts = runs.map { _ in 0 }
  }

  /// Adds the jobs to a line; none has to wait for those after it.
  ///
  /// - Complexity: O(terms of all runs · log runs), some 100 ns each.
  mutating func run(_ line: MergeLine) throws(StorageError) {
    let keys = runs.map {
      RunKeys($0.header, at: $0.start, RunMark(), $0.end, bufferByteCount: memory.bufferByteCount)
    }
    var heap = try RunHeap(keys, of: file)
    var group: [Int] = []
    var term: UInt32 = 0
    var low = runs.map { _ in RunMark() }
    var byteCount = 0
    while !line.isCancelled {
      heap.takeLeast(into: &group)
      if group.isEmpty { break }
      guard term < UInt32.max - 1 else {
        throw StorageError(.internal, "the text index has run out of term numbers")
      }
      for run in group {
        ids[run].append(term)
        byteCount += heap.runs[run].end.postings - heap.runs[run].mark.postings
      }
      term += 1
      try heap.putBack(group, of: file)
      guard byteCount >= jobByteCount else { continue }
      byteCount = 0
      let high = heap.runs.map { $0.mark }
      try writeIDs()
      line.add(.terms(low, high))
      low = high
    }
    try writeIDs()
    line.add(.terms(low, runs.map { $0.end }))
    let step = max(1, (runs.count + Self.documentJobCount - 1) / Self.documentJobCount)
    for first in stride(from: 0, to: runs.count, by: step) {
      line.add(.documents(first..<min(first + step, runs.count)))
    }
    line.add(.end(.success(term)))
  }

  private mutating func writeIDs() throws(StorageError) {
    for run in runs.indices where !ids[run].isEmpty {
      let header = runs[run].header
      guard writtenCounts[run] + ids[run].count <= Int(header.termCount) else {
        throw SpillFile.damaged
      }
      bytes.removeAll()
      for id in ids[run] { bytes.appendLittleEndian(id) }
      try file.write(bytes, at: runs[run].start + header.ids + 4 * writtenCounts[run])
      writtenCounts[run] += ids[run].count
      ids[run].removeAll(keepingCapacity: true)
    }
  }
}
