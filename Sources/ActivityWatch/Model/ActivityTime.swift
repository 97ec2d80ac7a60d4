import Values

/// A moment as ActivityWatch writes it: microseconds since 1970, and the zone it was written in.
package struct ActivityTime: Sendable, Equatable {
  /// Microseconds since 1970 in UTC.
  package var microseconds: Int64
  /// Minutes that the zone is ahead of UTC.
  package var zone: Int

  package init(microseconds: Int64, zone: Int = 0) {
    self.microseconds = microseconds
    self.zone = zone
  }

  /// The multiple of 1,000 at or before a number of microseconds.
  static func milliseconds(_ microseconds: Int64) -> Int64 {
    microseconds - modulo(microseconds, 1000)
  }

  static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }
}

extension ActivityTime {
  /// A moment as the Python package `iso8601` reads it: RFC 3339 and ISO 8601 with parts left
  /// out, UTC where no zone is named; nil when the text is none.
  package init?(_ text: String) {
    var scan = DigitScan(Array(text.utf8))
    guard let year = scan.digits(4), year > 0 else { return nil }
    var month = 1
    var day = 1
    if !scan.atEnd {
      let dashed = scan.take("-")
      guard let read = dashed ? scan.digits(1, 2) : scan.digits(2) else { return nil }
      month = read
      if scan.atEnd {
        // 202611 could be a day of another century.
        guard dashed else { return nil }
      } else {
        guard let read = scan.take("-") ? scan.digits(1, 2) : scan.digits(2) else { return nil }
        day = read
      }
    }
    guard (1...12).contains(month), day >= 1,
      day <= CivilDate.dayCount(year: year, month: month)
    else { return nil }
    var seconds = CivilDate(year: year, month: month, day: day).daysSinceEpoch * 86_400
    var fraction = 0
    zone = 0
    if !scan.atEnd {
      guard scan.take("T") || scan.take(" "), let clock = scan.clock() else { return nil }
      seconds += clock.seconds
      fraction = clock.microseconds
      guard let minutes = scan.zone(), scan.atEnd else { return nil }
      zone = minutes
    }
    microseconds = Int64(seconds - zone * 60) * 1_000_000 + Int64(fraction)
  }

  /// The text that Python's `isoformat` gives: the zone as an offset, six digits of a fraction or
  /// none.
  package var isoformat: String {
    let local = microseconds + Int64(zone) * 60_000_000
    let fraction = Self.modulo(local, 1_000_000)
    let seconds = Int((local - fraction) / 1_000_000)
    let second = Int(Self.modulo(Int64(seconds), 86_400))
    let date = CivilDate(daysSinceEpoch: (seconds - second) / 86_400)
    var text = Self.padded(date.year, 4) + "-" + Self.padded(date.month, 2) + "-"
    text += Self.padded(date.day, 2) + "T" + Self.padded(second / 3600, 2) + ":"
    text += Self.padded(second / 60 % 60, 2) + ":" + Self.padded(second % 60, 2)
    if fraction != 0 { text += "." + Self.padded(Int(fraction), 6) }
    let ahead = abs(zone)
    text += zone < 0 ? "-" : "+"
    return text + Self.padded(ahead / 60, 2) + ":" + Self.padded(ahead % 60, 2)
  }

  private static func padded(_ value: Int, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

/// Reads digits and marks from the front of a text.
private struct DigitScan {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var atEnd: Bool { index == bytes.count }

  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
    index += 1
    return true
  }

  /// A number of at least `least` and at most `most` digits.
  mutating func digits(_ least: Int, _ most: Int? = nil) -> Int? {
    let start = index
    var value = 0
    while index < bytes.count, index - start < most ?? least, (0x30...0x39).contains(bytes[index]) {
      value = value * 10 + Int(bytes[index] - 0x30)
      index += 1
    }
    guard index - start >= least else {
      index = start
      return nil
    }
    return value
  }

  /// Hours, and minutes, seconds and a fraction where they are there.
  mutating func clock() -> (seconds: Int, microseconds: Int)? {
    guard let hour = digits(2), hour < 24 else { return nil }
    var minute = 0
    var second = 0
    var fraction = 0
    if let read = part(2) {
      minute = read
      if let read = part(1, 2) {
        second = read
        if take(".") || take(",") {
          guard let read = self.fraction() else { return nil }
          fraction = read
        }
      }
    }
    guard minute < 60, second < 60 else { return nil }
    return (hour * 3600 + minute * 60 + second, fraction)
  }

  private mutating func part(_ least: Int, _ most: Int? = nil) -> Int? {
    let start = index
    _ = take(":")
    if let value = digits(least, most) { return value }
    index = start
    return nil
  }

  private mutating func fraction() -> Int? {
    var value = 0
    var count = 0
    while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
      if count < 6 { value = value * 10 + Int(bytes[index] - 0x30) }
      count += 1
      index += 1
    }
    guard count > 0 else { return nil }
    for _ in 0..<max(0, 6 - count) { value *= 10 }
    return value
  }

  /// Minutes ahead of UTC; 0 where no zone is named.
  mutating func zone() -> Int? {
    if atEnd || take("Z") { return 0 }
    let behind = take("-")
    guard behind || take("+"), let hours = digits(2) else { return nil }
    let minutes = part(2) ?? 0
    guard hours < 24, minutes < 60 else { return nil }
    return (hours * 60 + minutes) * (behind ? -1 : 1)
  }
}
