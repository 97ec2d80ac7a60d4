import Events
import LMDB

extension EncodedEvent {
  /// Whether the other says the same: equal as given, whatever `recorded` says.
  func hasSameContent(as other: EncodedEvent) -> Bool {
    kind == other.kind && schema == other.schema && payload == other.payload
  }
}

extension StoredEvent {
  /// Whether this is the given event, stored.
  func hasSameContent(as event: EncodedEvent) -> Bool {
    kind == event.kind && schema == event.schema && payload == event.payload
  }
}
