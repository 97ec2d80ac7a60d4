import Values
import WebMarkup

/// Times as mails, OPML and HTTP write them (RFC 822): `Wed, 02 Oct 2002 13:00:00 GMT`.
package enum MailTime {
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// A time in Unix seconds, in UTC.
  package static func text(_ seconds: Int64) -> String {
    let moment = Timestamp(seconds: seconds)
    let date = moment.date
    let clock = moment.rfc3339.dropFirst(11).prefix(8)
    return "\(weekdays[date.weekday - 1]), \(String(date.day, digits: 2)) "
      + "\(WrittenTime.months[date.month - 1]) \(date.year) \(clock) GMT"
  }
}
