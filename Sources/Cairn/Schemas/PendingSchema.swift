import EventLog
import LMDB
import Projections

/// A change of schema that is recorded, and whose projections serve but are not named so yet.
struct PendingSchema: Equatable {
  /// The generation that was built by the new schema.
  var generation: UInt64
  /// Whether the one before it is kept.
  var keeps: Bool

  static let metadataKey = "schema"
  private static let version: UInt8 = 1
}

extension PendingSchema {
  init(decoding bytes: [UInt8]) throws(CairnError) {
    var reader = ByteReader(bytes.rawSpan)
    guard try reader.readUInt8() == Self.version else {
      throw CairnError(
        .unsupportedFormat, "a newer program changes the schema here; finish it with that one",
        place: EventLog.metadataPlace)
    }
    generation = try reader.readBigEndian64()
    keeps = try reader.readUInt8() != 0
  }

  var encoded: [UInt8] {
    [Self.version] + [UInt8](bigEndian: generation) + [keeps ? 1 : 0]
  }
}

extension Store {
  /// The change of schema that is recorded and not complete, if there is one.
  func pendingSchema() throws(CairnError) -> PendingSchema? {
    guard let bytes = try log.metadata(PendingSchema.metadataKey) else { return nil }
    return try PendingSchema(decoding: bytes)
  }

  /// Completes a change of schema that was recorded; under the writer lock.
  ///
  /// Each step can be run again; the note goes last.
  func finishSchema() throws(CairnError) {
    guard let pending = try pendingSchema() else { return }
    let before = try files.serving()
    if before?.current != pending.generation, try files.all().contains(pending.generation) {
      try files.setCurrent(pending.generation)
      try files.unmarkCandidate(pending.generation)
    }
    // One is kept, which served until now: those that were kept before it go.
    let old = pending.keeps ? try files.all().last(where: { $0 < pending.generation }) : nil
    try removeGenerations(before: old ?? pending.generation)
    try log.setMetadata(nil, for: PendingSchema.metadataKey)
  }
}
