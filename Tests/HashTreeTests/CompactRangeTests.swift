import HashTree
import TestSupport
import Testing

@Suite struct `The compact range` {
  @Test(arguments: [UInt64(1), 2, 3])
  func `after every append the root and the nodes are those of the recursive model`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    var tree = StoredTree()
    for size in 1...100 {
      tree.append(random.hash())
      #expect(tree.compactRange.size == UInt64(size))
      #expect(tree.compactRange.root == TreeModel.root(tree.leaves[...]))
    }
    for (place, hash) in tree.nodes {
      let width = 1 << place.level
      let start = Int(place.index) * width
      #expect(hash == TreeModel.root(tree.leaves[start..<start + width]))
    }
    // A tree of n leaves has n less popcount(n) complete interior nodes.
    #expect(tree.nodes.count == 100 + 100 - 100.nonzeroBitCount)
  }

  @Test func `a compact range rebuilt from stored nodes is the one that grew`() throws {
    var random = SeededGenerator(seed: 9)
    var tree = StoredTree()
    for _ in 0..<130 {
      #expect(try CompactRange(size: tree.compactRange.size, node: tree.node) == tree.compactRange)
      tree.append(random.hash())
    }
  }

  @Test func `an encoded compact range reads back and goes on growing`() throws {
    var random = SeededGenerator(seed: 4)
    var compactRange = CompactRange()
    for _ in 0..<70 {
      var copy = try #require(CompactRange(encoded: compactRange.encoded))
      #expect(copy == compactRange)
      let leaf = random.hash()
      copy.append(leaf)
      compactRange.append(leaf)
      #expect(copy.root == compactRange.root)
    }
  }

  @Test func `bytes whose length does not fit their size are no compact range`() {
    var compactRange = CompactRange()
    for byte in UInt8(0)..<11 { compactRange.append(HashTree.leaf([byte])) }
    let encoded = compactRange.encoded
    for count in 0..<encoded.count {
      #expect(CompactRange(encoded: Array(encoded.prefix(count))) == nil)
    }
    #expect(CompactRange(encoded: encoded + [0]) == nil)
    #expect(CompactRange(encoded: []) == nil)
  }

  @Test func `an append that the store refuses leaves the compact range as it was`() {
    struct Full: Error {}
    var compactRange = CompactRange()
    for byte in UInt8(0)..<7 { compactRange.append(HashTree.leaf([byte])) }
    let before = compactRange
    var calls = 0
    #expect(throws: Full.self) {
      try compactRange.append(HashTree.leaf([7])) { (_, _, _) throws(Full) in
        calls += 1
        if calls == 2 { throw Full() }
      }
    }
    #expect(compactRange == before)
  }
}
