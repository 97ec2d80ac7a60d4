/// Bounds on what is read from outside, so that no input costs more than it may.
enum Limits {
  /// Room for 100 post-quantum signatures of 5 kB, which others may add to our notes.
  static let noteByteCountMax = 1 << 20
  /// C2SP demands at least 16; x/mod's reader, the most used one, stops at 100.
  static let signatureCountMax = 100
  /// A tree of 2^64 leaves has no longer path.
  static let inclusionHashCountMax = 64
  /// C2SP tlog-witness: a client must not send more.
  static let consistencyHashCountMax = 63
  /// C2SP tlog-tiles gives an entry's length 16 bits.
  static let bundleEntryByteCountMax = 65_535
}
