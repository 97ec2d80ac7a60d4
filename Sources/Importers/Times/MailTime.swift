import Values

/// Times as mails and OPML write them (RFC 822): `Wed, 02 Oct 2002 13:00:00 +0200`.
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

  /// Microseconds since 1970; nil for what is no such time.
  static func microseconds(_ text: String) -> Int64? {
    var words = text.split(separator: " ")[...]
    if words.first?.last == "," { words = words.dropFirst() }
    guard let day = words.popFirst().flatMap({ Int($0) }),
      let month = words.popFirst().flatMap({ CivilTime.month($0) }),
      let year = words.popFirst().flatMap({ Int($0) }),
      let clock = words.popFirst()?.split(separator: ":").map({ Int($0) ?? -1 }),
      clock.count == 2 || clock.count == 3,
      let whole = CivilTime.utc(
        year, month, day, clock[0], clock[1], clock.count > 2 ? clock[2] : 0)
    else { return nil }
    guard let zone = words.first, !["GMT", "UT", "UTC", "Z"].contains(zone) else { return whole }
    var offset = DigitScanner(zone)
    return offset.offset().map { whole - Int64($0) * 1_000_000 }
  }
}
