/// An event as the log holds it.
public struct RecordedEvent: Sendable, Hashable {
  /// Its place in the log, from 1 without gaps.
  public var sequence: UInt64
  /// What happened; `time`, `recorded` and `id` are set.
  public var event: Event
  /// The RFC 6962 hash of its leaf; nil where nobody asked for it.
  public var leafHash: Hash32?

  /// An event with its place and proof.
  @inlinable public init(sequence: UInt64, event: Event, leafHash: Hash32? = nil) {
    self.sequence = sequence
    self.event = event
    self.leafHash = leafHash
  }
}
