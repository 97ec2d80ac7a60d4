internal import LMDB

/// A place between terms of a run: how many come before it, and how many bytes their keys and their
/// postings take.
struct RunMark: Sendable {
  var term = 0
  var keys = 0
  var postings = 0
}

/// The first sixteen bytes of a key and, where that is all, its length: nearly all keys are told apart
/// by it.
struct KeyStart: Sendable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0
  /// More than 16 for a longer key.
  private var byteCount: UInt8 = 0

  /// That of no key.
  init() {}

  /// That of a key inside of some bytes.
  init(_ bytes: borrowing RawSpan, _ key: Range<Int>) {
    high = Self.word(bytes, key)
    low = Self.word(bytes, min(key.lowerBound + 8, key.upperBound)..<key.upperBound)
    byteCount = UInt8(truncatingIfNeeded: min(key.count, 17))
  }

  /// The first eight bytes of a key, zeros behind its end, as they sort.
  static func word(_ bytes: borrowing RawSpan, _ key: Range<Int>) -> UInt64 {
    guard key.lowerBound + 8 <= bytes.byteCount else {
      var word: UInt64 = 0
      for at in key.lowerBound..<key.lowerBound + 8 {
        word = word << 8 | (at < key.upperBound ? UInt64(bytes.byte(at: at)) : 0)
      }
      return word
    }
    // Twice, as a word is shifted by fewer than all its bits.
    let unused = UInt64(4 * max(0, 8 - key.count))
    let word = bytes.loadBigEndian64(at: key.lowerBound)
    return (((word &>> unused) &>> unused) &<< unused) &<< unused
  }

  /// Whether its key comes before another one; nil when the keys have to be asked.
  @inline(__always) func precedes(_ other: KeyStart) -> Bool? {
    if high != other.high { return high < other.high }
    if low != other.low { return low < other.low }
    return min(byteCount, other.byteCount) > 16 ? nil : byteCount < other.byteCount
  }

  /// Whether its key is another one; nil when the keys have to be asked.
  @inline(__always) func equals(_ other: KeyStart) -> Bool? {
    if high != other.high || low != other.low || byteCount != other.byteCount { return false }
    return byteCount > 16 ? nil : true
  }
}

/// Walks the keys of a run in byte order.
struct RunKeys: Sendable {
  private var reader: SpillReader
  private let termCount: Int
  /// Where the present term begins, and where it ends.
  private(set) var mark: RunMark
  private(set) var end: RunMark

  private(set) var sortKey = KeyStart()
  private var keyRange = 0..<0
  /// Postings of the present term, their bytes, and those of runs of positions that were too long.
  private(set) var count = 0
  private(set) var postingByteCount = 0
  private(set) var longByteCount = 0

  /// More than what is written of a term besides its postings.
  private static let entryByteCountMax = 1_024

  /// Goes to before the first term between two places of the run at an offset.
  init(_ header: RunHeader, at start: Int, _ low: RunMark, _ high: RunMark, bufferByteCount: Int) {
    let keys = start + header.keys
    let range = keys + low.keys..<keys + high.keys
    reader = SpillReader(range, bufferByteCount: bufferByteCount)
    termCount = high.term
    mark = low
    end = low
  }

  /// Goes to the next term, and tells whether there is one.
  mutating func advance(_ file: SpillFile) throws(StorageError) -> Bool {
    reader.pass(end.keys - mark.keys)
    mark = end
    guard mark.term < termCount else {
      guard reader.isAtEnd else { throw SpillFile.damaged }
      return false
    }
    try reader.hold(Self.entryByteCountMax, of: file, isPartial: true)
    try parse()
    return true
  }

  private mutating func parse() throws(StorageError) {
    let buffer = reader.buffer
    let bytes = buffer.rawSpan.extracting(..<reader.held.upperBound)
    var offset = reader.held.lowerBound
    let keyCount = try PostingCode.varint(bytes, &offset)
    guard keyCount > 0, keyCount <= UInt64(Limits.keyByteCountMax),
      keyCount <= UInt64(bytes.byteCount - offset)
    else { throw SpillFile.damaged }
    keyRange = offset..<offset + Int(keyCount)
    offset = keyRange.upperBound
    let postingCount = try PostingCode.varint(bytes, &offset)
    let byteCount = try PostingCode.varint(bytes, &offset)
    let longCount = try PostingCode.varint(bytes, &offset)
    guard postingCount > 0, postingCount < UInt64(UInt32.max), byteCount < UInt64(UInt32.max),
      longCount < UInt64(UInt32.max)
    else { throw SpillFile.damaged }
    count = Int(postingCount)
    postingByteCount = Int(byteCount)
    longByteCount = Int(longCount)
    end.term += 1
    end.keys += offset - reader.held.lowerBound
    end.postings += postingByteCount + longByteCount
    sortKey = KeyStart(bytes, keyRange)
  }

  /// Whether another run stands at the same term.
  func hasSameKey(as other: RunKeys) -> Bool {
    reader.buffer.rawSpan.extracting(keyRange).equals(
      other.reader.buffer.rawSpan.extracting(other.keyRange))
  }

  /// Whether its key comes before that of another run.
  func precedes(_ other: RunKeys) -> Bool {
    reader.buffer.rawSpan.extracting(keyRange).lexicographicallyPrecedes(
      other.reader.buffer.rawSpan.extracting(other.keyRange))
  }

  /// Writes the key of the present term.
  func writeKey(to key: inout ByteWriter) {
    key.removeAll()
    key.append(reader.buffer.rawSpan.extracting(keyRange))
  }
}

/// Runs by the keys of their present terms; of equal ones the earlier run first.
struct RunHeap {
  private(set) var runs: [RunKeys]
  private var places: [(key: KeyStart, run: Int)] = []

  init(_ runs: [RunKeys], of file: SpillFile) throws(StorageError) {
    self.runs = runs
    for run in runs.indices where try self.runs[run].advance(file) { push(run) }
  }

  /// Takes out all runs that stand at the least key; none when all is read.
  mutating func takeLeast(into group: inout [Int]) {
    group.removeAll(keepingCapacity: true)
    guard let first = places.first else { return }
    group.append(first.run)
    removeFirst()
    while let place = places.first, areEqual(place, first) {
      group.append(place.run)
      removeFirst()
    }
  }

  /// Moves runs that were taken out on to their next terms.
  mutating func putBack(_ group: [Int], of file: SpillFile) throws(StorageError) {
    for run in group where try runs[run].advance(file) { push(run) }
  }

  @inline(__always) private func areEqual(
    _ left: (key: KeyStart, run: Int), _ right: (key: KeyStart, run: Int)
  ) -> Bool { left.key.equals(right.key) ?? runs[left.run].hasSameKey(as: runs[right.run]) }

  @inline(__always) private func precedes(
    _ left: (key: KeyStart, run: Int), _ right: (key: KeyStart, run: Int)
  ) -> Bool {
    if areEqual(left, right) { return left.run < right.run }
    return left.key.precedes(right.key) ?? runs[left.run].precedes(runs[right.run])
  }

  private mutating func push(_ run: Int) {
    places.append((runs[run].sortKey, run))
    var at = places.count - 1
    while at > 0 {
      let parent = (at - 1) / 2
      guard precedes(places[at], places[parent]) else { return }
      places.swapAt(at, parent)
      at = parent
    }
  }

  private mutating func removeFirst() {
    guard let last = places.popLast(), !places.isEmpty else { return }
    places[0] = last
    var at = 0
    while true {
      var least = at
      for child in 2 * at + 1...2 * at + 2
      where child < places.count && precedes(places[child], places[least]) { least = child }
      guard least != at else { return }
      places.swapAt(at, least)
      at = least
    }
  }
}
