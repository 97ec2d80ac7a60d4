internal import LMDB

/// A place between terms of a run: how many come before it, and how many bytes their keys and their
/// postings take.
struct RunMark: Sendable {
  var term = 0
  var keys = 0
  var postings = 0
}

/// Walks the keys of a run in byte order.
struct RunKeys: Sendable {
  private var reader: SpillReader
  private let termCount: Int
  /// Where the present term begins, and where it ends.
  private(set) var mark: RunMark
  private(set) var end: RunMark

  /// The first bytes of the key, for sorting.
  private(set) var sortKey: UInt64 = 0
  private var keyRange = 0..<0
  /// Postings of the present term, their bytes, and those of runs of positions that were too long.
  private(set) var count = 0
  private(set) var postingByteCount = 0
  private(set) var longByteCount = 0

  /// More than what is written of a term besides its postings.
  private static let entryByteCountMax = 1_024

  /// Goes to before the first term between two places of the run at an offset.
  init(
    _ file: SpillFile,
    _ header: RunHeader,
    at start: Int,
    _ low: RunMark,
    _ high: RunMark,
    bufferByteCount: Int
  ) {
    let keys = start + header.keys
    let range = keys + low.keys..<keys + high.keys
    reader = SpillReader(file, range, bufferByteCount: bufferByteCount)
    termCount = high.term
    mark = low
    end = low
  }

  /// Goes to the next term, and tells whether there is one.
  mutating func advance() throws(StorageError) -> Bool {
    reader.pass(end.keys - mark.keys)
    mark = end
    guard mark.term < termCount else {
      guard reader.isAtEnd else { throw SpillFile.damaged }
      return false
    }
    try reader.hold(Self.entryByteCountMax, isPartial: true)
    try parse()
    return true
  }

  private mutating func parse() throws(StorageError) {
    let buffer = reader.buffer
    let bytes = buffer.rawSpan.extracting(..<reader.held.upperBound)
    var offset = reader.held.lowerBound
    let keyCount = try PostingCode.varint(bytes, &offset)
    guard keyCount > 0, keyCount <= UInt64(bytes.byteCount - offset) else {
      throw SpillFile.damaged
    }
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
    if keyRange.lowerBound + 8 <= bytes.byteCount {
      let unused = UInt64(8 * max(0, 8 - keyRange.count))
      sortKey = (bytes.loadBigEndian64(at: keyRange.lowerBound) >> unused) << unused
    } else {
      sortKey = 0
      for at in keyRange.lowerBound..<keyRange.lowerBound + 8 {
        sortKey = sortKey << 8 | (at < keyRange.upperBound ? UInt64(bytes.byte(at: at)) : 0)
      }
    }
  }

  /// Whether another run stands at the same term.
  func hasSameKey(as other: RunKeys) -> Bool {
    guard sortKey == other.sortKey else { return false }
    return reader.buffer.rawSpan.extracting(keyRange)
      .equals(other.reader.buffer.rawSpan.extracting(other.keyRange))
  }

  /// Whether its key comes before that of another run.
  func precedes(_ other: RunKeys) -> Bool {
    if sortKey != other.sortKey { return sortKey < other.sortKey }
    return reader.buffer.rawSpan.extracting(keyRange)
      .lexicographicallyPrecedes(other.reader.buffer.rawSpan.extracting(other.keyRange))
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
  private var places: [(key: UInt64, run: Int)] = []

  init(_ runs: [RunKeys]) throws(StorageError) {
    self.runs = runs
    for run in runs.indices where try self.runs[run].advance() { push(run) }
  }

  /// Takes out all runs that stand at the least key; none when all is read.
  mutating func takeLeast(into group: inout [Int]) {
    group.removeAll(keepingCapacity: true)
    guard let first = pop() else { return }
    group.append(first)
    while let place = places.first, runs[place.run].hasSameKey(as: runs[first]) {
      group.append(place.run)
      _ = pop()
    }
  }

  /// Moves runs that were taken out on to their next terms.
  mutating func putBack(_ group: [Int]) throws(StorageError) {
    for run in group where try runs[run].advance() { push(run) }
  }

  @inline(__always)
  private func precedes(_ left: (key: UInt64, run: Int), _ right: (key: UInt64, run: Int)) -> Bool {
    if left.key != right.key { return left.key < right.key }
    if runs[left.run].hasSameKey(as: runs[right.run]) { return left.run < right.run }
    return runs[left.run].precedes(runs[right.run])
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

  private mutating func pop() -> Int? {
    guard let first = places.first, let last = places.popLast() else { return nil }
    guard !places.isEmpty else { return first.run }
    places[0] = last
    var at = 0
    while true {
      var least = at
      for child in 2 * at + 1...2 * at + 2
      where child < places.count && precedes(places[child], places[least]) { least = child }
      guard least != at else { return first.run }
      places.swapAt(at, least)
      at = least
    }
  }
}
