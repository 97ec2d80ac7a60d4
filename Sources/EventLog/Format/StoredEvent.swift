package import Events

/// A live event as the log gives it back.
package struct StoredEvent: Sendable, Equatable {
  /// The leaf of the hash tree.
  package let header: EventHeader
  /// Kind, id and times.
  package let facts: EventFacts
  /// Schema version of `payload`.
  package var schema: UInt16
  /// Canonical bytes.
  package var payload: [UInt8]

  // Inlinable, or every look at one of them in an array would copy and retain the event, which
  // another thread may be looking at.
  @inlinable package var sequence: UInt64 { header.sequence }
  @inlinable package var kind: EventKind { facts.kind }
  @inlinable package var id: EventID { facts.id }
  @inlinable package var recorded: Timestamp { facts.recorded }
  /// When it happened: as given, else `recorded` as given, else `recorded`.
  @inlinable package var time: Timestamp { facts.time }
  /// The hash of its leaf, computed at each call: about 0.2 µs.
  package var leafHash: Hash32 { header.leafHash }

  init(_ header: EventHeader, _ facts: EventFacts, payload: [UInt8]) {
    self.header = header
    self.facts = facts
    self.schema = facts.schema
    self.payload = payload
  }

  /// Where the fields of the payload lie.
  /// - Throws: `.corrupt` naming the event.
  package func layout() throws(CairnError) -> EventLayout {
    do { return try EventLayout(payload) } catch { throw CairnError.unreadable(event: sequence) }
  }
}

/// What is left of an event after a purge.
package struct ErasedStub: Sendable, Hashable {
  /// The leaf of the hash tree.
  package let header: EventHeader
  /// The sequence of the purge event that erased it.
  package let purge: UInt64

  package var sequence: UInt64 { header.sequence }
  /// The hash of its leaf, computed at each call: about 0.2 µs.
  package var leafHash: Hash32 { header.leafHash }
}

extension CairnError {
  /// An event of the log whose bytes are none.
  package static func unreadable(event sequence: UInt64) -> CairnError {
    CairnError(.corrupt, "event \(sequence) cannot be read", place: "log.mdb", remedy: .verify)
  }

  /// An event that the log must have and has not.
  package static func missing(event sequence: UInt64) -> CairnError {
    CairnError(.corrupt, "event \(sequence) is missing", place: "log.mdb", remedy: .verify)
  }
}
