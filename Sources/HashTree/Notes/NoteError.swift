@_exported public import Values

/// Why a key, a signed note, a checkpoint or a proof file cannot be used.
package typealias NoteError = CairnError

extension CairnError.Code {
  package static let malformedKey = badArgument
  package static let unsupportedKey = badArgument
  package static let ambiguousKey = badArgument
  package static let malformedNote = malformed
  package static let malformedCheckpoint = malformed
  package static let malformedProof = malformed
  package static let noKnownSignature = notVerified
  package static let badSignature = notVerified
  package static let otherOrigin = notVerified
  package static let badProof = notVerified
  package static let tooFewWitnesses = notVerified
  package static let malformedTile = notVerified
}
