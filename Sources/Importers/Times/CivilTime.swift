import Values
import WebMarkup

/// Dates and times as sources write them, as microseconds since 1970.
enum CivilTime {
  /// Between 1970 and 9999: nobody's activity lies outside.
  static func isInRange(_ microseconds: Int64) -> Bool {
    microseconds > 0 && microseconds <= Timestamp.latest.microseconds
  }

  /// Microseconds from a count of units since an epoch; nil where that overflows.
  static func scaled(_ value: Int64, by factor: Int64, since epoch: Int64 = 0) -> Int64? {
    let (product, overflow) = value.multipliedReportingOverflow(by: factor)
    guard !overflow else { return nil }
    let (sum, isTooMuch) = product.addingReportingOverflow(epoch)
    return isTooMuch ? nil : sum
  }

  /// Microseconds from seconds with a fraction since an epoch in microseconds.
  static func seconds(_ value: Double, since epoch: Int64 = 0) -> Int64? {
    guard value.isFinite, abs(value) < 1e12 else { return nil }
    // The nearest microsecond, halves to even.
    return Int64((value * 1e6).rounded(.toNearestOrEven)) + epoch
  }

  /// 1601-01-01, from which Windows and Chromium count microseconds.
  static let epoch1601: Int64 = -11_644_473_600_000_000
  /// 2001-01-01, from which Apple counts seconds.
  static let epoch2001: Int64 = 978_307_200_000_000

  /// A date with a time in seconds, as if in UTC; nil where there is no such day or time.
  static func utc(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0
  ) -> Int64? { WrittenTime(year, month, day, hour, minute, second)?.microseconds }

  /// A time in one of the forms of ISO 8601 that programs write, without a zone in `zone`.
  static func iso(_ text: String, zone: TimeZone = .utc) -> Int64? {
    guard let time = WrittenTime(iso: text) else { return nil }
    return time.offset == nil ? zone.utc(fromLocal: time.microseconds) : time.microseconds
  }

  /// Hours, minutes and seconds of `1:02:03`, in seconds.
  static func duration(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      (0..<1_000_000).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds)
    else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }
}

extension TimeZone {
  /// A day, or a day and a clock of the zone, in RFC 3339; nil for what is none, or has no zone
  /// to be read in.
  package func rfc3339(of text: String) -> String? {
    guard let microseconds = CivilTime.iso(text, zone: self) else { return nil }
    let time = Timestamp(microseconds: microseconds)
    // Read as if in UTC, for the digits that microseconds have no room for.
    let exact = Timestamp(rfc3339: "\(text.prefix(10))T\(text.dropFirst(11))Z")
    return exact.map { Timestamp(seconds: time.seconds, nanoseconds: $0.nanoseconds) }?.rfc3339
      ?? time.rfc3339
  }
}
