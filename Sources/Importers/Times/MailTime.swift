import Values

/// Times as mails, OPML and HTTP write them (RFC 822): `Wed, 02 Oct 2002 13:00:00 +0200`.
package enum MailTime {
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// A time in Unix seconds, in UTC.
  package static func text(_ seconds: Int64) -> String {
    let moment = Timestamp(seconds: seconds)
    let date = moment.date
    let month = CivilTime.months[date.month - 1]
    let name = month.prefix(1).uppercased() + month.dropFirst()
    let clock = moment.rfc3339.dropFirst(11).prefix(8)
    return "\(weekdays[date.weekday - 1]), \(String(date.day, digits: 2)) \(name) \(date.year) "
      + "\(clock) GMT"
  }

  /// Hours east of UTC.
  private static let zones: [String: Int64] = [
    "GMT": 0, "UT": 0, "UTC": 0, "Z": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7,
    "MDT": -6, "PST": -8, "PDT": -7,
  ]

  /// Microseconds since 1970; nil for what is no such time.
  static func microseconds(_ text: String) -> Int64? {
    var words = text.split { $0 == " " || $0 == "," }[...]
    // The day of the week says nothing more.
    if let first = words.first, Int(first) == nil { words = words.dropFirst() }
    guard let day = words.popFirst().flatMap({ Int($0) }),
      let month = words.popFirst().flatMap({ CivilTime.month($0) }),
      let year = words.popFirst().flatMap({ UInt16($0) }).map(Int.init),
      let clock = words.popFirst()?.split(separator: ":").map({ Int($0) ?? -1 }),
      clock.count == 2 || clock.count == 3,
      let whole = CivilTime.utc(
        fullYear(year), month, day, clock[0], clock[1], clock.count > 2 ? clock[2] : 0)
    else { return nil }
    guard let zone = words.first else { return whole }
    if let hours = zones[String(zone)] { return whole - hours * 3_600_000_000 }
    var offset = DigitScanner(zone)
    return offset.offset().map { whole - Int64($0) * 1_000_000 }
  }

  /// Years of two digits are those from 1950 to 2049 (RFC 5322 §4.3).
  private static func fullYear(_ year: Int) -> Int {
    if year < 50 { year + 2000 } else if year < 100 { year + 1900 } else { year }
  }
}
