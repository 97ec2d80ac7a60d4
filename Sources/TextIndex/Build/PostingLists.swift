internal import LMDB

/// The postings of many terms while documents come in, coded as they will be written: the list of a
/// term is a chain of pieces of one run of memory, so that growing it moves nothing.
struct PostingLists: Sendable {
  private struct List: Sendable {
    /// Where the first piece begins.
    var head: UInt32 = 0
    /// Where the next byte goes, and where the room of the last piece ends.
    var next: UInt32 = 0
    var end: UInt32 = 0
    var byteCount: UInt32 = 0
    var count: UInt32 = 0
    var lastDocument: UInt32 = 0
  }

  private var lists: [List] = []
  /// The pieces; behind the room of each but the last of a list it says where the next one begins.
  private var bytes: [UInt8] = []
  private var usedByteCount = 0
  /// The lists of the terms at hand.
  private var sought: [List] = []
  /// Runs of positions that are too long to stand beside their postings.
  private(set) var longRuns: [UInt32: [(document: UInt32, run: [UInt8])]] = [:]

  private static let linkByteCount = 4
  private static let pieceByteCountMin = 16
  private static let pieceByteCountMax = 1_024
  /// Terms of a document that are added at a time.
  private static let groupCount = 32
  /// More than what the pieces for so many postings take, the longest runs of positions included.
  private static let roomByteCount = groupCount * 2_048

  /// Forgets all postings and keeps the room.
  mutating func removeAll() {
    lists.removeAll(keepingCapacity: true)
    usedByteCount = 0
    longRuns.removeAll()
  }

  /// Adds a document behind those before it, whose terms have numbers below `termCount`.
  /// - Complexity: O(bytes of its postings).
  mutating func add(_ number: UInt32, _ document: AnalysedDocument, termCount: Int) {
    if lists.count < termCount {
      lists.append(contentsOf: repeatElement(List(), count: termCount - lists.count))
    }
    let count = document.terms.count
    var start = 0
    for first in stride(from: 0, to: count, by: Self.groupCount) {
      add(first..<min(first + Self.groupCount, count), of: document, number, &start)
    }
  }

  /// Adds the terms at a few places of a document.
  private mutating func add(
    _ places: Range<Int>, of document: AnalysedDocument, _ number: UInt32, _ start: inout Int
  ) {
    // All lists are asked for before the first one is needed: they stand farther than the caches
    // reach.
    sought.removeAll(keepingCapacity: true)
    for place in places { sought.append(lists[Int(document.terms[place].term)]) }
    var pieces: [UInt8] = []
    swap(&pieces, &bytes)
    if pieces.count - usedByteCount < Self.roomByteCount {
      pieces.append(contentsOf: repeatElement(0, count: max(pieces.count, Self.roomByteCount)))
    }
    var out = pieces.mutableSpan
    for place in places {
      let entry = document.terms[place]
      let run = start..<Int(entry.positionEnd)
      start = run.upperBound
      var list = sought[place - places.lowerBound]
      // Numbered from the one before the first.
      let posting = Posting(document: number + 1, impact: entry.impact)
      let head = posting.head(after: list.lastDocument)
      Self.putVarint(head, &list, &out, &usedByteCount)
      Self.put(posting.codeByte, &list, &out, &usedByteCount)
      if run.count <= PositionCode.inlineByteCountMax {
        for at in run { Self.put(document.positions[at], &list, &out, &usedByteCount) }
      } else {
        let head = PositionCode.longHead(byteCount: run.count)
        Self.putVarint(head, &list, &out, &usedByteCount)
        keepLong(entry.term, number, document.positions[run])
      }
      list.count += 1
      list.lastDocument = posting.document
      lists[Int(entry.term)] = list
    }
    swap(&pieces, &bytes)
  }

  @inline(never) private mutating func keepLong(
    _ term: UInt32, _ document: UInt32, _ run: ArraySlice<UInt8>
  ) { longRuns[term, default: []].append((document, Array(run))) }

  @inline(__always) private static func putVarint(
    _ value: UInt64, _ list: inout List, _ out: inout MutableSpan<UInt8>, _ used: inout Int
  ) {
    var rest = value
    while rest >= 0x80 {
      put(UInt8(truncatingIfNeeded: rest) | 0x80, &list, &out, &used)
      rest >>= 7
    }
    put(UInt8(truncatingIfNeeded: rest), &list, &out, &used)
  }

  @inline(__always) private static func put(
    _ byte: UInt8, _ list: inout List, _ out: inout MutableSpan<UInt8>, _ used: inout Int
  ) {
    if list.next == list.end { beginPiece(&list, &out, &used) }
    out[Int(list.next)] = byte
    list.next &+= 1
    list.byteCount &+= 1
  }

  private static func beginPiece(
    _ list: inout List, _ out: inout MutableSpan<UInt8>, _ used: inout Int
  ) {
    let start = UInt32(truncatingIfNeeded: used)
    if list.byteCount == 0 {
      list.head = start
    } else {
      for place in 0..<linkByteCount {
        out[Int(list.end) + place] = UInt8(truncatingIfNeeded: start >> UInt32(8 * place))
      }
    }
    used += pieceByteCount(after: Int(list.byteCount))
    list.next = start
    list.end = UInt32(truncatingIfNeeded: used - linkByteCount)
  }

  /// How long the piece is that a list gets which has so many bytes: about as long.
  @inline(__always) private static func pieceByteCount(after byteCount: Int) -> Int {
    guard byteCount > pieceByteCountMin else { return pieceByteCountMin }
    guard byteCount < pieceByteCountMax else { return pieceByteCountMax }
    return 1 << (Int.bitWidth - (byteCount - 1).leadingZeroBitCount)
  }

  /// In how many documents a term stands.
  func count(_ term: Int) -> Int { term < lists.count ? Int(lists[term].count) : 0 }

  /// Adds the postings of a term to `bytes`, each with its run of positions.
  func copy(_ term: Int, to bytes: inout ByteWriter) {
    let list = lists[term]
    var rest = Int(list.byteCount)
    var done = 0
    var place = Int(list.head)
    let pieces = self.bytes.rawSpan
    while rest > 0 {
      let room = Self.pieceByteCount(after: done) - Self.linkByteCount
      let taken = min(rest, room)
      bytes.append(pieces.extracting(place..<place + taken))
      rest -= taken
      done += taken
      if rest > 0 { place = Int(pieces.loadLittleEndian32(at: place + room)) }
    }
  }
}
