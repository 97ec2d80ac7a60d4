internal import LMDB

/// The two lists of one term while what has ended moves from the present to the past one.
struct ListSplit: ~Copyable {
  /// Postings in order of documents, impacts as a decoded block has them, each with its run of
  /// positions.
  private struct Postings {
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    var runEnds: [Int] = []
    var runs: [UInt8] = []

    mutating func removeAll() {
      documents.removeAll(keepingCapacity: true)
      impacts.removeAll(keepingCapacity: true)
      runEnds.removeAll(keepingCapacity: true)
      runs.removeAll(keepingCapacity: true)
    }

    mutating func append(_ document: UInt32, _ impact: UInt32, _ run: RawSpan) {
      documents.append(document)
      impacts.append(impact)
      runs.append(run)
      runEnds.append(runs.count)
    }
  }

  private let ended: DocumentBits
  private var live = Postings()
  /// Those that move, and those that moved before.
  private var moving = Postings()
  private var past = Postings()
  private var lists = ListSink(.growing)
  private var keys: [[UInt8]] = []
  private var term: UInt32 = 0
  private var chunk = PostingChunk.Reader()
  private var documents: [UInt32] = []
  private var impacts: [UInt32] = []

  /// Fewer ended postings than one in so many stay where they are.
  private static let worth = 8

  /// `ended` has the merged documents that have ended.
  init(_ ended: DocumentBits) { self.ended = ended }

  /// Reads the lists of the first term from one on that has any.
  /// - Returns: The term and the bytes of its lists; nil when there is no more.
  mutating func read(
    from first: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> (term: UInt32, byteCount: Int)? {
    live.removeAll()
    moving.removeAll()
    past.removeAll()
    keys.removeAll(keepingCapacity: true)
    var found: UInt32?
    var byteCount = 0
    let start = IndexTables.key(TermList(term: first).number)
    try txn.scan(tables.postings, from: start) { (key, row) throws(CairnError) in
      let list = try TermList(key: key)
      guard found ?? list.term == list.term else { return false }
      found = list.term
      byteCount += try take(list, key, row)
      return true
    }
    guard let found else { return nil }
    term = found
    return (term, byteCount)
  }

  private mutating func take(_ list: TermList, _ key: RawSpan, _ row: RawSpan)
    throws(CairnError) -> Int
  {
    keys.append(key.array())
    try chunk.load(row)
    // A copy, as the rest of this value changes while it is read.
    let source = chunk.bytes
    let bytes = source.rawSpan
    for block in 0..<chunk.blockCount {
      try chunk.decode(block, documents: &documents, impacts: &impacts)
      let range = try chunk.positions(of: block)
      var offset = range.lowerBound
      for index in documents.indices {
        let start = offset
        try PositionCode.skip(1, bytes, &offset, end: range.upperBound)
        let run = bytes.extracting(start..<offset)
        if list.isPast {
          past.append(documents[index], impacts[index], run)
        } else if ended.contains(documents[index]) {
          moving.append(documents[index], impacts[index], run)
        } else {
          live.append(documents[index], impacts[index], run)
        }
      }
      guard offset == range.upperBound else { throw IndexDamage.postings }
    }
    return row.byteCount
  }

  /// Stores the lists that were read, apart; nothing where hardly any posting would move.
  /// - Complexity: O(postings of the term).
  mutating func store(_ txn: inout WriteTransaction, _ tables: IndexTables) throws(CairnError) {
    guard !moving.documents.isEmpty,
      moving.documents.count * Self.worth >= live.documents.count + moving.documents.count
    else { return }
    for key in keys { try txn.delete(tables.postings, key) }
    lists.begin(TermList(term: term))
    for index in live.documents.indices { try Self.append(live, index, to: &lists) }
    lists.finish()
    lists.begin(TermList(term: term, isPast: true))
    var next = 0
    for index in past.documents.indices {
      while next < moving.documents.count, moving.documents[next] < past.documents[index] {
        try Self.append(moving, next, to: &lists)
        next += 1
      }
      try Self.append(past, index, to: &lists)
    }
    while next < moving.documents.count {
      try Self.append(moving, next, to: &lists)
      next += 1
    }
    lists.finish()
    try lists.rows.forEach { (key, row) throws(CairnError) in
      try txn.put(tables.postings, key, row)
    }
    lists.rows.removeAll()
  }

  private static func append(_ postings: Postings, _ index: Int, to lists: inout ListSink)
    throws(CairnError)
  {
    let start = index > 0 ? postings.runEnds[index - 1] : 0
    let impact = Impact(decoded: postings.impacts[index])
    try lists.append(
      Posting(document: postings.documents[index], impact: impact),
      postings.runs.rawSpan.extracting(start..<postings.runEnds[index]))
  }
}
