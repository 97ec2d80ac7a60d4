internal import LMDB

/// A run where it stands in its file.
struct StoredRun: Sendable {
  var start: Int
  var header: RunHeader

  /// The place behind its last term.
  var end: RunMark {
    RunMark(
      term: Int(header.termCount), keys: header.keyByteCount, postings: header.postingByteCount)
  }
}

/// Walks the terms between two places of a run whose terms have their ids.
struct RunReader: Sendable {
  private(set) var keys: RunKeys
  private var ids: SpillReader
  private var postings: SpillReader
  private let baseDocument: UInt32
  /// The id of the present term.
  private(set) var id: UInt32 = 0

  /// Goes to before the first term.
  init(_ run: StoredRun, _ low: RunMark, _ high: RunMark, bufferByteCount: Int) {
    let (start, header) = (run.start, run.header)
    keys = RunKeys(header, at: start, low, high, bufferByteCount: bufferByteCount)
    let idStart = start + header.ids
    ids = SpillReader(
      idStart + 4 * low.term..<idStart + 4 * high.term, bufferByteCount: bufferByteCount)
    let postingStart = start + header.postings
    postings = SpillReader(
      postingStart + low.postings..<postingStart + high.postings, bufferByteCount: bufferByteCount)
    baseDocument = header.firstDocument &- 1
  }

  /// Goes to the next term, and tells whether there is one.
  mutating func advance(_ file: SpillFile) throws(StorageError) -> Bool {
    postings.pass(keys.end.postings - keys.mark.postings)
    guard try keys.advance(file) else { return false }
    try ids.hold(4, of: file)
    id = ids.buffer.rawSpan.loadLittleEndian32(at: ids.held.lowerBound)
    ids.pass(4)
    try postings.hold(keys.end.postings - keys.mark.postings, of: file)
    return true
  }

  /// Adds the postings of the present term to its list.
  ///
  /// Mutating, as it is done where the reader stands: no copy of it is made for the time.
  mutating func append(to lists: inout ListWriter) throws(StorageError) {
    try forEachPosting { (posting, run) throws(StorageError) in try lists.append(posting, run) }
  }

  /// Visits the postings of the present term, each with its run of positions.
  @inline(__always) func forEachPosting(_ body: (Posting, RawSpan) throws(StorageError) -> Void)
    throws(StorageError)
  {
    let end = postings.held.lowerBound + keys.postingByteCount
    let bytes = postings.buffer.rawSpan.extracting(..<end)
    var offset = postings.held.lowerBound
    var previous = baseDocument
    for _ in 0..<keys.count {
      let posting = try PostingCode.read(bytes, &offset, after: previous)
      let start = offset
      try PositionCode.skip(1, bytes, &offset, end: end)
      try body(posting, bytes.extracting(start..<offset))
      previous = posting.document
    }
    guard offset == end else { throw SpillFile.damaged }
  }

  /// Visits the runs of positions of the present term that were too long to stand beside postings.
  func forEachLongRun(_ body: (UInt32, RawSpan) throws(StorageError) -> Void) throws(StorageError) {
    var offset = postings.held.lowerBound + keys.postingByteCount
    let end = offset + keys.longByteCount
    let bytes = postings.buffer.rawSpan.extracting(..<end)
    while offset < end {
      let document = try PostingCode.varint(bytes, &offset)
      let byteCount = try PostingCode.varint(bytes, &offset)
      guard document < UInt64(UInt32.max), byteCount <= UInt64(end - offset) else {
        throw SpillFile.damaged
      }
      try body(UInt32(document), bytes.extracting(offset..<offset + Int(byteCount)))
      offset += Int(byteCount)
    }
  }
}

/// Readers of runs by the ids of their present terms; of equal ones the earlier run first.
struct ReaderHeap {
  /// Id and number of the run in one word.
  private var words: [UInt64] = []

  /// Forgets all readers.
  mutating func removeAll() { words.removeAll(keepingCapacity: true) }

  mutating func push(_ id: UInt32, _ run: Int) {
    words.append(UInt64(id) << 32 | UInt64(run))
    var at = words.count - 1
    while at > 0, words[at] < words[(at - 1) / 2] {
      words.swapAt(at, (at - 1) / 2)
      at = (at - 1) / 2
    }
  }

  /// Takes out all readers that stand at the least id, and tells it; nil when all is read.
  mutating func takeLeast(into group: inout [Int]) -> UInt32? {
    group.removeAll(keepingCapacity: true)
    guard let first = words.first else { return nil }
    while let word = words.first, word >> 32 == first >> 32 {
      group.append(Int(truncatingIfNeeded: word & 0xFFFF_FFFF))
      removeFirst()
    }
    return UInt32(truncatingIfNeeded: first >> 32)
  }

  private mutating func removeFirst() {
    guard let last = words.popLast(), !words.isEmpty else { return }
    words[0] = last
    var at = 0
    while true {
      var least = 2 * at + 1
      guard least < words.count else { return }
      if least + 1 < words.count, words[least + 1] < words[least] { least += 1 }
      guard words[least] < words[at] else { return }
      words.swapAt(at, least)
      at = least
    }
  }
}
