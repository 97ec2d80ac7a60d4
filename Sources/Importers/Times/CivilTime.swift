import Values

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
  ) -> Int64? {
    guard (1...12).contains(month), year >= 1, year <= 9999, day >= 1,
      day <= CivilDate.dayCount(year: year, month: month), (0..<24).contains(hour),
      (0..<60).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
    return Int64(days * 86_400 + hour * 3600 + minute * 60 + second) * 1_000_000
  }

  /// A time in one of the forms of ISO 8601 that programs write.
  ///
  /// `2025-01-12T00:00:00.139Z`, `2022-02-08 09:23:37+11:00`, `2016-10-05T07:11:27+0000`, and
  /// without a zone in `zone`.
  static func iso(_ text: String, zone: TimeZone = .utc) -> Int64? {
    var reader = DigitScanner(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2)
    else { return nil }
    if reader.isAtEnd { return utc(year, month, day).map { zone.utc(fromLocal: $0) } }
    guard reader.take("T") || reader.take("t") || reader.take(" "), let hour = reader.number(2),
      reader.take(":"), let minute = reader.number(2)
    else { return nil }
    var second = 0
    if reader.take(":") {
      guard let number = reader.number(2) else { return nil }
      second = number
    }
    guard let whole = utc(year, month, day, hour, minute, second) else { return nil }
    guard let fraction = reader.take(".") || reader.take(",") ? reader.microseconds() : 0 else {
      return nil
    }
    _ = reader.take(" ")
    if reader.isAtEnd { return zone.utc(fromLocal: whole) + Int64(fraction) }
    if reader.take("Z") || reader.take("z")
      || reader.take("U") && reader.take("T") && reader.take("C")
    {
      return reader.isAtEnd ? whole + Int64(fraction) : nil
    }
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    return whole + Int64(fraction) - Int64(offset) * 1_000_000
  }

  /// The month of an English name or its first three letters; from 1.
  static func month(_ name: Substring) -> Int? {
    months.firstIndex(of: name.prefix(3).lowercased()).map { $0 + 1 }
  }

  static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

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
