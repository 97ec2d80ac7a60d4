import HashTree
import LMDB

extension CairnError {
  /// The public form of what is wrong with a key, a checkpoint, a proof or a tile.
  init(_ error: NoteError, place: String? = nil) {
    let code: Code =
      switch error.code {
      case .malformedKey, .unsupportedKey, .ambiguousKey: .badArgument
      case .malformedNote, .malformedCheckpoint, .malformedProof: .malformed
      case .noKnownSignature, .badSignature, .otherOrigin, .badProof, .tooFewWitnesses,
        .malformedTile:
        .notVerified
      }
    self.init(code, error.message, place: place)
  }
}

/// Runs note code and turns its errors into public ones.
func checking<R>(_ place: String? = nil, _ body: () throws(NoteError) -> R) throws(CairnError) -> R
{ do { return try body() } catch { throw CairnError(error, place: place) } }

/// Runs note code on what is the store's own, where a fault is damage.
func trusting<R>(_ place: String, _ body: () throws(NoteError) -> R) throws(StorageError) -> R {
  do { return try body() } catch { throw StorageError(.corrupt, error.message, place: place) }
}
