import HashTree
import Testing

/// The JSON vectors of transparency-dev/merkle.
@Suite(.enabled(if: MerkleVectors.isPresent, "../shared/data is absent"))
struct `Published proof vectors` {
  struct Inclusion: Decodable {
    var leafIdx: UInt64
    var treeSize: UInt64
    var root: String
    var leafHash: String
    var proof: [String]?
    var wantErr: Bool
  }

  struct Consistency: Decodable {
    var size1: UInt64
    var size2: UInt64
    var root1: String
    var root2: String
    var proof: [String]?
    var wantErr: Bool
  }

  /// Valid for the vectors' authors, who do not look at how long a root is; we refuse them.
  static let acceptedOnlyWithShortRoot =
    "testdata/consistency/additional/sizes-are-equal-one-and-proof-is-empty.json"

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
        leafIndex: vector.leafIdx, treeSize: vector.treeSize, hashes: proof
      ).verify(leaf: leaf, root: root)
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
        oldSize: vector.size1, newSize: vector.size2, hashes: proof
      ).verify(oldRoot: old, newRoot: new)
    }
    let isShort = path == Self.acceptedOnlyWithShortRoot
    #expect(isAccepted == (!vector.wantErr && !isShort))
  }

  @Test func `all published vectors are there`() {
    let folders = ["inclusion", "consistency"]
    #expect(folders.map { MerkleVectors.vectors("testdata/\($0)").count } == [45, 50])
  }
}
