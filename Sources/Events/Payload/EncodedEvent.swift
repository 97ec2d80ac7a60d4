/// A checked event in the form the log stores.
package struct EncodedEvent: Sendable, Hashable {
  package var kind: EventKind
  /// As given, or nil: the log makes one.
  package var id: EventID?
  /// As given, or nil: now.
  package var recorded: Timestamp?
  /// As given, or nil: the time it is recorded.
  ///
  /// When given it is inside the payload too.
  package var time: Timestamp?
  /// The shape of the payload.
  package var schema: UInt16
  /// Canonical CBOR of everything else.
  package var payload: [UInt8]

  package init(
    kind: EventKind, id: EventID? = nil, recorded: Timestamp? = nil, time: Timestamp? = nil,
    schema: UInt16 = EventSchema.current, payload: [UInt8]
  ) {
    self.kind = kind
    self.id = id
    self.recorded = recorded
    self.time = time
    self.schema = schema
    self.payload = payload
  }
}
