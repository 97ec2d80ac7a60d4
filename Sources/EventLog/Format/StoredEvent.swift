package import Events
package import HashTree

/// An event as the log gives it back.
package struct StoredEvent: Sendable {
  /// The leaf of the hash tree.
  package let header: EventHeader
  /// When it was appended.
  ///
  /// Of an erased event only the hour is left.
  package let recorded: Timestamp
  /// When it happened: as given, else `recorded` as given, else `recorded`.
  package var time: Timestamp
  /// Schema version of `payload`.
  package var schema: UInt16
  /// Canonical bytes; empty when erased.
  package var payload: [UInt8]
  /// The sequence of the purge event that erased it, or `nil` while it is live.
  package let purge: UInt64?

  package var sequence: UInt64 { header.sequence }
  package var kind: EventKind { header.kind }
  package var id: EventID { header.id }
  /// Whether only the header is left.
  package var isErased: Bool { purge != nil }
  /// The hash of its leaf, computed at each call: about 0.2 µs.
  package var leafHash: Hash32 { header.leafHash }
}

extension StoredEvent {
  /// An event from its first part.
  init(_ front: EventRow.Front, payload: [UInt8]) {
    let hourStart = Timestamp(seconds: front.header.hour &* 3_600, nanoseconds: 0)
    let recorded = front.recorded ?? hourStart
    self.header = front.header
    self.recorded = recorded
    self.time = front.ownTime ?? recorded
    self.schema = front.header.schema
    self.payload = payload
    self.purge = front.purge
  }
}
