/// Why a key, a signed note, a checkpoint or a proof file cannot be used.
///
/// Two errors are equal when their codes are. The message never repeats the text at fault.
package struct NoteError: Error, Hashable, Sendable {
  /// What kind of fault it is.
  package enum Code: Hashable, Sendable {
    /// A key that is not written as C2SP signed-note says, or whose id does not belong to it.
    case malformedKey
    /// A key of a signature type other than Ed25519 (0x01) and cosignature/v1 (0x04).
    case unsupportedKey
    /// Two of the known keys have the same name and id.
    case ambiguousKey
    /// A text that is no signed note, or a note above the limits.
    case malformedNote
    /// No signature is of a known key.
    case noKnownSignature
    /// A signature of a known key does not belong to the text.
    case badSignature
    /// A note whose text is no checkpoint.
    case malformedCheckpoint
    /// A checkpoint of another log than the one asked about.
    case otherOrigin
    /// A text that is no tlog-proof file.
    case malformedProof
    /// The hashes of a proof do not lead from the leaf to the root.
    case badProof
    /// Fewer witnesses than asked for have cosigned.
    case tooFewWitnesses
    /// A tile or an entry bundle whose bytes do not fit its name.
    case malformedTile
  }

  /// What kind of fault it is.
  package var code: Code
  /// What is wrong, in one sentence without any text of the input.
  package var message: String

  package static func == (a: NoteError, b: NoteError) -> Bool { a.code == b.code }

  package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// An error of this code; the message must not repeat any text of the input.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension NoteError: CustomStringConvertible { package var description: String { message } }
