/// The limits on one event, each with its reason.
public enum EventLimits {
  /// Bytes of UTF-8 in an item's identifier.
  public static let itemByteCount = 4096
  /// Bytes of UTF-8 in a domain: as long as the longest item, since an item may name one.
  public static let domainByteCount = 4096
  /// Arrays and objects inside one another: deep enough for real data, far below any stack's end.
  public static let depth = 128
  /// Bytes in one line.
  ///
  /// A log takes no event of more than 64 MiB of payload, which a line can come to.
  public static let lineByteCount = 32 << 20
}

/// The shapes an event has had.
public enum EventSchema {
  /// The shape this program writes.
  ///
  /// An event that names none has this one.
  public static let current: UInt16 = 2
}
