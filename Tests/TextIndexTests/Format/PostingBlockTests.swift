import LMDB
import TestSupport
import Testing

@testable import TextIndex

@Suite("Postings stand in as few bits as the greatest takes") struct PostingBlockTests {
  private static func postings(
    _ count: Int, gap: UInt32, codes: ClosedRange<Int>, places: ClosedRange<UInt8>,
    _ random: inout SeededGenerator
  ) -> [Posting] {
    var document: UInt32 = UInt32.random(in: 0...9, using: &random)
    return (0..<count).map { _ in
      document += UInt32.random(in: 1...gap, using: &random)
      return Posting(
        document: document,
        impact: Impact(
          code: Int.random(in: codes, using: &random),
          place: UInt8.random(in: places, using: &random)))
    }
  }

  private static func read(_ bytes: [UInt8]) throws(CairnError) -> [Posting] {
    var reader = PostingChunk.Reader()
    try reader.load(bytes.rawSpan)
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    var found: [Posting] = []
    for block in 0..<reader.blockCount {
      try reader.decode(block, documents: &documents, impacts: &impacts)
      let bound = reader.bound(block)
      let runs = try reader.positions(of: block)
      var end = runs.lowerBound
      try PositionCode.skip(documents.count, reader.bytes.rawSpan, &end, end: runs.upperBound)
      guard end == runs.upperBound else { throw IndexDamage.postings }
      #expect(bound.lastDocument == documents.last)
      for (document, impact) in zip(documents, impacts) {
        let place = UInt8(impact & 3)
        #expect(bound.units[Int(place)] >= impact >> 2)
        found.append(Posting(document: document, impact: Impact(units: impact >> 2, place: place)))
      }
    }
    return found
  }

  /// What a block and the row have no room for is refused whole, and changes nothing.
  @Test(arguments: 0..<48) func `several at once make the row that one by one makes`(seed: Int)
    throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    let postings = Self.postings(
      2_000, gap: [1, 2, 100, 1_000_000][seed % 4],
      codes: [0...255, -191...479, 60...130][seed / 4 % 3], places: [0...0, 0...3][seed / 12 % 2],
      &random)
    let documents = postings.map { $0.document }
    let impacts = postings.map { $0.impact.units << 2 | UInt32($0.impact.place) }
    let run = [UInt8](repeating: 5, count: seed / 24) + [4]
    var single = PostingChunk.Builder()
    single.begin(after: 0)
    var several = PostingChunk.Builder()
    several.begin(after: 0)
    var row = ByteWriter()
    var count = 0
    var isFull = false
    while !isFull {
      let size = min(several.openRoom, Int.random(in: 1...60, using: &random))
      let range = count..<count + size
      let runs = Array(repeatElement(run, count: size).joined())
      if several.append(documents, impacts, range, runs.rawSpan) {
        for posting in postings[range] {
          let hasRoom = single.hasRoom(for: posting, positionByteCount: run.count)
          #expect(hasRoom)
          single.append(posting, run.rawSpan)
        }
        count += size
      } else {
        isFull = true
      }
      // The row is full, or the next block begins, with one alone.
      guard several.hasRoom(for: postings[count], positionByteCount: run.count) else { break }
      several.append(postings[count], run.rawSpan)
      single.append(postings[count], run.rawSpan)
      count += 1
    }
    single.write(to: &row)
    let bytes = row.array()
    several.write(to: &row)
    #expect(row.array() == bytes && bytes.count <= IndexLimits.rowByteCount)
    #expect(try Self.read(bytes) == Array(postings[..<count]))
  }

  /// Gaps of no bits and of thirty, codes all alike and all different, with and without titles;
  /// chunks gone on with after every posting, and written in one piece.
  @Test(arguments: 0..<192) func `chunks give back their postings`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let postings = Self.postings(
      [1, 2, 40, 127, 128, 129, 256, 300][seed % 8], gap: [1, 2, 100, 12_000_000][seed / 8 % 4],
      codes: [0...255, 100...100, 60...130, -191...479, -191...(-100), 250...260][seed / 32 % 6],
      places: [0...0, 0...1, 0...3, 2...2][seed % 4], &random)
    var whole = PostingChunk.Builder()
    whole.begin(after: 0)
    var pieces = PostingChunk.Builder()
    pieces.begin(after: 0)
    var row = ByteWriter()
    var count = 0
    let run: [UInt8] = [4]
    for posting in postings {
      guard whole.hasRoom(for: posting, positionByteCount: run.count) else { break }
      whole.append(posting, run.rawSpan)
      pieces.append(posting, run.rawSpan)
      count += 1
      pieces.write(to: &row)
      #expect(row.count <= IndexLimits.rowByteCount)
      let bytes = row.array()
      pieces = PostingChunk.Builder()
      try pieces.resume(bytes.rawSpan)
      #expect(pieces.postingCount == count && pieces.lastDocument == posting.document)
    }
    whole.write(to: &row)
    #expect(try Self.read(row.array()) == Array(postings[..<count]))
    let bytes = row.array()
    pieces.write(to: &row)
    #expect(row.array() == bytes)
    for length in 0..<bytes.count {
      #expect(throws: CairnError.self) { try Self.read(Array(bytes[..<length])) }
    }
  }

  /// A posting that fits makes no row longer than asked for, one that does not would.
  @Test(arguments: 0..<40) func `room is told to some bytes`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let gap: UInt32 = [2, 700, 90_000][seed % 3]
    let postings = Self.postings(3_000, gap: gap, codes: 40...160, places: 0...2, &random)
    let most = Int.random(in: 300...2_000, using: &random)
    var builder = PostingChunk.Builder()
    builder.begin(after: 0)
    var row = ByteWriter()
    let run: [UInt8] = [4]
    for posting in postings {
      guard builder.hasRoom(for: posting, positionByteCount: 1, rowByteCount: most) else {
        builder.write(to: &row)
        #expect(row.count <= most)
        builder.append(posting, run.rawSpan)
        builder.write(to: &row)
        #expect(row.count > most - 40)
        return
      }
      builder.append(posting, run.rawSpan)
    }
  }
}
