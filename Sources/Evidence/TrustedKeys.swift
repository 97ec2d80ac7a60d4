import Files
import HashTree
public import Values

/// Whose signatures are believed when evidence is checked without the store it came from.
public struct TrustedKeys: Sendable {
  /// Keys of the log; each name is an origin.
  let logs: [VerifierKey]
  let witnesses: [VerifierKey]
  /// How many different witnesses must have cosigned.
  let quorum: Int

  /// More bytes than any file has that can be checked.
  package static let proofByteCountMax = OfflineProof.byteCountMax

  /// A tree's leaf that a proof file shows.
  public struct ProvenLeaf: Sendable, Hashable {
    /// The exact bytes that are hashed.
    public var leaf: [UInt8]
    /// Its place, counted from 0: the event's sequence less one.
    public var leafIndex: UInt64
    /// The checkpoint whose tree it is in.
    public var checkpoint: SignedCheckpoint
    /// What the event says, where it is a purge and the file shows it.
    public var purge: ProvenPurge?
  }

  /// Trust in these keys.
  /// - Parameters:
  ///   - logs: Verifier keys of the log (C2SP vkey), one of which must have signed.
  ///   - witnesses: Verifier keys of witnesses.
  ///   - quorum: How many of the witnesses must have cosigned.
  /// - Throws: `badArgument` when a text is no key, or the quorum cannot be reached.
  public init(logs: [String], witnesses: [String] = [], quorum: Int = 0) throws(CairnError) {
    self.logs = try logs.map(Self.key)
    self.witnesses = try witnesses.map(Self.key)
    self.quorum = quorum
    guard !logs.isEmpty, (0...witnesses.count).contains(quorum) else {
      throw CairnError(
        .badArgument, "give a key of the log, and as many keys of witnesses as have to have signed")
    }
  }

  private static func key(_ text: String) throws(CairnError) -> VerifierKey {
    try VerifierKey(text)
  }

  /// Checks a signed checkpoint.
  /// - Parameter bytes: The signed note.
  /// - Returns: What it says.
  /// - Throws: `malformed`, or `notVerified` with what is wrong.
  /// - Complexity: one Ed25519 verification for each known signature.
  public func checkpoint(_ bytes: [UInt8]) throws(CairnError) -> SignedCheckpoint {
    try checkpoint(SignedNote(encoded: bytes))
  }

  private func checkpoint(_ note: SignedNote) throws(CairnError) -> SignedCheckpoint {
    let signatures = try note.verified(by: logs + witnesses)
    let checkpoint = try SignedCheckpoint(note)
    let signers = signatures.filter { logs.contains($0.key) }
    guard signers.contains(where: { $0.key.name == checkpoint.origin }) else {
      throw CairnError(.notVerified, "no known key of the log has signed the checkpoint")
    }
    guard checkpoint.size > 0 || checkpoint.rootHash == HashTree.emptyRoot else {
      throw CairnError(.notVerified, "the root is not that of a tree without events")
    }
    // One witness key stands under one name only: the name is no part of what it signs.
    let seen = signatures.filter { $0.time != nil && witnesses.contains($0.key) }
    guard Set(seen.map(\.key.publicKey)).count >= quorum else {
      throw CairnError(.notVerified, "fewer witnesses than asked for have cosigned")
    }
    return checkpoint
  }

  /// Checks a `.tlog-proof` file: signatures, witnesses, and the way from the leaf to the root.
  /// - Parameters:
  ///   - bytes: The file.
  ///   - leaf: The leaf's bytes; when nil, those that the file brings along.
  /// - Returns: What the file shows; for a purge, also what it erased.
  /// - Throws: `malformed`, also when neither the caller nor the file has the leaf, or
  ///   `notVerified` with what is wrong.
  public func proof(_ bytes: [UInt8], leaf: [UInt8]? = nil) throws(CairnError) -> ProvenLeaf {
    let proof = try OfflineProof(encoded: bytes)
    let shown = try proof.extra.map { (extra) throws(CairnError) in
      try ShownLeaf(extra, at: proof.leafIndex)
    }
    guard let leaf = leaf ?? shown?.leaf else {
      throw CairnError(.malformed, "the proof does not bring its leaf along; give the leaf")
    }
    let signed = try checkpoint(proof.checkpoint)
    let way = InclusionProof(
      leafIndex: proof.leafIndex, treeSize: signed.size, hashes: proof.hashes)
    guard way.verify(leaf: HashTree.leaf(leaf), root: signed.rootHash) else {
      throw CairnError(
        .notVerified, "the proof does not lead from the entry to the checkpoint's root")
    }
    return ProvenLeaf(
      leaf: leaf, leafIndex: proof.leafIndex, checkpoint: signed,
      purge: shown?.leaf == leaf ? shown?.purge : nil)
  }

  /// Checks a directory of tiles: the checkpoint's signatures, and that entries, tiles of every
  /// level and root agree.
  /// - Parameter directory: The log's prefix, which holds `checkpoint` and `tile/`.
  /// - Returns: The checkpoint.
  /// - Throws: `missing` when there is no checkpoint, `notVerified` naming the file that is
  ///   missing or does not agree.
  /// - Complexity: O(entries); every file is read once.
  public func tiles(in directory: String) throws(CairnError) -> SignedCheckpoint {
    let bytes = try FileBytes.read("\(directory)/checkpoint", limit: 1 << 20)
    guard let bytes else {
      throw CairnError(.missing, "there is no checkpoint here", place: directory)
    }
    let signed = try checkpoint(bytes)
    var walk = TileWalk(directory: directory, size: signed.size)
    let root = try walk.root()
    guard root == signed.rootHash else {
      throw CairnError(.notVerified, "the entries do not hash to the root", place: "checkpoint")
    }
    return signed
  }
}

/// Reads every entry of a tiled log and compares the tiles with what follows from them.
private struct TileWalk {
  let directory: String
  let size: UInt64
  private var compactRange = CompactRange()
  /// Hashes of each tile level that no full tile has taken up yet.
  private var open: [[Hash32]] = []
  private var counts: [UInt64] = []

  init(directory: String, size: UInt64) {
    self.directory = directory
    self.size = size
  }

  mutating func root() throws(CairnError) -> Hash32 {
    while compactRange.size < size {
      let index = compactRange.size / UInt64(Tile.fullWidth)
      let width = Int(min(UInt64(Tile.fullWidth), size - compactRange.size))
      guard let tile = Tile(.entries, index: index, width: width) else { break }
      let bytes = try read(tile, limit: Tile.fullWidth * (2 + 65_535))
      let entries: [[UInt8]]
      do { entries = try EntryBundle.decode(bytes) } catch { throw error.placed(tile.path) }
      guard entries.count == width else {
        throw CairnError(.notVerified, "the bundle has other entries", place: tile.path)
      }
      for entry in entries {
        let leaf = HashTree.leaf(entry)
        compactRange.append(leaf)
        try push(leaf, level: 0)
      }
    }
    for level in open.indices where !open[level].isEmpty { try compare(level) }
    return compactRange.root
  }

  private mutating func push(_ hash: Hash32, level: Int) throws(CairnError) {
    if level == open.count {
      open.append([])
      counts.append(0)
    }
    open[level].append(hash)
    guard open[level].count == Tile.fullWidth else { return }
    try compare(level)
    var subtree = CompactRange()
    for hash in open[level] { subtree.append(hash) }
    open[level].removeAll(keepingCapacity: true)
    counts[level] += 1
    try push(subtree.root, level: level + 1)
  }

  private func compare(_ level: Int) throws(CairnError) {
    let hashes = open[level]
    guard let tile = Tile(.hashes(level: level), index: counts[level], width: hashes.count) else {
      return
    }
    guard try read(tile, limit: Tile.fullWidth * Hash32.byteCount) == hashes.flatMap(\.bytes) else {
      throw CairnError(.notVerified, "the tile does not follow from the entries", place: tile.path)
    }
  }

  private func read(_ tile: Tile, limit: Int) throws(CairnError) -> [UInt8] {
    let path = tile.path
    let bytes = try FileBytes.read("\(directory)/\(path)", limit: limit)
    guard let bytes else { throw CairnError(.notVerified, "the tile is missing", place: path) }
    return bytes
  }
}
