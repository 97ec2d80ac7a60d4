internal import LMDB

/// Walks the terms of one run in byte order, and notes the ids they get.
final class RunReader {
  let header: RunHeader
  private let file: SpillFile
  private let start: Int
  private var buffer: [UInt8]
  /// Where the present term, and what was read, end in the buffer.
  private var next = 0
  private var end = 0
  /// Bytes of terms that were read.
  private var readCount = 0
  private var ids = ByteWriter(capacity: 4_096)
  private var writtenIDCount = 0

  /// The first bytes of the key, for sorting.
  private(set) var sortKey: UInt64 = 0
  private var keyRange = 0..<0
  /// Postings of the present term.
  private(set) var count = 0
  private var postingRange = 0..<0
  private var longRange = 0..<0

  /// Goes to before the first term of the run at an offset.
  init(_ file: SpillFile, _ header: RunHeader, at start: Int, bufferByteCount: Int) {
    self.file = file
    self.header = header
    self.start = start
    buffer = [UInt8](repeating: 0, count: bufferByteCount)
  }

  /// Whether another reader stands at the same term.
  func hasSameKey(as other: RunReader) -> Bool {
    guard sortKey == other.sortKey else { return false }
    let (one, two) = (buffer, other.buffer)
    return one.rawSpan.extracting(keyRange).equals(two.rawSpan.extracting(other.keyRange))
  }

  /// Whether its key comes before that of another reader.
  func precedes(_ other: RunReader) -> Bool {
    if sortKey != other.sortKey { return sortKey < other.sortKey }
    let (one, two) = (buffer, other.buffer)
    return one.rawSpan.extracting(keyRange)
      .lexicographicallyPrecedes(two.rawSpan.extracting(other.keyRange))
  }

  /// Writes the key of the present term.
  func writeKey(to key: inout ByteWriter) {
    let bytes = buffer
    key.removeAll()
    key.append(bytes.rawSpan.extracting(keyRange))
  }

  /// Goes to the next term, and tells whether there is one.
  func advance() throws(StorageError) -> Bool {
    guard next < end || readCount < header.termByteCount else { return false }
    try fill(4)
    var byteCount = 0
    for place in 0..<4 { byteCount |= Int(buffer[next + place]) << (8 * place) }
    next += 4
    try fill(byteCount)
    try parse(next..<next + byteCount)
    next += byteCount
    return true
  }

  private func parse(_ range: Range<Int>) throws(StorageError) {
    let buffer = buffer
    let bytes = buffer.rawSpan.extracting(..<range.upperBound)
    var offset = range.lowerBound
    let keyCount = try PostingCode.varint(bytes, &offset)
    guard keyCount > 0, keyCount <= UInt64(range.upperBound - offset) else {
      throw SpillFile.damaged
    }
    keyRange = offset..<offset + Int(keyCount)
    offset = keyRange.upperBound
    let postingCount = try PostingCode.varint(bytes, &offset)
    let byteCount = try PostingCode.varint(bytes, &offset)
    guard postingCount > 0, postingCount < UInt64(UInt32.max),
      byteCount <= UInt64(range.upperBound - offset)
    else { throw SpillFile.damaged }
    count = Int(postingCount)
    postingRange = offset..<offset + Int(byteCount)
    longRange = postingRange.upperBound..<range.upperBound
    sortKey = 0
    for place in 0..<8 {
      let at = keyRange.lowerBound + place
      sortKey = sortKey << 8 | (at < keyRange.upperBound ? UInt64(bytes.byte(at: at)) : 0)
    }
  }

  /// Makes sure that so many bytes stand behind the present term.
  private func fill(_ byteCount: Int) throws(StorageError) {
    guard end - next < byteCount else { return }
    if next > 0 {
      buffer.replaceSubrange(0..<end - next, with: buffer[next..<end])
      end -= next
      next = 0
    }
    if byteCount > buffer.count {
      buffer.append(contentsOf: repeatElement(0, count: byteCount - buffer.count))
    }
    let wanted = min(buffer.count - end, header.termByteCount - readCount)
    guard end + wanted >= byteCount else { throw SpillFile.damaged }
    try file.read(
      into: &buffer,
      end..<end + wanted,
      at: start + RunHeader.byteCount + readCount
    )
    end += wanted
    readCount += wanted
  }

  /// Bytes of the postings of the present term.
  var postingByteCount: Int { postingRange.count }

  /// Whether the present term has runs of positions that were too long.
  var hasLongRuns: Bool { !longRange.isEmpty }

  /// Visits the postings of the present term, each with its run of positions.
  @inline(__always)
  func forEachPosting(
    _ body: (Posting, RawSpan) throws(StorageError) -> Void
  ) throws(StorageError) {
    let buffer = buffer
    let bytes = buffer.rawSpan.extracting(..<postingRange.upperBound)
    var offset = postingRange.lowerBound
    var previous: UInt32 = 0
    for _ in 0..<count {
      let posting = try PostingCode.read(bytes, &offset, after: previous)
      let start = offset
      try PositionCode.skip(1, bytes, &offset, end: bytes.byteCount)
      try body(posting, bytes.extracting(start..<offset))
      previous = posting.document
    }
    guard offset == postingRange.upperBound else { throw SpillFile.damaged }
  }

  /// Visits the runs of positions of the present term that were too long to stand beside postings.
  func forEachLongRun(
    _ body: (UInt32, RawSpan) throws(StorageError) -> Void
  ) throws(StorageError) {
    let buffer = buffer
    let bytes = buffer.rawSpan.extracting(..<longRange.upperBound)
    var offset = longRange.lowerBound
    while offset < longRange.upperBound {
      let document = try PostingCode.varint(bytes, &offset)
      let byteCount = try PostingCode.varint(bytes, &offset)
      guard document < UInt64(UInt32.max), byteCount <= UInt64(longRange.upperBound - offset) else {
        throw SpillFile.damaged
      }
      try body(UInt32(document), bytes.extracting(offset..<offset + Int(byteCount)))
      offset += Int(byteCount)
    }
  }

  /// Notes the id of the present term.
  func setID(_ id: UInt32) throws(StorageError) {
    ids.appendLittleEndian(id)
    if ids.count >= 4_096 { try writeIDs() }
  }

  /// Writes out the ids that were noted.
  func writeIDs() throws(StorageError) {
    guard writtenIDCount + ids.count <= 4 * Int(header.termCount) else { throw SpillFile.damaged }
    try file.write(ids, at: start + header.ids + writtenIDCount)
    writtenIDCount += ids.count
    ids.removeAll()
  }
}

/// The readers of some runs, by the keys of their present terms; of equal ones the earlier run first.
struct RunHeap {
  private let readers: [RunReader]
  private var places: [Int] = []

  init(_ readers: [RunReader]) throws(StorageError) {
    self.readers = readers
    for place in readers.indices where try readers[place].advance() { push(place) }
  }

  /// Takes out all readers that stand at the least key; none when all is read.
  mutating func takeLeast(into group: inout [Int]) {
    group.removeAll(keepingCapacity: true)
    guard let first = pop() else { return }
    group.append(first)
    while let place = places.first, readers[place].hasSameKey(as: readers[first]) {
      group.append(place)
      _ = pop()
    }
  }

  /// Moves readers that were taken out on to their next terms.
  mutating func putBack(_ group: [Int]) throws(StorageError) {
    for place in group where try readers[place].advance() { push(place) }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (one, two) = (readers[left], readers[right])
    return one.hasSameKey(as: two) ? left < right : one.precedes(two)
  }

  private mutating func push(_ place: Int) {
    places.append(place)
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
    guard !places.isEmpty else { return first }
    places[0] = last
    var at = 0
    while true {
      var least = at
      for child in [2 * at + 1, 2 * at + 2]
      where child < places.count && precedes(places[child], places[least]) { least = child }
      guard least != at else { return first }
      places.swapAt(at, least)
      at = least
    }
  }
}
