package enum LogLimits {
  /// Bytes of one stored row: two rows and their node headers fit an LMDB page without overflow.
  static let rowByteCount = 1_890

  /// Bytes of one event's payload.
  ///
  /// Larger content belongs in a file that the event names.
  package static let payloadByteCount = 64 << 20

  /// Events of one append.
  ///
  /// All of them share one transaction, whose dirty pages must not spill.
  package static let requestEventCount = 100_000

  /// Payload bytes of one append, for the same reason.
  package static let requestByteCount = 256 << 20

  /// Events at which a group of appends is closed: about 4 MB of pages, some 30 ms of work, so
  /// that a small append never waits long behind large ones.
  static let groupEventCount = 16_384

  /// Payload bytes at which a group of appends is closed, for the same reason.
  static let groupByteCount = 32 << 20

  /// Appends that may wait for the writer at once; more are refused as busy.
  package static let queuedRequestCount = 65_536

  /// Events copied out of one read transaction: no page is held while they are visited.
  static let pageEventCount = 256

  /// Rows, erased ones included, after which a read transaction ends: well under a millisecond.
  static let pageVisitCount: UInt64 = 10_000

  /// Payload bytes at which such a copy ends early.
  static let pageByteCount = 1 << 20

  /// Events from which on a verification takes two threads.
  static let parallelEventCount: UInt64 = 8_192

  /// Into how many pieces a verification is split at most: enough for threads to end together.
  static let verifyPieceCount: UInt64 = 16

  /// Rows copied in one transaction: about 4 MB of pages.
  static let copiedRowCount = 8_192

  /// Bytes of a named point's name: LMDB keys end at 511.
  package static let nameByteCount = 480

  /// Bytes of a metadata value: one row.
  package static let metadataByteCount = 1_890
}
