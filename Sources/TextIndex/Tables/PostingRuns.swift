internal import LMDB

/// Runs of positions of a list in memory, those of its blocks one after the other.
struct PostingRuns: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Where the runs of each block begin.
  private var starts: [UInt32] = []
  private var count = 0

  init() {}

  /// Adds the runs of so many postings.
  /// - Throws: `.corrupt` when the bytes are not just those.
  mutating func append(_ added: Int, _ runs: borrowing RawSpan) throws(CairnError) {
    var rest = added
    var offset = 0
    while rest > 0 {
      let taken = count % IndexLimits.blockPostingCount
      if taken == 0 { starts.append(UInt32(truncatingIfNeeded: bytes.count + offset)) }
      let step = min(rest, IndexLimits.blockPostingCount - taken)
      try PositionCode.skip(step, runs, &offset, end: runs.byteCount)
      count += step
      rest -= step
    }
    guard offset == runs.byteCount else { throw IndexDamage.postings }
    bytes.append(runs)
  }

  /// Where the runs of a block stand in `bytes`.
  /// - Throws: `.corrupt` when there is no such block.
  func range(_ block: Int) throws(CairnError) -> Range<Int> {
    guard block < starts.count else { throw IndexDamage.postings }
    let start = Int(starts[block])
    return start..<(block + 1 < starts.count ? Int(starts[block + 1]) : bytes.count)
  }
}

/// Finds the runs of postings of one block; asked in rising order it passes each once.
struct RunWalk: Sendable {
  private let range: Range<Int>
  /// The posting whose run begins at `offset`.
  private var posting = 0
  private var offset: Int

  init(_ range: Range<Int>) {
    self.range = range
    offset = range.lowerBound
  }

  /// Where the run of a posting of the block begins.
  /// - Complexity: O(bytes of the runs passed over).
  /// - Throws: `.corrupt` when the block has fewer runs.
  mutating func seek(_ target: Int, _ bytes: borrowing RawSpan) throws(CairnError) -> Int {
    if target < posting {
      posting = 0
      offset = range.lowerBound
    }
    try PositionCode.skip(target - posting, bytes, &offset, end: range.upperBound)
    posting = target
    return offset
  }

  var end: Int { range.upperBound }
}

extension TermCursor {
  /// Whether it can tell where its term stands: of lists of several nobody knows which.
  var hasPlaces: Bool { singleTerm != nil }

  /// Adds where the term stands in the merged document at an index of the present block, as kind ·
  /// 2³² + position.
  /// - Throws: `.corrupt` for bytes that make no sense.
  mutating func places(
    at index: Int, into places: inout [UInt64], _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) {
    guard let singleTerm, index >= low, index < high else { throw IndexDamage.postings }
    if runs == nil {
      if isStored {
        runs = RunWalk(try chunk.positions(of: block))
      } else {
        runs = RunWalk(try memory.runs.range(block))
      }
    }
    guard var walk = runs else { return }
    let document = documents[index]
    if isStored {
      let start = try walk.seek(index - low, chunk.bytes.rawSpan)
      let bytes = chunk.bytes.rawSpan.extracting(..<walk.end)
      try PositionCode.read(bytes, from: start, singleTerm, document, into: &places, txn, tables)
    } else {
      let start = try walk.seek(index - low, memory.runs.bytes.rawSpan)
      let bytes = memory.runs.bytes.rawSpan.extracting(..<walk.end)
      try PositionCode.read(bytes, from: start, singleTerm, document, into: &places, txn, tables)
    }
    runs = walk
  }

  /// Adds where the term stands in a merged document; documents come in rising order.
  mutating func places(
    of document: UInt32, into places: inout [UInt64], _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) {
    guard try seek(document, txn, tables) == document else { return }
    try self.places(at: at, into: &places, txn, tables)
  }
}
