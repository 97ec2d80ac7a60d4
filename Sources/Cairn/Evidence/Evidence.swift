public import Events
import HashTree

/// What a log says about itself at one moment, signed: who it is, how long it is, and its root.
public struct SignedCheckpoint: Sendable, Hashable {
  /// The log's name for itself, which is also the name of its key.
  public var origin: String
  /// How many events the tree has.
  public var size: UInt64
  /// Root of the hash tree, 32 bytes.
  public var rootHash: [UInt8]
  /// The signed note (C2SP tlog-checkpoint), as it is published.
  public var text: String

  init(_ note: SignedNote) throws(NoteError) {
    let checkpoint = try Checkpoint(text: note.text)
    origin = checkpoint.origin
    size = checkpoint.size
    rootHash = checkpoint.root.bytes
    text = note.encoded
  }
}

/// A checkpoint that a store remembers to have signed.
public struct IssuedCheckpoint: Sendable, Hashable {
  /// How many events the tree had.
  public var size: UInt64
  /// Its root, 32 bytes.
  public var rootHash: [UInt8]
  /// When it was first signed.
  public var time: Timestamp
}

/// Shows that an event is in a tree: its leaf, and the hashes beside the way up to the root.
///
/// Source: RFC 6962 §2.1.1. The leaf is the event's header: sequence and salted
/// commitment. It stays when the event is erased.
public struct InclusionEvidence: Sendable, Hashable {
  /// The exact bytes that are hashed.
  public var leaf: [UInt8]
  /// SHA-256(0x00 ‖ leaf), 32 bytes.
  public var leafHash: [UInt8]
  /// The event's sequence less one.
  public var leafIndex: UInt64
  /// How many events the tree has.
  public var treeSize: UInt64
  /// The tree's root, 32 bytes.
  public var rootHash: [UInt8]
  /// The hashes beside the way, leaf side first, 32 bytes each.
  public var hashes: [[UInt8]]

  /// Whether the leaf's bytes and the hashes lead to the root.
  ///
  /// - Complexity: one hash for each hash of the proof.
  public var holds: Bool {
    let path = hashes.compactMap { Hash32(bytes: $0) }
    let hash = HashTree.leaf(leaf)
    guard let root = Hash32(bytes: rootHash), path.count == hashes.count, hash.bytes == leafHash
    else { return false }
    return InclusionProof(leafIndex: leafIndex, treeSize: treeSize, hashes: path).verify(
      leaf: hash, root: root)
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
  /// The older root, 32 bytes.
  public var oldRoot: [UInt8]
  /// The newer root, 32 bytes.
  public var newRoot: [UInt8]
  /// The hashes, narrowest subtree first, 32 bytes each.
  public var hashes: [[UInt8]]

  /// Whether the hashes lead to both roots.
  ///
  /// - Complexity: two hashes for each hash of the proof.
  public var holds: Bool {
    let path = hashes.compactMap { Hash32(bytes: $0) }
    guard let old = Hash32(bytes: oldRoot), let new = Hash32(bytes: newRoot),
      path.count == hashes.count
    else { return false }
    return ConsistencyProof(oldSize: oldSize, newSize: newSize, hashes: path).verify(
      oldRoot: old, newRoot: new)
  }
}
