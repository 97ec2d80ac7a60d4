import Values

/// What a clock showed, as programs of all kinds write it: a day, mostly a time, perhaps a zone.
package struct WrittenTime {
  private let date: CivilDate
  private let clock: (hour: Int, minute: Int, second: Int)
  /// Digits of a fraction of the second as they stand there, none for none.
  private var fraction = ""
  /// Seconds east of UTC; nil where the text does not say.
  package private(set) var offset: Int?

  /// - Returns: nil where there is no such day or time; of a leap second there is.
  package init?(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0
  ) {
    guard (1...9999).contains(year), day >= 1,
      day <= CivilDate.dayCount(year: year, month: month), (0..<24).contains(hour),
      (0..<60).contains(minute), (0...60).contains(second)
    else { return nil }
    date = CivilDate(year: year, month: month, day: day)
    clock = (hour, minute, second)
  }

  /// A time in one of the forms of ISO 8601 that programs write.
  ///
  /// `2025-01-12T00:00:00.139Z`, `2022-02-08 09:23:37+11:00`, `2016-10-05T07:11:27+0000`; zone,
  /// seconds and time may be missing.
  package init?(iso text: String) {
    var scan = DigitScanner(text)
    guard let year = scan.number(4), scan.take("-"), let month = scan.number(2), scan.take("-"),
      let day = scan.number(2)
    else { return nil }
    guard !scan.isAtEnd else {
      self.init(year, month, day)
      return
    }
    guard scan.take("T") || scan.take("t") || scan.take(" "), let hour = scan.number(2),
      scan.take(":"), let minute = scan.number(2)
    else { return nil }
    let hasSeconds = scan.take(":")
    guard let second = hasSeconds ? scan.number(2) : 0 else { return nil }
    self.init(year, month, day, hour, minute, second)
    if hasSeconds, scan.take(".") || scan.take(",") {
      fraction = scan.digits()
      if fraction.isEmpty { return nil }
    }
    _ = scan.take(" ")
    if scan.isAtEnd { return }
    offset = scan.take("Z") || scan.take("z") || scan.take(word: "UTC") ? 0 : scan.offset()
    guard offset != nil, scan.isAtEnd else { return nil }
  }

  /// A time as mails, OPML and HTTP write it (RFC 822): `Wed, 02 Oct 2002 13:00:00 +0200`.
  package init?(mail text: String) {
    var words = text.split { $0 == " " || $0 == "," }[...]
    // The day of the week says nothing more.
    if let first = words.first, Int(first) == nil { words = words.dropFirst() }
    guard let day = words.popFirst().flatMap({ Int($0) }),
      let month = words.popFirst().flatMap({ Self.month(named: $0) }),
      let year = words.popFirst().flatMap({ UInt16($0) }).map(Int.init),
      let clock = words.popFirst()?.split(separator: ":").map({ part in
        Int(part.prefix { $0 != "." }) ?? -1
      }),
      clock.count == 2 || clock.count == 3
    else { return nil }
    self.init(
      Self.fullYear(year), month, day, clock[0], clock[1], clock.count > 2 ? clock[2] : 0)
    guard let zone = words.first else { return }
    var scan = DigitScanner(zone)
    offset = Self.zones[String(zone)].map { $0 * 3_600 } ?? scan.offset()
    if offset == nil { return nil }
  }

  /// Hours east of UTC.
  private static let zones = [
    "GMT": 0, "UT": 0, "UTC": 0, "Z": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7,
    "MDT": -6, "PST": -8, "PDT": -7,
  ]

  /// Years of two digits are those from 1950 to 2049 (RFC 5322 §4.3).
  private static func fullYear(_ year: Int) -> Int {
    if year < 50 { year + 2000 } else if year < 100 { year + 1900 } else { year }
  }

  /// Microseconds since 1970, in UTC where the text names no zone.
  package var microseconds: Int64 {
    let days = date.daysSinceEpoch * 86_400
    let seconds = days + clock.hour * 3_600 + clock.minute * 60 + clock.second - (offset ?? 0)
    let micros = fraction.isEmpty ? 0 : Int64((fraction + "00000").prefix(6)) ?? 0
    return Int64(seconds) * 1_000_000 + micros
  }

  /// As RFC 3339 has it, in its own zone, which is UTC where the text names none.
  package var rfc3339: String {
    let day = [String(date.year, digits: 4)] + [date.month, date.day].map { String($0, digits: 2) }
    let clock = [clock.hour, clock.minute, clock.second].map { String($0, digits: 2) }
    let minutes = (offset ?? 0) / 60
    return day.joined(separator: "-") + "T" + clock.joined(separator: ":")
      + (fraction.isEmpty ? "" : ".\(fraction)")
      + (minutes == 0 ? "Z" : Self.text(ofMinutes: minutes))
  }

  private static func text(ofMinutes minutes: Int) -> String {
    let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
    return (minutes < 0 ? "-" : "+") + String(hours, digits: 2) + ":" + String(rest, digits: 2)
  }

  package static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let monthNames = months.map { $0.lowercased() }

  /// The month of an English name or its first three letters; from 1.
  package static func month(named name: Substring) -> Int? {
    monthNames.firstIndex(of: name.prefix(3).lowercased()).map { $0 + 1 }
  }
}
