import Values
import WebMarkup

/// The time in a web server's log: `17/May/2015:10:05:03 +0000`.
enum AccessLogTime {
  /// - Returns: Unix seconds, nil where the text is not such a time.
  static func unixSeconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard text.utf8.count == 26, parts.count == 3, parts[0].utf8.count == 2,
      parts[1].utf8.count == 3, let day = Int(parts[0]),
      let month = WrittenTime.month(named: parts[1])
    else { return nil }
    var scanner = DigitScanner(parts[2])
    guard let year = scanner.number(4), scanner.take(":"), let hour = scanner.number(2),
      scanner.take(":"), let minute = scanner.number(2), scanner.take(":"),
      let second = scanner.number(2), scanner.take(" "), let offset = scanner.offset(),
      let moment = CivilTime.utc(year, month, day, hour, minute, second)
    else { return nil }
    return moment / 1_000_000 - Int64(offset)
  }
}
