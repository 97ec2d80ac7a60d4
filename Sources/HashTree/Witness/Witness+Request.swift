extension Witness {
  /// What a log sends to have a checkpoint cosigned (the body of `add-checkpoint`).
  package struct Request: Hashable, Sendable {
    /// The size that the proof starts at: what the log believes the witness cosigned last.
    package var oldSize: UInt64
    /// The hashes of the consistency proof; none from size 0.
    package var proof: [Hash32]
    package var checkpoint: SignedNote

    package init(oldSize: UInt64, proof: [Hash32], checkpoint: SignedNote) {
      self.oldSize = oldSize
      self.proof = proof
      self.checkpoint = checkpoint
    }

    /// Reads a request.
    /// - Throws: ``Refusal/malformedRequest``, also above 63 hashes.
    package init(encoded bytes: [UInt8]) throws(Refusal) {
      guard bytes.count <= Limits.noteByteCountMax else { throw .malformedRequest }
      var lines = LineSplitter(bytes)
      // The protocol has one answer for all that is malformed.
      guard let oldSize = lines.next()?.value(after: "old ").flatMap({ Decimal.parse($0) }),
        let proof = lines.hashes(upTo: Limits.consistencyHashCountMax),
        let checkpoint = try? SignedNote(encoded: Array(lines.rest))
      else { throw .malformedRequest }
      self.init(oldSize: oldSize, proof: proof, checkpoint: checkpoint)
    }

    package var encoded: String {
      "old \(oldSize)\n" + proof.map { $0.base64 + "\n" }.joined() + "\n" + checkpoint.encoded
    }
  }

  /// Decides about a request as received, by the trusted keys of its log, none when that is
  /// unknown, and the tree of it that was cosigned last.
  /// - Returns: The record to store before the cosignature is given out.
  /// - Throws: The first ``Refusal`` in the protocol's order.
  package static func decide(_ request: Request, logKeys: [VerifierKey], latest: Record?)
    throws(Refusal) -> Record
  {
    // The protocol has one answer for all that is malformed.
    guard let checkpoint = try? Checkpoint(text: request.checkpoint.text) else {
      throw .malformedRequest
    }
    guard !logKeys.isEmpty else { throw .unknownOrigin }
    // Whatever is wrong with the signatures, none of them is trusted.
    guard (try? request.checkpoint.verified(by: logKeys)) != nil else { throw .untrusted }
    return try decide(
      checkpoint: checkpoint, oldSize: request.oldSize, proof: request.proof,
      latest: latest ?? .empty)
  }
}
