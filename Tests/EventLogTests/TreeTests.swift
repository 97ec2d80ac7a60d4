import EventLog
import Events
import HashTree
import TestSupport
import Testing

@Suite struct TreeTests {
  private static func leaves(_ log: EventLog) throws -> [Hash32] {
    try (1...log.head().sequence).map { HashTree.leaf(try #require(try log.leaf(at: $0))) }
  }

  @Test func `the root at every size is that of the first leaves`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    #expect(try log.root(at: 0) == HashTree.emptyRoot)
    var generator = SeededGenerator(seed: 5)
    var size = 0
    while size < 600 {
      let count = Int.random(in: 1...90, using: &generator)
      _ = try log.append((0..<count).map { try .view("\(size + $0)") })
      size += count
    }
    var compactRange = CompactRange()
    for (index, leaf) in try Self.leaves(log).enumerated() {
      compactRange.append(leaf)
      let root = try log.root(at: UInt64(index + 1))
      #expect(root == compactRange.root)
      #expect(leaf == HashTree.leaf(try #require(try log.leaf(at: UInt64(index + 1)))))
    }
    #expect(try log.head().root == compactRange.root)
    expectError(.badArgument) { try log.root(at: UInt64(size + 1)) }
  }

  @Test func `proofs verify against the roots they name`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    _ = try log.append((0..<700).map { try .view("\($0)") })
    let leaves = try Self.leaves(log)
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<300 {
      let size = UInt64.random(in: 1...700, using: &generator)
      let sequence = UInt64.random(in: 1...size, using: &generator)
      let root = try log.root(at: size)
      let proof = try log.inclusionProof(of: sequence, size: size)
      #expect(proof.verify(leaf: leaves[Int(sequence) - 1], root: root))
      let old = UInt64.random(in: 1...size, using: &generator)
      let consistency = try log.consistencyProof(from: old, to: size)
      #expect(consistency.verify(oldRoot: try log.root(at: old), newRoot: root))
    }
    for (sequence, size) in [(0, 700), (701, 701), (5, 4)] as [(UInt64, UInt64)] {
      expectError(.badArgument) {
        try log.inclusionProof(of: sequence, size: size)
      }
    }
    expectError(.badArgument) { try log.consistencyProof(from: 0, to: 5) }
    expectError(.badArgument) { try log.consistencyProof(from: 5, to: 701) }
  }
}
