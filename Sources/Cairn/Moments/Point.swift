/// A point in a store's history.
public enum Point: Hashable, Sendable {
  /// After the last event.
  case head
  /// Right after the event with this sequence; 0 is the empty store.
  case sequence(UInt64)
  /// After all events recorded at or before this time.
  case time(Timestamp)
  /// Where a snapshot of this name was made.
  case snapshot(String)

  /// Reads a point as the command line takes it: all digits are a sequence, an RFC 3339 time is
  /// a time, anything else the name of a snapshot.
  ///
  /// A number beyond 64 bits is a sequence beyond the last event, whatever the log holds.
  /// - Returns: nil for an empty text.
  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    if text.utf8.allSatisfy(\.isASCIIDigit) {
      self = .sequence(UInt64(text) ?? .max)
    } else if let time = Timestamp(rfc3339: text) {
      self = .time(time)
    } else {
      self = .snapshot(text)
    }
  }
}
