import HashTree
import TestSupport
import Testing

@Suite struct `The frontier` {
  @Test(arguments: [UInt64(1), 2, 3])
  func `after every append the root and the nodes are those of the recursive model`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    var tree = StoredTree()
    for size in 1...100 {
      tree.append(random.hash())
      #expect(tree.frontier.size == UInt64(size))
      #expect(tree.frontier.root == TreeModel.root(tree.leaves[...]))
    }
    for (place, hash) in tree.nodes {
      let width = 1 << place.level
      let start = Int(place.index) * width
      #expect(hash == TreeModel.root(tree.leaves[start..<start + width]))
    }
    // A tree of n leaves has n less popcount(n) complete interior nodes.
    #expect(tree.nodes.count == 100 + 100 - 100.nonzeroBitCount)
  }

  @Test func `a frontier rebuilt from stored nodes is the one that grew`() throws {
    var random = SeededGenerator(seed: 9)
    var tree = StoredTree()
    for _ in 0..<130 {
      #expect(try Frontier(size: tree.frontier.size, node: tree.node) == tree.frontier)
      tree.append(random.hash())
    }
  }

  @Test func `an encoded frontier reads back and goes on growing`() throws {
    var random = SeededGenerator(seed: 4)
    var frontier = Frontier()
    for _ in 0..<70 {
      var copy = try #require(Frontier(encoded: frontier.encoded))
      #expect(copy == frontier)
      let leaf = random.hash()
      copy.append(leaf)
      frontier.append(leaf)
      #expect(copy.root == frontier.root)
    }
  }

  @Test func `bytes whose length does not fit their size are no frontier`() {
    var frontier = Frontier()
    for byte in UInt8(0)..<11 { frontier.append(HashTree.leaf([byte])) }
    let encoded = frontier.encoded
    for count in 0..<encoded.count {
      #expect(Frontier(encoded: Array(encoded.prefix(count))) == nil)
    }
    #expect(Frontier(encoded: encoded + [0]) == nil)
    #expect(Frontier(encoded: []) == nil)
  }

  @Test func `an append that the store refuses leaves the frontier as it was`() {
    struct Full: Error {}
    var frontier = Frontier()
    for byte in UInt8(0)..<7 { frontier.append(HashTree.leaf([byte])) }
    let before = frontier
    var calls = 0
    #expect(throws: Full.self) {
      try frontier.append(HashTree.leaf([7])) { (_, _, _) throws(Full) in
        calls += 1
        if calls == 2 { throw Full() }
      }
    }
    #expect(frontier == before)
  }
}
