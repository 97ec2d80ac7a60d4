internal import LMDB

/// Copies one term's chunks after the other without the documents that go: impacts and positions as
/// they are, documents under their new numbers.
struct ListCopy: ~Copyable {
  private let numbers: DocumentRanks
  var lists = ListSink(.growing)
  private var chunk = PostingChunk.Reader()
  private var documents: [UInt32] = []
  private var impacts: [UInt32] = []
  /// Postings of the present term so far.
  private(set) var count: UInt32 = 0
  /// The first of them that were read, as many as may stand in the dictionary.
  private(set) var few = DictionaryEntry(term: 0, documentCount: 0)

  /// The list of present documents, while it is too short to be sure to stay one.
  private var held: DictionaryEntry?
  private var short = ListSink(.growing)

  /// `numbers` has the new number of each document, from 1 on without gaps, 0 for those that go.
  init(_ numbers: [UInt32]) { self.numbers = DocumentRanks(numbers) }

  mutating func begin(_ term: UInt32) {
    count = 0
    few = DictionaryEntry(term: term, documentCount: 0)
    held = nil
    lists.begin(TermList(term: term))
  }

  /// Goes on with the term's ended documents.
  mutating func beginPast() {
    if count > DictionaryEntry.inlineCount {
      lists.finish()
    } else if count > 0 {
      held = few
    }
    lists.begin(TermList(term: few.term, isPast: true))
  }

  /// Writes the short list that came before the present one, as the term has too much for the
  /// dictionary.
  private mutating func writeHeld() throws(CairnError) {
    guard let held else { return }
    self.held = nil
    short.begin(TermList(term: held.term))
    try held.forEachInline { (posting, run) throws(CairnError) in try short.append(posting, run) }
    short.finish()
    try short.rows.forEach { (key, row) throws(CairnError) in lists.rows.append(key, row) }
    short.rows.removeAll()
  }

  /// Adds what stays of a chunk's row.
  /// - Throws: `.corrupt` when the chunk is damaged.
  mutating func append(_ row: RawSpan) throws(CairnError) {
    try chunk.load(row)
    // A copy, as the rest of this value changes while it is read.
    let source = chunk.bytes
    let bytes = source.rawSpan
    for block in 0..<chunk.blockCount {
      try chunk.decode(block, documents: &documents, impacts: &impacts)
      let runs = try chunk.positions(of: block)
      try renumber()
      var (index, offset) = (0, runs.lowerBound)
      while index < documents.count {
        if documents[index] == 0 {
          try PositionCode.skip(1, bytes, &offset, end: runs.upperBound)
          index += 1
          continue
        }
        var stop = index + 1
        while stop < documents.count, documents[stop] != 0 { stop += 1 }
        try append(index..<stop, bytes, &offset, end: runs.upperBound)
        index = stop
      }
      guard offset == runs.upperBound else { throw IndexDamage.postings }
    }
  }

  /// Gives the documents of a block their new numbers.
  private mutating func renumber() throws(CairnError) {
    var last = lists.lastDocument
    let numbers = numbers
    for index in documents.indices {
      guard documents[index] < numbers.count else { throw IndexDamage.postings }
      let number = numbers[documents[index]]
      documents[index] = number
      guard number != 0 else { continue }
      guard number > last else { throw IndexDamage.postings }
      last = number
    }
  }

  /// Adds postings that all stay, those of a block that grows at once.
  private mutating func append(
    _ range: Range<Int>, _ bytes: RawSpan, _ offset: inout Int, end: Int
  ) throws(CairnError) {
    var index = range.lowerBound
    while index < range.upperBound {
      if count > DictionaryEntry.inlineCount {
        let added = try lists.append(
          documents, impacts, index..<range.upperBound, bytes, &offset, end: end)
        count += UInt32(added)
        index += added
        if added > 0 { continue }
      }
      let start = offset
      try PositionCode.skip(1, bytes, &offset, end: end)
      let run = bytes.extracting(start..<offset)
      let posting = Posting(document: documents[index], impact: Impact(decoded: impacts[index]))
      if count < DictionaryEntry.inlineCount {
        few.add(posting, run)
      } else {
        try writeHeld()
      }
      try lists.append(posting, run)
      count += 1
      index += 1
    }
  }
}
