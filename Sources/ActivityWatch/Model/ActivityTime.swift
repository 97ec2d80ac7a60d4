import Values

/// A moment as ActivityWatch writes it: microseconds since 1970, and the zone it was written in.
package struct ActivityTime: Sendable, Equatable {
  /// Microseconds since 1970 in UTC.
  package var microseconds: Int64
  /// Minutes that the zone is ahead of UTC.
  package var zone: Int

  /// A moment in UTC.
  package init(microseconds: Int64) {
    self.microseconds = microseconds
    zone = 0
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
    var scan = DigitScanner(text)
    guard let year = scan.number(4), year > 0 else { return nil }
    var month = 1
    var day = 1
    if !scan.isAtEnd {
      let dashed = scan.take("-")
      guard let read = dashed ? scan.number(1...2) : scan.number(2) else { return nil }
      month = read
      if scan.isAtEnd {
        // 202611 could be a day of another century.
        guard dashed else { return nil }
      } else {
        guard let read = scan.take("-") ? scan.number(1...2) : scan.number(2) else { return nil }
        day = read
      }
    }
    guard (1...12).contains(month), day >= 1, day <= CivilDate.dayCount(year: year, month: month)
    else { return nil }
    var seconds = CivilDate(year: year, month: month, day: day).daysSinceEpoch * 86_400
    var fraction = 0
    zone = 0
    if !scan.isAtEnd {
      guard scan.take("T") || scan.take(" "), let clock = scan.clock() else { return nil }
      seconds += clock.seconds
      fraction = clock.microseconds
      guard let minutes = scan.zone(), scan.isAtEnd else { return nil }
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
    var text = String(date.year, digits: 4) + "-" + String(date.month, digits: 2) + "-"
    text += String(date.day, digits: 2) + "T" + String(second / 3600, digits: 2) + ":"
    text += String(second / 60 % 60, digits: 2) + ":" + String(second % 60, digits: 2)
    if fraction != 0 { text += "." + String(Int(fraction), digits: 6) }
    let ahead = abs(zone)
    text += zone < 0 ? "-" : "+"
    return text + String(ahead / 60, digits: 2) + ":" + String(ahead % 60, digits: 2)
  }
}

extension DigitScanner {
  /// Hours, and minutes, seconds and a fraction where they are there.
  fileprivate mutating func clock() -> (seconds: Int, microseconds: Int)? {
    guard let hour = number(2), hour < 24 else { return nil }
    var (minute, second, fraction) = (0, 0, 0)
    if let read = part(2...2) {
      minute = read
      if let read = part(1...2) {
        second = read
        if take(".") || take(",") {
          guard let read = microseconds() else { return nil }
          fraction = read
        }
      }
    }
    guard minute < 60, second < 60 else { return nil }
    return (hour * 3600 + minute * 60 + second, fraction)
  }

  private mutating func part(_ counts: ClosedRange<Int>) -> Int? {
    let before = self
    _ = take(":")
    if let value = number(counts) { return value }
    self = before
    return nil
  }

  /// Minutes ahead of UTC; 0 where no zone is named.
  fileprivate mutating func zone() -> Int? { isAtEnd || take("Z") ? 0 : offset().map { $0 / 60 } }
}
