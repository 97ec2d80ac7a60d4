import Values

/// A point in time: whole seconds since 1970-01-01 00:00:00 UTC and the nanoseconds after them.
package struct Instant: Hashable, Comparable, Sendable {
  /// Seconds from 1970 to 2001-01-01 00:00:00 UTC, where numbers in queries start to count.
  package static let referenceSeconds: Int64 = 978_307_200

  package var seconds: Int64
  /// 0 ..< 1,000,000,000.
  package var nanoseconds: UInt32

  /// Makes an instant from Unix seconds.
  package init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Makes an instant from whole seconds since 2001; saturates.
  package init(secondsSince2001 seconds: Int64) {
    self.init(seconds: seconds.addingSaturating(Self.referenceSeconds))
  }

  /// Makes an instant from seconds since 2001, to the nearest nanosecond; saturates, nil for NaN.
  package init?(secondsSince2001 seconds: Double) {
    guard !seconds.isNaN else { return nil }
    guard let whole = Int64(flooring: seconds) else {
      self.init(seconds: seconds < 0 ? .min : .max)
      return
    }
    let nanoseconds = UInt32((seconds - Double(whole)) * 1e9 + 0.5)
    let carry: Int64 = nanoseconds >= 1_000_000_000 ? 1 : 0
    self.init(
      seconds: whole.addingSaturating(Self.referenceSeconds + carry),
      nanoseconds: carry > 0 ? 0 : nanoseconds)
  }

  /// Reads an ISO 8601 time; see `TimeText`.
  init?(iso8601 text: Span<UInt8>, requiresZone: Bool) {
    guard let time = TimeText(text, requiresZone: requiresZone) else { return nil }
    self.init(seconds: time.seconds, nanoseconds: time.nanoseconds)
  }

  package static func < (a: Instant, b: Instant) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }
}

extension Int64 {
  /// The greatest whole number that is not above `number`; nil where it does not fit and for NaN.
  ///
  /// `rounded(.down)` is a call into the C library's mathematics, which this module does without.
  init?(flooring number: Double) {
    guard number >= -0x1p63, number < 0x1p63 else { return nil }
    let truncated = Int64(number)
    self = Double(truncated) > number ? truncated - 1 : truncated
  }

  /// The sum, or the nearest bound when it does not fit.
  func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
