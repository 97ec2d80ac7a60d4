import EventLog
import LMDB
import Projections

/// A purge that is committed and not yet complete: what has to be known to finish it.
///
/// Written with the commit that erases, taken away when everything is done.
struct PendingPurge: Equatable {
  /// The generation that was built without what is erased.
  var generation: UInt64
  var sequence: UInt64

  static let metadataKey = "purge"
  private static let version: UInt8 = 1
}

extension PendingPurge {
  init(decoding bytes: [UInt8]) throws(CairnError) {
    var reader = ByteReader(bytes.rawSpan)
    guard try reader.readUInt8() == Self.version else {
      throw CairnError(
        .unsupportedFormat, "a newer program began a purge here; finish it with that one",
        place: EventLog.metadataPlace)
    }
    generation = try reader.readBigEndian64()
    sequence = try reader.readBigEndian64()
  }

  var encoded: [UInt8] {
    [Self.version] + [UInt8](bigEndian: generation) + [UInt8](bigEndian: sequence)
  }
}

extension Store {
  func pendingPurge() throws(CairnError) -> PendingPurge? {
    guard let bytes = try log.metadata(PendingPurge.metadataKey) else { return nil }
    return try PendingPurge(decoding: bytes)
  }

  /// Whether a purge was prepared or committed and has not been completed.
  func needsToFinishPurge() throws(CairnError) -> Bool {
    if try files.serving()?.candidate != nil { return true }
    if try pendingSchema() != nil { return true }
    return try pendingPurge() != nil
  }

  /// The sequence of the purge event whose purge is not complete, if there is one.
  ///
  /// What it erased cannot be read any more; bytes of it may still lie in the files.
  package func unfinishedPurge() throws(CairnError) -> UInt64? { try pendingPurge()?.sequence }
}
