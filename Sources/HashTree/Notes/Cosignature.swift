/// A witness's statement about a checkpoint: "this is the largest consistent tree I had seen then".
///
/// Source: C2SP tlog-cosignature, "Ed25519 signed message". Its bytes are the time (8, big-endian)
/// followed by 64 of Ed25519.
enum Cosignature {
  /// The bytes that are signed.
  static func message(time: UInt64, text: String) -> [UInt8] {
    Array("cosignature/v1\ntime \(time)\n\(text)".utf8)
  }

  /// When the statement was made, in seconds since 1970, or `nil` when the bytes are no
  /// cosignature.
  static func time(of signature: [UInt8]) -> UInt64? {
    guard signature.count == 72 else { return nil }
    let time = signature.rawSpan.loadBigEndian64(at: 0)
    return time <= UInt64(Int64.max) ? time : nil
  }
}
