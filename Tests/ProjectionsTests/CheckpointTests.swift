import LMDB
import Projections
import TestSupport
import Testing

/// The checkpoint's row.
@Suite struct CheckpointTests {
  private func made(_ random: inout SeededGenerator) -> Checkpoint {
    var checkpoint = Checkpoint()
    checkpoint.applied = random.next()
    checkpoint.definition = RowDigest(low: random.next(), high: random.next())
    checkpoint.itemCount = UInt32.random(in: 0 ... .max, using: &random)
    checkpoint.domainCount = UInt32.random(in: 0 ... .max, using: &random)
    checkpoint.presentCount = UInt32.random(in: 0 ... .max, using: &random)
    checkpoint.hasExpiry = Bool.random(using: &random)
    checkpoint.hasTieBreaks = Bool.random(using: &random)
    checkpoint.greatestUse = Double.random(in: 0...1e9, using: &random)
    checkpoint.latestUseMicroseconds = Int64.random(in: .min ... .max, using: &random)
    if Bool.random(using: &random) {
      let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
      checkpoint.log = Hash32(bytes: bytes).map { .init(root: $0, erasure: random.next()) }
    }
    for number in 0..<Int.random(in: 0...6, using: &random) {
      let digest = RowDigest(low: random.next(), high: random.next())
      checkpoint[ProjectionName(String(repeating: "p", count: number) + "x")] = digest
    }
    return checkpoint
  }

  @Test func `comes back as it was written`() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let checkpoint = made(&random)
      let read = try Checkpoint(decoding: checkpoint.encoded())
      #expect(read == checkpoint)
      #expect(read.log == checkpoint.log && read.applied == checkpoint.applied)
      #expect(read.hasTieBreaks == checkpoint.hasTieBreaks)
      #expect(read.hasExpiry == checkpoint.hasExpiry)
    }
  }

  @Test func `keeps a digest for each name, whatever the order they came in`() {
    let names = ["timeline", "catalog", "text", "ranking"].map(ProjectionName.init)
    var (one, other) = (Checkpoint(), Checkpoint())
    for (number, name) in names.enumerated() {
      one[name] = RowDigest(low: UInt64(number), high: 1)
    }
    for (number, name) in names.enumerated().reversed() {
      other[name] = RowDigest(low: UInt64(number), high: 1)
    }
    #expect(one == other && one[names[2]] == RowDigest(low: 2, high: 1))
    #expect(one[ProjectionName("unknown")] == RowDigest())
  }

  @Test func `any row that is cut or longer is damage, and none traps`() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<20 {
      let row = made(&random).encoded()
      for count in row.indices {
        #expect(throws: CairnError.self) { try Checkpoint(decoding: Array(row.prefix(count))) }
      }
      #expect(throws: CairnError.self) { try Checkpoint(decoding: row + [0]) }
    }
    for _ in 0..<2_000 {
      var row = made(&random).encoded()
      row[Int.random(in: row.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      _ = try? Checkpoint(decoding: row)
    }
  }

  @Test func `a row of another format is refused, whatever follows`() {
    var random = SeededGenerator(seed: 3)
    var row = made(&random).encoded()
    for format in UInt8.min...UInt8.max where format != Checkpoint.formatVersion {
      row[0] = format
      #expect(throws: CairnError.self) { try Checkpoint(decoding: row) }
    }
  }
}
