package import HashTree
public import Values

/// What a log says about itself at one moment, signed: who it is, how long it is, and its root.
public struct SignedCheckpoint: Sendable, Hashable {
  /// The log's name for itself, which is also the name of its key.
  public var origin: String
  /// How many events the tree has.
  public var size: UInt64
  /// Root of the hash tree.
  public var rootHash: Hash32
  /// The signed note (C2SP tlog-checkpoint), as it is published.
  public var text: String

  package init(_ note: SignedNote) throws(CairnError) {
    let checkpoint = try Checkpoint(text: note.text)
    origin = checkpoint.origin
    size = checkpoint.size
    rootHash = checkpoint.root
    text = note.encoded
  }
}

/// A checkpoint that a store remembers to have signed.
public struct IssuedCheckpoint: Sendable, Hashable {
  /// How many events the tree had.
  public var size: UInt64
  /// Its root.
  public var rootHash: Hash32
  /// When it was first signed.
  public var time: Timestamp

  package init(size: UInt64, rootHash: Hash32, time: Timestamp) {
    (self.size, self.rootHash, self.time) = (size, rootHash, time)
  }
}

/// Shows that an event is in a tree: its leaf, and the hashes beside the way up to the root.
///
/// Source: RFC 6962 §2.1.1. The leaf is the event's header: sequence and salted
/// commitment. It stays when the event is erased.
public struct InclusionEvidence: Sendable, Hashable {
  /// The exact bytes that are hashed.
  public var leaf: [UInt8]
  /// SHA-256(0x00 ‖ leaf).
  public var leafHash: Hash32
  /// The event's sequence less one.
  public var leafIndex: UInt64
  /// How many events the tree has.
  public var treeSize: UInt64
  /// The tree's root.
  public var rootHash: Hash32
  /// The hashes beside the way, leaf side first.
  public var hashes: [Hash32]

  package init(
    leaf: [UInt8], leafHash: Hash32, leafIndex: UInt64, treeSize: UInt64, rootHash: Hash32,
    hashes: [Hash32]
  ) {
    (self.leaf, self.leafHash, self.leafIndex) = (leaf, leafHash, leafIndex)
    (self.treeSize, self.rootHash, self.hashes) = (treeSize, rootHash, hashes)
  }

  /// Whether the leaf's bytes and the hashes lead to the root.
  /// - Complexity: one hash for each hash of the proof.
  public var holds: Bool {
    HashTree.leaf(leaf) == leafHash
      && InclusionProof(leafIndex: leafIndex, treeSize: treeSize, hashes: hashes).verify(
        leaf: leafHash, root: rootHash)
  }
}

/// Shows that a tree grew out of an older one by appending alone.
///
/// Source: RFC 6962 §2.1.2.
public struct ConsistencyEvidence: Sendable, Hashable {
  /// How many events the older tree had.
  public var oldSize: UInt64
  /// How many events the newer tree has.
  public var newSize: UInt64
  /// The older root.
  public var oldRoot: Hash32
  /// The newer root.
  public var newRoot: Hash32
  /// The hashes, narrowest subtree first.
  public var hashes: [Hash32]

  package init(
    oldSize: UInt64, newSize: UInt64, oldRoot: Hash32, newRoot: Hash32, hashes: [Hash32]
  ) {
    (self.oldSize, self.newSize) = (oldSize, newSize)
    (self.oldRoot, self.newRoot, self.hashes) = (oldRoot, newRoot, hashes)
  }

  /// Whether the hashes lead to both roots.
  /// - Complexity: two hashes for each hash of the proof.
  public var holds: Bool {
    ConsistencyProof(oldSize: oldSize, newSize: newSize, hashes: hashes).verify(
      oldRoot: oldRoot, newRoot: newRoot)
  }
}
