import LMDB
import TestSupport
import Testing

@testable import TextIndex

@Suite("Merged documents stand in blocks") struct DocumentBlockTests {
  private static func tokens(_ random: inout SeededGenerator) -> DocumentTokens {
    var document = DocumentTokens()
    var start: UInt32 = 0
    for _ in 0..<([0, 1, 1, 1, 2, 5].randomElement(using: &random) ?? 0) {
      let length = UInt32.random(in: 1...40, using: &random)
      document.titles.append(DocumentTokens.Title(start: start, length: length))
      document.lengths[0] += length
      for position in start..<start + length where Int.random(in: 0..<4, using: &random) > 0 {
        for _ in 0..<Int.random(in: 1...2, using: &random) {
          let term = UInt32.random(
            in: 0..<1 << UInt32.random(in: 1...31, using: &random), using: &random)
          document.tokens.append(DocumentTokens.Token(term: term, position: position, kind: 0))
        }
      }
      start += length + IndexLimits.valueGap
    }
    for kind in 1..<4 where Bool.random(using: &random) {
      document.lengths[kind] = UInt32.random(in: 1...100_000, using: &random)
      guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
      document.weights.append(
        FieldWeight(
          kind: UInt8(kind), start: 101, weight: Float.random(in: 0.1...9, using: &random)))
    }
    return document
  }

  private struct Stored: Equatable {
    var document: UInt32
    var from: UInt64
    var tokens: [DocumentTokens.Token]
    var titles: [DocumentTokens.Title]
    var lengths: SIMD4<UInt32>
    var weights: [FieldWeight]

    init(_ document: UInt32, _ from: UInt64, _ tokens: DocumentTokens) {
      self.document = document
      self.from = from
      self.tokens = tokens.tokens
      titles = tokens.titles
      lengths = tokens.lengths
      weights = tokens.weights
    }
  }

  private static func read(_ bytes: [UInt8], last: UInt32) throws(CairnError) -> [Stored] {
    var found: [Stored] = []
    var tokens = DocumentTokens()
    try DocumentBlock.visit(bytes.rawSpan, through: last) {
      (document, from, record) throws(CairnError) in
      try DocumentRecord.readMerged(record, into: &tokens)
      found.append(Stored(document, from, tokens))
      return true
    }
    return found
  }

  @Test(arguments: 0..<60)
  func `a block gives back its documents, and damaged refuses or gives others`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var builder = DocumentBlock.Builder()
    let before = UInt32.random(in: 0..<4_000_000_000, using: &random)
    builder.begin(after: before)
    var expected: [Stored] = []
    var from = UInt64.random(in: 0..<1 << 40, using: &random)
    var record = ByteWriter()
    while true {
      let tokens = Self.tokens(&random)
      record.removeAll()
      DocumentRecord.writeMerged(tokens, names: [], to: &record)
      guard builder.hasRoom(for: record.count) else { break }
      try builder.append(from: from, record.bytes)
      expected.append(Stored(builder.last, from, tokens))
      from += UInt64.random(in: 0...3, using: &random)
    }
    var row = ByteWriter()
    builder.write(to: &row)
    #expect(try Self.read(row.array(), last: builder.last) == expected)
    #expect(expected.first?.document == before + 1)
    #expect(row.count <= DocumentBlock.byteCountMax || expected.count == 1)
    #expect(throws: CairnError.self) { try builder.append(from: 0, record.bytes) }

    var again = DocumentBlock.Builder()
    try again.resume(row.bytes, last: builder.last)
    var same = ByteWriter()
    again.write(to: &same)
    #expect(same.array() == row.array())

    for _ in 0..<40 {
      var bytes = row.array()
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(
        in: 1...255, using: &random)
      if Bool.random(using: &random) {
        bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
      }
      do throws(CairnError) { _ = try Self.read(bytes, last: builder.last) } catch {
        #expect(error.code == .corrupt, "seed \(seed)")
      }
    }
    #expect(throws: CairnError.self) {
      try Self.read(row.array(), last: UInt32(expected.count) - 1)
    }
  }

  /// Few and many at a time, with titles longer than a row between them.
  @Test(arguments: [1, 7, 300]) func `merges go on with the last block`(step: Int) throws {
    var fixture = try Fixture()
    let long = (0..<900).map { "word\($0)" }.joined(separator: " ")
    for start in stride(from: 0, to: 600, by: step) {
      try fixture.apply(
        (start..<start + step).map { number in
          let title = number % 97 == 50 ? long : "Title \(number) common"
          return (UInt32(number), [(.title, title), (.text, "text of \(number)")])
        })
      try fixture.merge()
    }
    #expect(try fixture.recomputedDigest() == fixture.digest())
    let index = fixture.index
    let rows = try fixture.environment.read { (txn) throws(CairnError) in
      try txn.count(index.tables.documents)
    }
    #expect(rows < 120, "as many documents stand in a row as fit")
    for number in [0, 49, 50, 51, 299, 598] {
      let found = try fixture.items("title \(number) common")
      #expect(number % 97 == 50 || found.first == UInt32(number))
      // Before its sequence a text is not, from it on it is.
      for asOf in [UInt64(number), UInt64(number) + 1] {
        let past = try fixture.items("text \(number)") {
          $0.asOf = asOf
          $0.exact = true
        }
        #expect(past.contains(UInt32(number)) == (asOf > number), "\(number) as of \(asOf)")
      }
    }
  }
}
