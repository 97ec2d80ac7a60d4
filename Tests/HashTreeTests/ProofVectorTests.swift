import HashTree
import Testing

/// The JSON vectors of transparency-dev/merkle.
@Suite(.enabled(if: MerkleVectors.isPresent, "../shared/data is absent"))
struct `Published proof vectors` {
  struct Inclusion: Decodable {
    var leafIdx: UInt64
    var treeSize: UInt64?
    var start: UInt64?
    var end: UInt64?
    var root: String
    var leafHash: String
    var proof: [String]?
    var wantErr: Bool
  }

  struct Consistency: Decodable {
    var size1: UInt64?
    var size2: UInt64?
    var start: UInt64?
    var end: UInt64?
    var size: UInt64?
    var root1: String
    var root2: String
    var proof: [String]?
    var wantErr: Bool
  }

  /// Valid for the vectors' authors, who do not look at how long a root is; we refuse them.
  static let acceptedOnlyWithShortRoots = [
    "testdata/consistency/additional/sizes-are-equal-one-and-proof-is-empty.json",
    "testdata/subtreeconsistency/additional/sizes-are-equal-one-and-proof-is-empty.json",
  ]

  private func hashes(_ texts: [String]?) -> [Hash32]? {
    let hashes = (texts ?? []).compactMap { Hash32(base64: $0) }
    return hashes.count == texts?.count ?? 0 ? hashes : nil
  }

  @Test(arguments: MerkleVectors.vectors("testdata/inclusion"))
  func `an inclusion proof is taken or refused as published`(path: String) throws {
    let vector = try MerkleVectors.decode(Inclusion.self, path)
    var isAccepted = false
    if let leaf = Hash32(base64: vector.leafHash), let root = Hash32(base64: vector.root),
      let proof = hashes(vector.proof)
    {
      isAccepted = InclusionProof(
        leafIndex: vector.leafIdx, treeSize: try #require(vector.treeSize), hashes: proof
      ).verify(leaf: leaf, root: root)
    }
    #expect(isAccepted == !vector.wantErr)
  }

  @Test(arguments: MerkleVectors.vectors("testdata/subtreeinclusion"))
  func `an inclusion proof in a subtree is taken or refused as published`(path: String) throws {
    let vector = try MerkleVectors.decode(Inclusion.self, path)
    let start = try #require(vector.start)
    let end = try #require(vector.end)
    var isAccepted = false
    if let leaf = Hash32(base64: vector.leafHash), let root = Hash32(base64: vector.root),
      let proof = hashes(vector.proof), start <= end
    {
      isAccepted =
        InclusionProof(leafIndex: vector.leafIdx, range: start..<end, hashes: proof)?.verify(
          leaf: leaf, root: root) ?? false
    }
    #expect(isAccepted == !vector.wantErr)
  }

  @Test(arguments: MerkleVectors.vectors("testdata/consistency"))
  func `a consistency proof is taken or refused as published`(path: String) throws {
    let vector = try MerkleVectors.decode(Consistency.self, path)
    var isAccepted = false
    if let old = Hash32(base64: vector.root1), let new = Hash32(base64: vector.root2),
      let proof = hashes(vector.proof)
    {
      isAccepted = ConsistencyProof(
        oldSize: try #require(vector.size1), newSize: try #require(vector.size2), hashes: proof
      ).verify(oldRoot: old, newRoot: new)
    }
    let isShort = Self.acceptedOnlyWithShortRoots.contains(path)
    #expect(isAccepted == (!vector.wantErr && !isShort))
  }

  @Test(arguments: MerkleVectors.vectors("testdata/subtreeconsistency"))
  func `a subtree proof is taken or refused as published`(path: String) throws {
    let vector = try MerkleVectors.decode(Consistency.self, path)
    let start = try #require(vector.start)
    let end = try #require(vector.end)
    var isAccepted = false
    if let small = Hash32(base64: vector.root1), let large = Hash32(base64: vector.root2),
      let proof = hashes(vector.proof), start <= end
    {
      isAccepted = SubtreeProof(
        range: start..<end, treeSize: try #require(vector.size), hashes: proof
      ).verify(subtreeRoot: small, treeRoot: large)
    }
    let isShort = Self.acceptedOnlyWithShortRoots.contains(path)
    #expect(isAccepted == (!vector.wantErr && !isShort))
  }

  @Test func `all published vectors are there`() {
    let folders = ["inclusion", "subtreeinclusion", "consistency", "subtreeconsistency"]
    #expect(folders.map { MerkleVectors.vectors("testdata/\($0)").count } == [45, 103, 50, 53])
  }
}
