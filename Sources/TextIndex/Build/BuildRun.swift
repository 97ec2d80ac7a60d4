internal import LMDB

/// What a run begins with; the keys of its terms in byte order follow, their postings in the same
/// order, the place of each number of the batch among them, room for their ids, and the documents.
///
/// Of a term there is first its key behind the key's length, how many postings there are, how many
/// bytes of them, and of long runs. Its postings come each with its positions, documents numbered
/// from the one before the run's first, behind them the runs of positions that were too long:
/// document, length, bytes. Numbers are varints.
struct RunHeader {
  var firstDocument: UInt32
  var documentCount: UInt32
  var termCount: UInt32
  /// Terms that the batch numbered, also those that no document has after all.
  var nameCount: UInt32
  var keyByteCount: Int
  var postingByteCount: Int
  var documentByteCount: Int

  static let byteCount = 48
  private static let mark: UInt32 = 0x3255_5243

  /// Offsets from the beginning of the run.
  var keys: Int { Self.byteCount }
  var postings: Int { keys + keyByteCount }
  var ranks: Int { postings + postingByteCount }
  var ids: Int { ranks + 4 * Int(nameCount) }
  var documents: Int { ids + 4 * Int(termCount) }
  var end: Int { documents + documentByteCount }

  func write(to file: SpillFile, at offset: Int) throws(CairnError) {
    var row = ByteWriter(capacity: Self.byteCount)
    row.appendLittleEndian(Self.mark)
    row.appendLittleEndian(firstDocument)
    row.appendLittleEndian(documentCount)
    row.appendLittleEndian(termCount)
    row.appendLittleEndian(nameCount)
    row.appendLittleEndian(UInt32(0))
    row.appendLittleEndian(UInt64(keyByteCount))
    row.appendLittleEndian(UInt64(postingByteCount))
    row.appendLittleEndian(UInt64(documentByteCount))
    try file.write(row.bytes, at: offset)
  }

  /// Reads the header at an offset of a file of which so much counts.
  /// - Throws: `.corrupt` when there is none.
  static func read(_ file: SpillFile, at offset: Int, end: Int) throws(CairnError) -> RunHeader {
    guard end - offset >= byteCount else { throw SpillFile.damaged }
    var bytes = [UInt8](repeating: 0, count: byteCount)
    try file.read(into: &bytes, bytes.indices, at: offset)
    let row = bytes.rawSpan
    let keys = row.loadLittleEndian64(at: 24)
    let postings = row.loadLittleEndian64(at: 32)
    let documents = row.loadLittleEndian64(at: 40)
    guard row.loadLittleEndian32(at: 0) == mark, max(keys, postings, documents) < UInt64(end) else {
      throw SpillFile.damaged
    }
    let header = RunHeader(
      firstDocument: row.loadLittleEndian32(at: 4), documentCount: row.loadLittleEndian32(at: 8),
      termCount: row.loadLittleEndian32(at: 12), nameCount: row.loadLittleEndian32(at: 16),
      keyByteCount: Int(keys), postingByteCount: Int(postings), documentByteCount: Int(documents))
    guard header.end <= end - offset else { throw SpillFile.damaged }
    return header
  }
}

struct RunWriter: ~Copyable {
  private var keys = ByteWriter(capacity: 1 << 16)
  private var postings = ByteWriter(capacity: 1 << 16)
  private var ranks: [UInt32] = []
  private var termCount = 0
  private var list = ByteWriter(capacity: 4_096)

  /// Replaces what it holds by the postings of documents, of which only those count that are kept,
  /// all for nil.
  /// - Complexity: O(bytes + terms · log terms).
  mutating func write(
    _ names: TermKeys, _ lists: PostingLists, firstDocument: UInt32, kept: [Bool]?
  ) throws(CairnError) {
    keys.removeAll()
    postings.removeAll()
    ranks.removeAll(keepingCapacity: true)
    ranks.append(contentsOf: repeatElement(.max, count: names.count))
    termCount = 0
    let numbers = kept.map(Self.numbers)
    // Of all terms: a place among them is a number.
    for number in names.byteOrder(0..<UInt32(truncatingIfNeeded: names.count)) {
      let term = UInt32(truncatingIfNeeded: number)
      let start = postings.count
      let count = try append(number, lists, numbers)
      guard count > 0 else { continue }
      ranks[number] = UInt32(truncatingIfNeeded: termCount)
      termCount += 1
      names.append(term, to: &keys)
      keys.appendVarint(UInt64(count))
      keys.appendVarint(UInt64(postings.count - start))
      let end = postings.count
      if let long = lists.longRuns[term] { append(long, firstDocument, numbers) }
      keys.appendVarint(UInt64(postings.count - end))
    }
  }

  /// What number behind the first each document gets, the greatest there is for none.
  private static func numbers(_ kept: [Bool]) -> [UInt32] {
    var next: UInt32 = 0
    return kept.map { isKept in
      guard isKept else { return .max }
      defer { next += 1 }
      return next
    }
  }

  /// Adds the postings of a term, and tells how many there are.
  private mutating func append(_ term: Int, _ lists: PostingLists, _ numbers: [UInt32]?)
    throws(CairnError) -> Int
  {
    guard let numbers else {
      lists.copy(term, to: &postings)
      return lists.count(term)
    }
    list.removeAll()
    lists.copy(term, to: &list)
    return try Self.rename(list, numbers, to: &postings)
  }

  /// Adds the postings of documents that have a number, and tells how many there are.
  private static func rename(
    _ list: borrowing ByteWriter, _ numbers: [UInt32], to postings: inout ByteWriter
  ) throws(CairnError) -> Int {
    let bytes = list.bytes
    var offset = 0
    // Documents are numbered from the one before the first.
    var previous: UInt32 = 0
    var last: UInt32 = 0
    var count = 0
    while offset < bytes.byteCount {
      let posting = try Posting.read(bytes, &offset, after: previous)
      let start = offset
      try PositionCode.skip(1, bytes, &offset, end: bytes.byteCount)
      previous = posting.document
      let number = numbers[Int(posting.document) - 1]
      guard number != .max else { continue }
      let renamed = Posting(document: number + 1, impact: posting.impact)
      renamed.append(after: last, to: &postings)
      postings.append(bytes.extracting(start..<offset))
      last = renamed.document
      count += 1
    }
    return count
  }

  private mutating func append(
    _ long: [(document: UInt32, run: [UInt8])], _ firstDocument: UInt32, _ numbers: [UInt32]?
  ) {
    for (document, run) in long {
      let number = numbers.map { $0[Int(document)] } ?? document
      guard number != .max else { continue }
      postings.appendVarint(UInt64(firstDocument + number))
      postings.appendVarint(UInt64(run.count))
      postings.append(run)
    }
  }

  /// Writes the run with the records of its documents at an offset of a file, and tells where it
  /// ends.
  /// - Throws: `.diskFull` and the like.
  func write(
    _ records: borrowing ByteWriter, documentCount: UInt32, _ firstDocument: UInt32,
    to file: SpillFile, at start: Int
  ) throws(CairnError) -> Int {
    let header = RunHeader(
      firstDocument: firstDocument, documentCount: documentCount,
      termCount: UInt32(truncatingIfNeeded: termCount),
      nameCount: UInt32(truncatingIfNeeded: ranks.count), keyByteCount: keys.count,
      postingByteCount: postings.count, documentByteCount: records.count)
    var table = ByteWriter(capacity: 4 * ranks.count)
    for rank in ranks { table.appendLittleEndian(rank) }
    try file.write(keys, at: start + header.keys)
    try file.write(postings, at: start + header.postings)
    try file.write(table, at: start + header.ranks)
    try file.write(records, at: start + header.documents)
    try header.write(to: file, at: start)
    return start + header.end
  }
}
