internal import LMDB

/// A run where it stands in its file.
struct StoredRun: Sendable {
  var start: Int
  var header: RunHeader
}

/// Walks the terms of a run in byte order of their keys, with their postings.
struct RunReader: Sendable {
  private var keys: SpillReader
  private var postings: SpillReader
  private let baseDocument: UInt32
  /// Terms behind the present one.
  private var restCount: Int
  /// Where the key of the present term stands in the buffer, and what it takes there with its
  /// counts.
  private var keyRange = 0..<0
  private var entryByteCount = 0
  /// Postings of the present term, their bytes, and those of runs of positions that were too long.
  private(set) var count = 0
  private(set) var postingByteCount = 0
  private(set) var longByteCount = 0

  /// More than what is written of a term besides its postings.
  private static let entryByteCountMax = 1_024

  /// Goes to before the first term.
  init(_ run: StoredRun, bufferByteCount: Int) {
    let (start, header) = (run.start, run.header)
    let keyStart = start + header.keys
    keys = SpillReader(keyStart..<keyStart + header.keyByteCount, bufferByteCount: bufferByteCount)
    let postingStart = start + header.postings
    postings = SpillReader(
      postingStart..<postingStart + header.postingByteCount, bufferByteCount: bufferByteCount)
    baseDocument = header.firstDocument &- 1
    restCount = Int(header.termCount)
  }

  /// Goes to the next term, and tells whether there is one.
  /// - Throws: `.corrupt` for bytes that make no term.
  mutating func advance(_ file: SpillFile) throws(CairnError) -> Bool {
    keys.pass(entryByteCount)
    postings.pass(postingByteCount + longByteCount)
    (entryByteCount, postingByteCount, longByteCount) = (0, 0, 0)
    guard restCount > 0 else {
      guard keys.isAtEnd, postings.isAtEnd else { throw SpillFile.damaged }
      return false
    }
    restCount -= 1
    try keys.hold(Self.entryByteCountMax, of: file, isPartial: true)
    try parse()
    try postings.hold(postingByteCount + longByteCount, of: file)
    return true
  }

  private mutating func parse() throws(CairnError) {
    let buffer = keys.buffer
    let bytes = buffer.rawSpan.extracting(..<keys.held.upperBound)
    var offset = keys.held.lowerBound
    let keyCount = try Varint.read(bytes, &offset)
    guard keyCount > 0, keyCount <= UInt64(Limits.keyByteCountMax),
      keyCount <= UInt64(bytes.byteCount - offset)
    else { throw SpillFile.damaged }
    keyRange = offset..<offset + Int(keyCount)
    offset = keyRange.upperBound
    let postingCount = try Varint.read(bytes, &offset)
    let byteCount = try Varint.read(bytes, &offset)
    let longCount = try Varint.read(bytes, &offset)
    guard postingCount > 0, postingCount < UInt64(UInt32.max), byteCount < UInt64(UInt32.max),
      longCount < UInt64(UInt32.max)
    else { throw SpillFile.damaged }
    count = Int(postingCount)
    postingByteCount = Int(byteCount)
    longByteCount = Int(longCount)
    entryByteCount = offset - keys.held.lowerBound
  }

  /// The key of the present term, as a merge compares it.
  func head(of run: Int) -> RunHead { RunHead(keys.buffer.rawSpan, keyRange, run: run) }

  func writeKey(to key: inout ByteWriter) {
    key.removeAll()
    key.append(keys.buffer.rawSpan.extracting(keyRange))
  }

  /// Adds the postings of the present term to its list.
  ///
  /// Mutating, as it is done where the reader stands: no copy of it is made for the time.
  mutating func append(to lists: inout ListSink) throws(CairnError) {
    try forEachPosting { (posting, run) throws(CairnError) in try lists.append(posting, run) }
  }

  /// Visits the postings of the present term, each with its run of positions.
  @inline(__always) func forEachPosting(_ body: (Posting, RawSpan) throws(CairnError) -> Void)
    throws(CairnError)
  {
    let end = postings.held.lowerBound + postingByteCount
    let bytes = postings.buffer.rawSpan.extracting(..<end)
    var offset = postings.held.lowerBound
    var previous = baseDocument
    for _ in 0..<count {
      let posting = try Posting.read(bytes, &offset, after: previous)
      let start = offset
      try PositionCode.skip(1, bytes, &offset, end: end)
      try body(posting, bytes.extracting(start..<offset))
      previous = posting.document
    }
    guard offset == end else { throw SpillFile.damaged }
  }

  /// Visits the runs of positions of the present term that were too long to stand beside postings.
  func forEachLongRun(_ body: (UInt32, RawSpan) throws(CairnError) -> Void) throws(CairnError) {
    var offset = postings.held.lowerBound + postingByteCount
    let end = offset + longByteCount
    let bytes = postings.buffer.rawSpan.extracting(..<end)
    while offset < end {
      let document = try Varint.read(bytes, &offset)
      let byteCount = try Varint.read(bytes, &offset)
      guard document < UInt64(UInt32.max), byteCount <= UInt64(end - offset) else {
        throw SpillFile.damaged
      }
      try body(UInt32(document), bytes.extracting(offset..<offset + Int(byteCount)))
      offset += Int(byteCount)
    }
  }
}

/// The key at which a run stands in a merge: by bytes, of equal keys the earlier run first.
///
/// Sixteen bytes tell nearly all keys apart, without an allocation.
struct RunHead: Comparable, Sendable {
  private let high: UInt64
  private let low: UInt64
  private let byteCount: Int
  /// What comes behind the first sixteen bytes.
  private let rest: [UInt8]
  let run: Int

  /// The head of a run whose key stands in a range of some bytes.
  init(_ bytes: borrowing RawSpan, _ key: Range<Int>, run: Int) {
    high = TermKey.word(bytes, key)
    low = TermKey.word(bytes, min(key.lowerBound + 8, key.upperBound)..<key.upperBound)
    byteCount = key.count
    rest = key.count > 16 ? bytes.extracting(key.dropFirst(16)).array() : []
    self.run = run
  }

  /// Whether both stand at the same key.
  @inline(__always) func hasKey(of other: RunHead) -> Bool {
    high == other.high && low == other.low && byteCount == other.byteCount
      && (byteCount <= 16 || rest == other.rest)
  }

  @inline(__always) static func < (left: RunHead, right: RunHead) -> Bool {
    if left.high != right.high { return left.high < right.high }
    if left.low != right.low { return left.low < right.low }
    if min(left.byteCount, right.byteCount) > 16, left.rest != right.rest {
      return left.rest.lexicographicallyPrecedes(right.rest)
    }
    return (left.byteCount, left.run) < (right.byteCount, right.run)
  }
}
