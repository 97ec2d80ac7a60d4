import Glibc
import Values

/// The zone whose clock tells what a day is.
public enum CivilZone: Sendable, Hashable {
  /// UTC.
  case utc
  /// The process's zone: `$TZ`, else the system's.
  case local

  /// Seconds east of UTC at a moment.
  public func offset(at time: Timestamp) -> Int { Int(offset(atSeconds: time.seconds)) }

  /// A time for people to the minute, with its offset: `2026-11-20 09:30+09:00`, or `…Z` for UTC.
  public func text(of time: Timestamp) -> String { "\(minute(of: time))\(offsetText(at: time))" }

  /// The day and the minute, without the offset: `2026-11-20 09:30`.
  public func minute(of time: Timestamp) -> String {
    let shifted = Timestamp(seconds: time.seconds + Int64(offset(at: time)))
    return String(shifted.rfc3339.prefix(16)).replacing("T", with: " ")
  }

  /// The offset as RFC 3339 writes it: `+09:00`, `Z` for none.
  public func offsetText(at time: Timestamp) -> String {
    let minutes = offset(at: time) / 60
    guard minutes != 0 else { return "Z" }
    let size = abs(minutes)
    return (minutes < 0 ? "-" : "+") + String(size / 60, digits: 2) + ":"
      + String(size % 60, digits: 2)
  }

  /// What a clock in the zone shows.
  func civil(_ time: Timestamp) -> CivilDateTime {
    let shown = Timestamp(seconds: time.seconds + Int64(offset(at: time)))
    let days = Int(shown.seconds.flooringDivision(by: 86_400))
    let date = CivilDate(daysSinceEpoch: days)
    let clock = Int(shown.seconds) - days * 86_400
    return CivilDateTime(
      year: date.year, month: date.month, day: date.day, hour: clock / 3_600,
      minute: clock / 60 % 60, second: clock % 60)
  }

  /// When a clock in the zone shows that; nil for a day that there is not.
  ///
  /// Of an hour that a clock shows twice the first is taken, or the `last`; one that it leaves out
  /// is the hour after.
  func timestamp(_ civil: CivilDateTime, last: Bool = false) -> Timestamp? {
    let dayCount = CivilDate.dayCount(year: civil.year, month: civil.month)
    guard (0...9999).contains(civil.year), civil.day >= 1, civil.day <= dayCount,
      (0...23).contains(civil.hour), (0...59).contains(civil.minute),
      (0...59).contains(civil.second)
    else { return nil }
    let shown = Int64(
      civil.date.daysSinceEpoch * 86_400 + civil.hour * 3_600 + civil.minute * 60 + civil.second)
    let seconds = shown - offset(showing: shown, last: last)
    guard seconds >= Timestamp.earliest.seconds, seconds <= Timestamp.latest.seconds else {
      return nil
    }
    return Timestamp(seconds: seconds)
  }

  /// The offset at which a clock shows what one in UTC shows at so many seconds.
  ///
  /// `mktime` is not asked: which of two hours it takes depends on what it was asked before.
  private func offset(showing shown: Int64, last: Bool) -> Int64 {
    let (before, after) = (offset(atSeconds: shown - 86_400), offset(atSeconds: shown + 86_400))
    let choices = last ? [after, before] : [before, after]
    return choices.first { offset(atSeconds: shown - $0) == $0 } ?? before
  }

  /// The first moment at which a clock shows so many seconds, or more where it leaves these out.
  func firstSeconds(showing shown: Int64) -> Int64 {
    let found = shown - offset(showing: shown, last: false)
    let jump = found + offset(atSeconds: found) - shown
    // Left out: the clock is changed some time before, by as much as it is ahead.
    guard jump > 0 else { return found }
    return (found - jump + 1..<found).partitioningIndex { $0 + offset(atSeconds: $0) > shown }
  }

  /// Seconds east of UTC at a moment.
  func offset(atSeconds seconds: Int64) -> Int64 {
    if self == .utc { return 0 }
    var time = time_t(seconds)
    var parts = unsafe tm()
    // SAFETY: the call reads one number and fills the one structure it is given.
    _ = unsafe localtime_r(&time, &parts)
    return unsafe Int64(parts.tm_gmtoff)
  }
}

struct CivilDateTime: Hashable {
  var year: Int
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0

  var date: CivilDate { CivilDate(year: year, month: month, day: day) }

  var startOfDay: CivilDateTime { CivilDateTime(year: year, month: month, day: day) }

  /// So many months later; a day that the month has not becomes its last one.
  func adding(months: Int) -> CivilDateTime {
    var moved = self
    let count = year * 12 + (month - 1) + months
    moved.year = Int((Double(count) / 12).rounded(.down))
    moved.month = count - moved.year * 12 + 1
    moved.day = min(day, CivilDate.dayCount(year: moved.year, month: moved.month))
    return moved
  }

  /// So many days later, by the calendar.
  func adding(days: Int) -> CivilDateTime {
    let moved = CivilDate(daysSinceEpoch: date.daysSinceEpoch + days)
    return CivilDateTime(
      year: moved.year, month: moved.month, day: moved.day, hour: hour, minute: minute,
      second: second)
  }

  /// Days after Monday, 0…6.
  var weekday: Int { date.weekday - 1 }
}
