/// The time in a web server's log: `17/May/2015:10:05:03 +0000`.
enum AccessLogTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// - Returns: Unix seconds, nil where the text is not such a time.
  static func unixSeconds(_ text: Substring) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 26, bytes[2] == UInt8(ascii: "/"), bytes[6] == UInt8(ascii: "/"),
      bytes[11] == UInt8(ascii: ":"), bytes[14] == UInt8(ascii: ":"),
      bytes[17] == UInt8(ascii: ":"), bytes[20] == UInt8(ascii: " "),
      let month = months.firstIndex(of: String(decoding: bytes[3..<6], as: UTF8.self)),
      let day = number(bytes[0..<2]), let year = number(bytes[7..<11]),
      let hour = number(bytes[12..<14]), let minute = number(bytes[15..<17]),
      let second = number(bytes[18..<20]), let offset = offset(bytes[21..<26]),
      (1...daysInMonth(month + 1, year)).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = daysSinceEpoch(year: year, month: Int64(month + 1), day: day)
    return days * 86_400 + hour * 3_600 + minute * 60 + second - offset
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    digits.allSatisfy { (0x30...0x39).contains($0) }
      ? Int64(String(decoding: digits, as: UTF8.self)) : nil
  }

  /// `+0130` in seconds.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
    guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = number(text.dropFirst().prefix(2)), let minutes = number(text.suffix(2)),
      minutes < 60
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  private static func daysInMonth(_ month: Int, _ year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Howard Hinnant's `days_from_civil` (https://howardhinnant.github.io/date_algorithms.html).
  private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
