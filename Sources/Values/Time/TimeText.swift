/// A time as ISO 8601's extended format writes it.
///
/// Source: RFC 3339 §5.6 (grammar), §5.7 (leap seconds).
package struct TimeText {
  /// Seconds after 1970-01-01T00:00:00Z; a 60th second counts as the next one.
  package private(set) var seconds: Int64
  /// Digits of the fraction after the ninth are dropped.
  package private(set) var nanoseconds: UInt32 = 0
  /// Whether the text names a 60th second.
  package private(set) var isLeapSecond = false

  /// Reads a time.
  ///
  /// With `requiresZone` the text is an RFC 3339 date-time: date, time to the second and zone; `t`
  /// and `z` may be lower-case and a blank may stand between date and time. Without it the
  /// seconds, the zone (UTC then) or the whole time of day (midnight then) may be missing.
  /// - Complexity: O(length), no allocation.
  package init?(_ text: Span<UInt8>, requiresZone: Bool) {
    var fields = TimeFields(count: text.count)
    guard let year = fields.number(text, 4), fields.mark(text, "-"),
      let month = fields.number(text, 2), fields.mark(text, "-"), let day = fields.number(text, 2),
      day >= 1, day <= CivilDate.dayCount(year: year, month: month)
    else { return nil }
    seconds = Int64(CivilDate(year: year, month: month, day: day).daysSinceEpoch) * 86_400
    if fields.isAtEnd, !requiresZone { return }
    guard fields.mark(text, "T") || fields.mark(text, "t") || fields.mark(text, " "),
      let hour = fields.number(text, 2), hour < 24, fields.mark(text, ":"),
      let minute = fields.number(text, 2), minute < 60
    else { return nil }
    seconds += Int64(hour * 3_600 + minute * 60)
    if fields.mark(text, ":") {
      guard let second = fields.number(text, 2), second <= 60 else { return nil }
      seconds += Int64(second)
      isLeapSecond = second == 60
      if fields.mark(text, ".") {
        guard let fraction = fields.fraction(text) else { return nil }
        nanoseconds = fraction
      }
    } else if requiresZone {
      return nil
    }
    if fields.isAtEnd, !requiresZone { return }
    guard let zone = fields.zone(text, requiresColon: requiresZone), fields.isAtEnd else {
      return nil
    }
    seconds -= Int64(zone)
  }
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

  mutating func number(_ text: Span<UInt8>, _ width: Int) -> Int? {
    guard count - position >= width else { return nil }
    var number = 0
    for index in position..<position + width {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    position += width
    return number
  }

  mutating func fraction(_ text: Span<UInt8>) -> UInt32? {
    let start = position
    var unit: UInt32 = 100_000_000
    var nanoseconds: UInt32 = 0
    while position < count, text[position] &- UInt8(ascii: "0") < 10 {
      nanoseconds += UInt32(text[position] - UInt8(ascii: "0")) * unit
      unit /= 10
      position += 1
    }
    return position > start ? nanoseconds : nil
  }

  /// Seconds east of UTC.
  mutating func zone(_ text: Span<UInt8>, requiresColon: Bool) -> Int? {
    if mark(text, "Z") || mark(text, "z") { return 0 }
    let isWest = mark(text, "-")
    guard isWest || mark(text, "+"), let hours = number(text, 2), hours < 24 else { return nil }
    var minutes = 0
    if !isAtEnd || requiresColon {
      guard mark(text, ":") || !requiresColon, let number = number(text, 2), number < 60 else {
        return nil
      }
      minutes = number
    }
    return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }
}
