import EventLog
import HashTree

extension Store {
  /// Signs a checkpoint of the head, or of the tree as it was at a smaller size.
  ///
  /// What is signed is remembered, durably, before the signature is given out; the store refuses
  /// to sign a tree that does not continue what it signed before. The first call makes the key:
  /// `signer.key` in the store's directory, readable by its owner alone.
  ///
  /// On a full disk nothing new can be remembered, and the one that was signed last is signed anew.
  /// - Parameters:
  ///   - size: How many events; the head when nil.
  ///   - origin: The log's name for itself, taken by the first call and fixed from then on; a
  ///     random name when nil. C2SP recommends a URL without its scheme.
  /// - Returns: The signed note.
  /// - Throws: `noSuchPoint` beyond the head; `readOnly` when the store is open for reading;
  ///   `missing` when the private key is gone; `badArgument` for another origin; `corrupt` when
  ///   the log contradicts an earlier checkpoint.
  /// - Complexity: O(log n), and one commit for a size not signed before.
  /// - Note: Blocks the calling thread.
  public func checkpoint(at size: UInt64? = nil, origin: String? = nil) throws(CairnError)
    -> SignedCheckpoint
  {
    try requireSizes(size)
    let note: SignedNote
    do throws(CairnError) { note = try issue(at: size, origin: origin) } catch {
      guard size == nil, [.diskFull, .mapFull].contains(error.code),
        let last = try log.issuedHeads().last
      else { throw error }
      note = try issue(at: last.size, origin: origin)
    }
    return try trusting(SigningIdentity.fileName) { () throws(CairnError) in
      try SignedCheckpoint(note)
    }
  }

  /// The checkpoint that was signed last, signed anew: for a store that may not be written, whose
  /// head cannot be remembered as signed.
  /// - Returns: The signed note; nil where none was signed yet.
  /// - Throws: `missing` when the private key is gone; `corrupt` when the log contradicts it.
  package func lastCheckpoint() throws(CairnError) -> SignedCheckpoint? {
    guard let last = try log.issuedHeads().last else { return nil }
    guard last.size <= (try log.head().sequence), try log.root(at: last.size) == last.root else {
      throw CairnError(
        .corrupt, "the log is not the one that was signed at \(last.size) events",
        place: EventLog.metadataPlace, remedy: .verify)
    }
    let identity = SigningIdentity(log: log)
    guard let signer = try identity.kept(try identity.verifier()) else {
      throw CairnError(
        .missing, "the store's private key is not here", place: SigningIdentity.fileName,
        remedy: .newKey)
    }
    let note = try sign(last, by: signer)
    return try trusting(SigningIdentity.fileName) { () throws(CairnError) in
      try SignedCheckpoint(note)
    }
  }

  /// The public key that checks the store's checkpoints, as others configure it (C2SP vkey).
  ///
  /// Its name is the log's origin and stays for the store's life. Made, with the private key, by
  /// the first call on a store open for writing.
  /// - Parameter origin: As for ``checkpoint(at:origin:)``.
  /// - Returns: `name+id+base64`.
  /// - Throws: `readOnly` when there is no key yet and the store is open for reading.
  /// - Note: Blocks the calling thread.
  public func verifierKey(origin: String? = nil) throws(CairnError) -> String {
    let identity = SigningIdentity(log: log)
    if origin == nil, let known = try identity.verifier() { return known.text }
    return try log.withWriterLock(wait: patience) { () throws(CairnError) in
      try identity.signer(origin: origin)
    }.verifier.text
  }

  /// Gives the store a new key under its old name, for when the private one is lost or known.
  ///
  /// Whoever checks the store's checkpoints has to be told the new verifier key.
  /// - Returns: The new verifier key.
  /// - Throws: `readOnly` when the store is open for reading.
  /// - Note: Blocks the calling thread.
  public func renewSigningKey() throws(CairnError) -> String {
    try log.withWriterLock(wait: patience) { () throws(CairnError) in
      try SigningIdentity(log: log).renew()
    }.verifier.text
  }

  /// Every checkpoint that was signed, by size.
  ///
  /// A restore must not end before the last one: others have seen it.
  /// - Throws: `corrupt` and the like.
  /// - Complexity: O(checkpoints).
  /// - Note: Blocks the calling thread.
  public func issuedCheckpoints() throws(CairnError) -> [IssuedCheckpoint] {
    try log.issuedHeads().map {
      IssuedCheckpoint(size: $0.size, rootHash: $0.root, time: $0.time)
    }
  }

  /// Where an error is that is one of the text that the caller gave.
  static let givenCheckpoint = "the checkpoint"

  /// Whether the store continues what a checkpoint says: no event before it is gone or changed.
  /// - Parameter checkpoint: A signed note, of this store's origin.
  /// - Returns: False when the store ends earlier, or has another root at that size.
  /// - Throws: `malformed` when the text is no checkpoint, `notVerified` when it is of another
  ///   log or no key that this store signs or signed with has signed it.
  /// - Complexity: O(log n).
  /// - Note: Blocks the calling thread.
  public func continues(_ checkpoint: String) throws(CairnError) -> Bool {
    let keys = try SigningIdentity(log: log).verifiers()
    guard let origin = keys.first?.name else {
      throw CairnError(.notVerified, "the store has never signed a checkpoint")
    }
    // One signed with a key that was given up proves as much: the log itself has to continue it.
    let claimed: Checkpoint
    do throws(CairnError) {
      claimed = try Checkpoint(
        verifying: SignedNote(encoded: checkpoint), origin: origin, logKeys: keys)
    } catch { throw error.placed(Self.givenCheckpoint) }
    guard claimed.size <= (try log.head().sequence) else { return false }
    return try log.root(at: claimed.size) == claimed.root
  }

  /// Remembers and signs a tree's head.
  func issue(at size: UInt64?, origin: String? = nil) throws(CairnError) -> SignedNote {
    try log.withWriterLock(wait: patience) { () throws(CairnError) in
      let signer = try SigningIdentity(log: log).signer(origin: origin)
      return try sign(try log.noteIssuedHead(size: size, time: Timestamp.now()), by: signer)
    }
  }

  private func sign(_ head: IssuedHead, by signer: SignerKey) throws(CairnError) -> SignedNote {
    try trusting(SigningIdentity.fileName) { () throws(CairnError) in
      try Checkpoint(origin: signer.verifier.name, size: head.size, root: head.root).signed(by: [
        signer
      ])
    }
  }

  /// Refuses sizes of trees that the log does not have.
  func requireSizes(_ sizes: UInt64?...) throws(CairnError) {
    let head = try log.head().sequence
    guard sizes.allSatisfy({ ($0 ?? 0) <= head }) else {
      throw CairnError(.noSuchPoint, "the log ends at sequence \(head)")
    }
  }
}
