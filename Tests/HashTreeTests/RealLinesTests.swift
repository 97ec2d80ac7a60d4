import Foundation
import HashTree
import TestSupport
import Testing

/// 24,149 real lines, with the roots and the proofs of three other implementations.
@Suite(.enabled(if: MerkleVectors.isPresent, "../shared/data is absent"))
struct `A tree over real lines` {
  struct Oracle: Decodable {
    struct Inclusion: Decodable {
      var index: Int
      var size: Int
      var proof: [String]
    }
    struct Consistency: Decodable {
      var size1: Int
      var size2: Int
      var proof: [String]
    }
    var count: Int
    var roots: [String: String]
    var inclusion: [Inclusion]
    var consistency: [Consistency]
  }

  @Test func `roots and proofs equal those of other implementations`() throws {
    let oracle = try MerkleVectors.decode(Oracle.self, "tldr-first9000-lines.json")
    let text = try SharedData.data("git-streams/tldr-first9000.events.jsonl.zst")
    let lines = text.split(separator: 0x0A).map { [UInt8]($0) }
    try #require(lines.count == oracle.count)
    var tree = StoredTree()
    var roots = [0: hex(tree.compactRange.root)]
    for line in lines {
      tree.append(HashTree.leaf(line))
      roots[tree.leaves.count] =
        oracle.roots[String(tree.leaves.count)] == nil ? nil : hex(tree.compactRange.root)
    }
    for (size, root) in oracle.roots { #expect(roots[Int(size) ?? -1] == root) }
    for entry in oracle.inclusion {
      let proof = try InclusionProof(
        leafIndex: UInt64(entry.index), treeSize: UInt64(entry.size), node: tree.node)
      #expect(proof?.hashes.map(hex) == entry.proof)
      let root = try HashTree.root(of: 0..<UInt64(entry.size), node: tree.node)
      #expect(proof?.verify(leaf: tree.leaves[entry.index], root: root) == true)
    }
    for entry in oracle.consistency {
      let proof = try ConsistencyProof(
        oldSize: UInt64(entry.size1), newSize: UInt64(entry.size2), node: tree.node)
      #expect(proof?.hashes.map(hex) == entry.proof)
      let old = try HashTree.root(of: 0..<UInt64(entry.size1), node: tree.node)
      let new = try HashTree.root(of: 0..<UInt64(entry.size2), node: tree.node)
      #expect(proof?.verify(oldRoot: old, newRoot: new) == true)
    }
    #expect(oracle.inclusion.count > 10 && oracle.consistency.count > 10)
  }
}
