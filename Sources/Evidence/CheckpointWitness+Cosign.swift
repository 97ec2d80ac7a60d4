import Files
import HashTree
import LMDB
public import Values

extension CheckpointWitness {
  /// What a witness answers to a request.
  public enum Answer: Sendable, Hashable {
    /// The checkpoint was cosigned; the signature is a line to be added to the note.
    case cosigned(checkpoint: SignedCheckpoint, signature: String)
    /// It was not.
    case refused(Refusal)
  }

  /// Why a checkpoint was not cosigned.
  public struct Refusal: Sendable, Hashable {
    /// The HTTP status that C2SP tlog-witness gives it.
    public var status: Int
    /// What is wrong, in one line.
    public var reason: String
    /// The size that the witness cosigned last, where a request from there could succeed.
    public var latestSize: UInt64?
    /// What mends it, where that is known.
    public var remedy: CairnError.Remedy?
  }

  /// Decides about a request and cosigns its checkpoint.
  ///
  /// The checkpoint has to be signed by a trusted key of its log and be shown to have grown out
  /// of the tree cosigned last. What is cosigned is remembered, durably, before the signature is
  /// given out.
  /// - Parameters:
  ///   - request: The body of `add-checkpoint` (C2SP tlog-witness): old size, proof, empty line,
  ///     signed checkpoint. ``Store/witnessRequest(since:)`` makes it.
  ///   - time: When the witness saw it.
  /// - Returns: The signature or the refusal.
  /// - Throws: `corrupt` when what the witness keeps is damaged: it then signs nothing.
  /// - Complexity: two hashes for each hash of the proof, one signature, two flushes.
  public func cosign(_ request: [UInt8], at time: Timestamp = .now()) throws(CairnError) -> Answer {
    // The protocol has one answer for all that is malformed.
    guard let request = try? Witness.Request(encoded: request),
      let origin = try? Checkpoint(text: request.checkpoint.text).origin
    else { return .refused(Refusal(.malformedRequest)) }
    try FileBytes.makeDirectory("\(directory)/logs")
    let lock = try Self.lock(directory)
    defer { lock.unlock() }
    let file = WitnessedLog(witness: self, origin: origin)
    let keys = try file.keys()
    let latest = try file.latest()
    do throws(Witness.Refusal) {
      _ = try Witness.decide(request, logKeys: keys, latest: latest)
    } catch { return .refused(Refusal(error)) }
    return try sign(request.checkpoint.keeping(signaturesOf: keys), at: time, file)
  }

  private func sign(_ note: SignedNote, at time: Timestamp, _ file: WitnessedLog)
    throws(CairnError) -> Answer
  {
    let seconds = UInt64(clamping: time.seconds)
    let (cosigned, line) = try trusting(Self.keyFile) {
      () throws(CairnError) -> (SignedNote, String) in
      var note = note
      try note.sign(with: signer, time: seconds)
      return (note, note.signatures.last?.line ?? "")
    }
    try SmallFile.replace(file.checkpointPath, with: cosigned.encoded)
    let checkpoint = try trusting(Self.keyFile) { () throws(CairnError) in
      try SignedCheckpoint(cosigned)
    }
    return .cosigned(checkpoint: checkpoint, signature: line)
  }
}

extension CheckpointWitness.Refusal {
  init(_ refusal: Witness.Refusal) {
    status = refusal.status
    latestSize = nil
    switch refusal {
    case .malformedRequest:
      reason = "the request is not: old SIZE, proof lines, an empty line, a signed checkpoint"
    case .unknownOrigin:
      reason = "no key is trusted for this origin"
      remedy = .trust
    case .untrusted: reason = "no trusted key of the log has signed the checkpoint"
    case .oldSizeBeyondCheckpoint: reason = "the old size is larger than the checkpoint"
    case .rollback(let latest):
      reason = "the log went back: it was cosigned at \(latest) events and now shows fewer"
      latestSize = latest
    case .otherOldSize(let latest):
      reason = "the proof has to start at \(latest), the size cosigned last"
      latestSize = latest
    case .wrongEmptyRoot: reason = "an empty tree has another root"
    case .unexpectedProof: reason = "there are hashes where nothing is left to prove"
    case .missingProof: reason = "the log grew and no proof was sent"
    case .fork: reason = "the log shows two histories: another root was cosigned at this size"
    case .badProof: reason = "the checkpoint does not continue the tree cosigned last"
    }
  }
}
