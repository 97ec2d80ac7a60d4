import Glibc

/// The zone whose clock tells what a day is.
public enum CivilZone: Sendable, Hashable {
  /// UTC.
  case utc
  /// The process's zone: `$TZ`, else the system's.
  case local

  /// Seconds east of UTC at a moment.
  public func offset(at time: Timestamp) -> Int {
    self == .utc ? 0 : unsafe Int(parts(of: time).tm_gmtoff)
  }

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
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let size = abs(minutes)
    return "\(minutes < 0 ? "-" : "+")\(two(size / 60)):\(two(size % 60))"
  }

  /// What a clock in the zone shows.
  func civil(_ time: Timestamp) -> CivilTime {
    let parts = unsafe parts(of: time)
    return unsafe CivilTime(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }

  /// When a clock in the zone shows that; nil for a day that there is not.
  ///
  /// Of an hour that a clock shows twice the first is taken, or the `last`; one that it leaves out
  /// is the hour after.
  func timestamp(_ civil: CivilTime, last: Bool = false) -> Timestamp? {
    guard (1...12).contains(civil.month), (1...31).contains(civil.day),
      (0...23).contains(civil.hour),
      (0...59).contains(civil.minute), (0...59).contains(civil.second),
      (0...9999).contains(civil.year)
    else { return nil }
    var parts = unsafe tm()
    unsafe parts.tm_year = Int32(civil.year - 1900)
    unsafe parts.tm_mon = Int32(civil.month - 1)
    unsafe parts.tm_mday = Int32(civil.day)
    unsafe parts.tm_hour = Int32(civil.hour)
    unsafe parts.tm_min = Int32(civil.minute)
    unsafe parts.tm_sec = Int32(civil.second)
    // SAFETY: the call reads and normalises the one structure it is given.
    let shown = unsafe Int64(timegm(&parts))
    guard unsafe parts.tm_mon == civil.month - 1, unsafe parts.tm_mday == civil.day else {
      return nil
    }
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
    if self == .utc { return 0 }
    let (before, after) = (offset(atSeconds: shown - 86_400), offset(atSeconds: shown + 86_400))
    let choices = last ? [after, before] : [before, after]
    return choices.first { offset(atSeconds: shown - $0) == $0 } ?? before
  }

  private func offset(atSeconds seconds: Int64) -> Int64 {
    Int64(offset(at: Timestamp(seconds: seconds)))
  }

  private func parts(of time: Timestamp) -> tm {
    var seconds = time_t(time.seconds)
    var parts = unsafe tm()
    // SAFETY: the calls read one number and fill the one structure they are given.
    _ = self == .utc ? unsafe gmtime_r(&seconds, &parts) : unsafe localtime_r(&seconds, &parts)
    return unsafe parts
  }
}

/// What a calendar and a clock show.
struct CivilTime: Hashable {
  var year: Int
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0

  /// The same day at its beginning.
  var startOfDay: CivilTime { CivilTime(year: year, month: month, day: day) }

  /// So many months later; a day that the month has not becomes its last one.
  func adding(months: Int) -> CivilTime {
    var moved = self
    let count = year * 12 + (month - 1) + months
    moved.year = Int((Double(count) / 12).rounded(.down))
    moved.month = count - moved.year * 12 + 1
    moved.day = min(day, Self.dayCount(moved.year, moved.month))
    return moved
  }

  /// So many days later, by the calendar.
  func adding(days: Int) -> CivilTime {
    let moved = Timestamp(
      seconds: (CivilZone.utc.timestamp(self)?.seconds ?? 0) + Int64(days) * 86_400)
    var day = CivilZone.utc.civil(moved)
    (day.hour, day.minute, day.second) = (hour, minute, second)
    return day
  }

  /// Days after Monday, 0…6.
  var weekday: Int {
    let days = Int(((CivilZone.utc.timestamp(startOfDay)?.seconds ?? 0) / 86_400) % 7)
    // 1970-01-01 was a Thursday.
    return (days + 3 + 7) % 7
  }

  private static func dayCount(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
