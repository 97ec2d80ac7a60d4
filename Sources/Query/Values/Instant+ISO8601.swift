extension Instant {
  /// Reads an ISO 8601 time of the extended format.
  ///
  /// With `requiresZone` the text is an RFC 3339 date-time: date, time to the second and zone. Without
  /// it the seconds, the zone (UTC then) or the whole time of day (midnight then) may be missing. The
  /// fraction may have any number of digits, of which nine count; second 60 is the next minute.
  ///
  /// - Complexity: O(length), no allocation.
  init?(iso8601 text: Span<UInt8>, requiresZone: Bool) {
    var fields = TimeFields(count: text.count)
    guard let year = fields.number(text, 4), fields.mark(text, "-"),
      let month = fields.number(text, 2), fields.mark(text, "-"), let day = fields.number(text, 2),
      (1...12).contains(month), (1...CivilDate.dayCount(year: year, month: month)).contains(day)
    else { return nil }
    let midnight = CivilDate(year: year, month: month, day: day).daysSince1970 * 86_400
    self.init(seconds: midnight)
    if fields.isAtEnd {
      guard requiresZone else { return }
      return nil
    }

    guard fields.mark(text, "T") || fields.mark(text, "t") || fields.mark(text, " "),
      let hour = fields.number(text, 2), hour < 24, fields.mark(text, ":"),
      let minute = fields.number(text, 2), minute < 60
    else { return nil }
    seconds += hour * 3_600 + minute * 60
    if fields.mark(text, ":") {
      guard let second = fields.number(text, 2), second <= 60 else { return nil }
      seconds += second
      if fields.mark(text, ".") {
        guard let fraction = fields.fraction(text) else { return nil }
        nanoseconds = fraction
      }
    } else if requiresZone {
      return nil
    }
    if fields.isAtEnd {
      guard requiresZone else { return }
      return nil
    }
    guard let zone = fields.zone(text, requiresColon: requiresZone), fields.isAtEnd else {
      return nil
    }
    seconds -= zone
  }

  /// RFC 3339 in UTC, the fraction as short as it can be; nil outside the years 0 to 9999.
  var rfc3339: String? {
    let date = CivilDate(daysSince1970: seconds.flooringDivision(by: 86_400))
    guard (0...9_999).contains(date.year) else { return nil }
    let second = seconds - date.daysSince1970 * 86_400
    var text =
      "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
      + "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    if nanoseconds > 0 {
      var fraction = padded(Int64(nanoseconds), 9)
      while fraction.last == "0" { fraction.removeLast() }
      text += ".\(fraction)"
    }
    return text + "Z"
  }
}

private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// The fixed-width fields of a time, read one after the other.
private struct TimeFields {
  private let count: Int
  private var position = 0

  init(count: Int) { self.count = count }

  var isAtEnd: Bool { position == count }

  mutating func mark(_ text: Span<UInt8>, _ mark: Unicode.Scalar) -> Bool {
    guard position < count, text[position] == UInt8(ascii: mark) else { return false }
    position += 1
    return true
  }

  mutating func number(_ text: Span<UInt8>, _ width: Int) -> Int64? {
    guard count - position >= width else { return nil }
    var number: Int64 = 0
    for index in position..<position + width {
      guard text[index].isDigit else { return nil }
      number = number * 10 + Int64(text[index] - UInt8(ascii: "0"))
    }
    position += width
    return number
  }

  mutating func fraction(_ text: Span<UInt8>) -> UInt32? {
    let start = position
    var unit: UInt32 = 100_000_000
    var nanoseconds: UInt32 = 0
    while position < count, text[position].isDigit {
      nanoseconds += UInt32(text[position] - UInt8(ascii: "0")) * unit
      unit /= 10
      position += 1
    }
    return position > start ? nanoseconds : nil
  }

  /// Seconds east of UTC.
  mutating func zone(_ text: Span<UInt8>, requiresColon: Bool) -> Int64? {
    if mark(text, "Z") || mark(text, "z") { return 0 }
    let isWest = mark(text, "-")
    guard isWest || mark(text, "+"), let hours = number(text, 2), hours < 24 else { return nil }
    var minutes: Int64 = 0
    if !isAtEnd || requiresColon {
      guard mark(text, ":") || !requiresColon, let number = number(text, 2), number < 60 else {
        return nil
      }
      minutes = number
    }
    return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }
}
