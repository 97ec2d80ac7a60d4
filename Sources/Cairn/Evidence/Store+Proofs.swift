import EventLog
import HashTree

extension Store {
  /// Proof that an event is in the tree of the first `size` events.
  ///
  /// Works for an erased event too: its leaf stays.
  /// - Parameters:
  ///   - sequence: The event.
  ///   - size: How many events the tree has; the head when nil.
  /// - Returns: The leaf, the hashes and the root.
  /// - Throws: `noSuchPoint` unless 1 ≤ `sequence` ≤ `size` ≤ head.
  /// - Complexity: O(log n) rows and hashes; far below a millisecond at a million events.
  /// - Note: Blocks the calling thread.
  public func inclusionProof(of sequence: UInt64, size: UInt64? = nil) throws(CairnError)
    -> InclusionEvidence
  {
    let head = try log.head()
    let size = size ?? head.sequence
    try requireSizes(size)
    guard sequence >= 1, sequence <= size else {
      throw CairnError(.noSuchPoint, "a tree of \(size) events has no event \(sequence)")
    }
    let proof = try log.inclusionProof(of: sequence, size: size)
    guard let leaf = try log.leaf(at: sequence) else { throw CairnError.missing(event: sequence) }
    return InclusionEvidence(
      leaf: leaf, leafHash: HashTree.leaf(leaf), leafIndex: proof.leafIndex,
      treeSize: proof.treeSize, rootHash: try log.root(at: size), hashes: proof.hashes)
  }

  /// Proof that the tree of the first `new` events grew out of that of the first `old`.
  /// - Parameters:
  ///   - old: How many events the older tree had.
  ///   - new: How many events the newer tree has.
  /// - Returns: The hashes and both roots.
  /// - Throws: `noSuchPoint` unless 1 ≤ `old` ≤ `new` ≤ head.
  /// - Complexity: O(log n) rows and hashes.
  /// - Note: Blocks the calling thread.
  public func consistencyProof(from old: UInt64, to new: UInt64) throws(CairnError)
    -> ConsistencyEvidence
  {
    try requireSizes(old, new)
    guard old >= 1 else {
      throw CairnError(.noSuchPoint, "a tree of no events proves nothing; name a size from 1")
    }
    guard old <= new else {
      throw CairnError(
        .noSuchPoint,
        "a tree of size \(new) cannot begin with one of size \(old); name the smaller one first")
    }
    let proof = try log.consistencyProof(from: old, to: new)
    return ConsistencyEvidence(
      oldSize: old, newSize: new, oldRoot: try log.root(at: old),
      newRoot: try log.root(at: new), hashes: proof.hashes)
  }

  /// A file that shows, without the store at hand, that an event is in it (C2SP tlog-proof).
  ///
  /// The leaf is in the file as its extra data, so that the file can be checked by itself; behind
  /// that of a purge of this log stands what it commits to, so that the file is a receipt: it shows
  /// how many events were erased, and which sequences.
  /// - Parameters:
  ///   - sequence: The event.
  ///   - checkpoint: A checkpoint of this store with the cosignatures it has gathered; a new one
  ///     of the head when nil.
  /// - Returns: The text of a `.tlog-proof` file.
  /// - Throws: `noSuchPoint` when the event is not in that tree; `malformed` and `notVerified`
  ///   when the checkpoint is not one of this store; what ``checkpoint(at:origin:)`` throws.
  /// - Complexity: O(log n) rows and hashes.
  /// - Note: Blocks the calling thread.
  public func offlineProof(of sequence: UInt64, checkpoint: String? = nil) throws(CairnError)
    -> String
  {
    try requireSizes(sequence)
    let text: String
    if let checkpoint { text = checkpoint } else { text = try self.checkpoint().text }
    guard try continues(text) else {
      throw CairnError(.notVerified, "the store does not continue this checkpoint")
    }
    let note = try SignedNote(encoded: text)
    let size = try Checkpoint(text: note.text).size
    let evidence = try inclusionProof(of: sequence, size: size)
    let isReceipt = try hasErased(by: sequence)
    return OfflineProof(
      extra: isReceipt ? try log.opened(at: sequence) ?? evidence.leaf : evidence.leaf,
      leafIndex: evidence.leafIndex, hashes: evidence.hashes, checkpoint: note
    ).encoded
  }

  /// Whether an event records what was erased in this log: one that a replay brought along tells of
  /// the sequences of another.
  private func hasErased(by sequence: UInt64) throws(CairnError) -> Bool {
    guard let stored = try log.event(at: sequence), stored.kind == .purge,
      let facts = try LogRecord(stored).event.extras["purge"]?.object,
      let erased = SequenceRanges.ranges(facts["sequences"])?.first
    else { return false }
    return try log.stub(at: erased.lowerBound)?.purge == sequence
  }

  /// What is sent to a witness to have a new checkpoint cosigned (C2SP tlog-witness,
  /// the body of `add-checkpoint`).
  /// - Parameter old: The size that the witness cosigned last; 0 for one that knows nothing yet.
  /// - Returns: The body: the old size, the proof, an empty line, the signed checkpoint.
  /// - Throws: `noSuchPoint` beyond the head; what ``checkpoint(at:origin:)`` throws.
  /// - Complexity: O(log n) rows and hashes.
  /// - Note: Blocks the calling thread.
  public func witnessRequest(since old: UInt64) throws(CairnError) -> String {
    try requireSizes(old)
    let note = try issue(at: nil)
    let size = try trusting(SigningIdentity.fileName) { () throws(CairnError) in
      try Checkpoint(text: note.text).size
    }
    let isGrowth = old > 0 && old < size
    let proof = isGrowth ? try log.consistencyProof(from: old, to: size).hashes : []
    return Witness.Request(oldSize: old, proof: proof, checkpoint: note).encoded
  }
}
