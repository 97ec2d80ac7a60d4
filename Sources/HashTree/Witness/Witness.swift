import Cryptography

/// What a witness decides about a checkpoint that it is asked to cosign.
///
/// Source: C2SP tlog-witness, "add-checkpoint". Pure: the caller looks up the latest record, and
/// stores the accepted one and answers only if that record is still the same (else a slower
/// request could roll the witness back).
package enum Witness {
  /// The tree of a log that a witness cosigned last.
  package struct Record: Hashable, Sendable {
    /// How many leaves it has.
    package var size: UInt64
    package var root: Hash32

    package init(size: UInt64, root: Hash32) {
      self.size = size
      self.root = root
    }

    /// What holds for a log of which nothing was cosigned yet.
    package static let empty = Record(size: 0, root: HashTree.emptyRoot)
  }

  /// Why a checkpoint is not cosigned.
  package enum Refusal: Error, Hashable, Sendable {
    /// The request is not written as the protocol says.
    case malformedRequest
    /// No key is known for the origin.
    case unknownOrigin
    /// No key of the log has signed, or its signature does not belong to the checkpoint.
    case untrusted
    /// The request's own old size is larger than the checkpoint.
    case oldSizeBeyondCheckpoint
    /// The checkpoint is smaller than the tree cosigned last: the log takes entries back.
    case rollback(latest: UInt64)
    /// The proof does not start at the tree cosigned last.
    case otherOldSize(latest: UInt64)
    /// The checkpoint has no leaves, and yet another root than the empty tree.
    case wrongEmptyRoot
    /// Hashes were sent where nothing is left to prove.
    case unexpectedProof
    /// The log grew and no proof was sent.
    case missingProof
    /// The log has another root at the very size cosigned last: it shows two histories.
    case fork
    /// The proof does not lead from the tree cosigned last to the checkpoint.
    case badProof

    /// The HTTP status of the protocol.
    package var status: Int {
      switch self {
      case .malformedRequest, .oldSizeBeyondCheckpoint: 400
      case .untrusted: 403
      case .unknownOrigin: 404
      case .rollback, .otherOldSize: 409
      case .wrongEmptyRoot, .unexpectedProof, .missingProof, .fork, .badProof: 422
      }
    }
  }

  /// Where a witness publishes what it cosigned last of a log: the SHA-256 of the origin in
  /// hexadecimal digits (C2SP tlog-witness, "get-checkpoint").
  package static func folder(of origin: String) -> String {
    Hexadecimal.text(SHA256.hash(Array(origin.utf8)).bytes)
  }

  /// Decides about a checkpoint whose signature was checked, by a proof from the tree of its log
  /// that was cosigned last.
  /// - Returns: The record to store before the cosignature is given out.
  /// - Throws: The first ``Refusal`` in the protocol's order.
  /// - Complexity: two hashes per hash of the proof.
  package static func decide(
    checkpoint: Checkpoint, oldSize: UInt64, proof: [Hash32], latest: Record
  ) throws(Refusal) -> Record {
    guard oldSize <= checkpoint.size else {
      // Told apart for the operator: an honest mistake, or a log that shrank.
      guard oldSize == latest.size else { throw .oldSizeBeyondCheckpoint }
      throw .rollback(latest: latest.size)
    }
    guard checkpoint.size >= latest.size else { throw .rollback(latest: latest.size) }
    guard oldSize == latest.size else { throw .otherOldSize(latest: latest.size) }
    guard checkpoint.size > 0 || checkpoint.root == HashTree.emptyRoot else {
      throw .wrongEmptyRoot
    }
    let record = Record(size: checkpoint.size, root: checkpoint.root)
    guard oldSize > 0, oldSize < checkpoint.size else {
      if oldSize == checkpoint.size, checkpoint.root != latest.root { throw .fork }
      guard proof.isEmpty else { throw .unexpectedProof }
      return record
    }
    guard !proof.isEmpty else { throw .missingProof }
    let growth = ConsistencyProof(oldSize: oldSize, newSize: checkpoint.size, hashes: proof)
    guard growth.verify(oldRoot: latest.root, newRoot: checkpoint.root) else { throw .badProof }
    return record
  }
}
