extension CompactRange {
  /// The bytes that ``init(encoded:)`` reads: size (8, big-endian), then 32 for each peak.
  ///
  /// At most 8 + 32 · popcount(size) bytes, so 1,544 for every size below 2^48.
  package var encoded: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(8 + peaks.count * Hash32.byteCount)
    result.appendBigEndian(size)
    for peak in peaks { peak.append(to: &result) }
    return result
  }

  /// Reads back ``encoded``, or `nil` when the length does not fit the size it begins with.
  package init?(encoded span: RawSpan) {
    guard span.byteCount >= 8 else { return nil }
    let size = span.loadBigEndian64(at: 0)
    let count = size.nonzeroBitCount
    guard span.byteCount == 8 + count * Hash32.byteCount else { return nil }
    var peaks: [Hash32] = []
    peaks.reserveCapacity(count + 1)
    for position in 0..<count {
      let start = 8 + position * Hash32.byteCount
      guard let peak = Hash32(span.extracting(start..<start + Hash32.byteCount)) else { return nil }
      peaks.append(peak)
    }
    self.init(size: size, peaks: peaks)
  }
}
