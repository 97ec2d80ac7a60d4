import Values

/// Reads a time as people write it.
struct TimeReader {
  struct Span: Equatable {
    var start: Timestamp
    var end: Timestamp

    init(_ moment: Timestamp) { (start, end) = (moment, moment) }

    /// From a moment up to the nanosecond before another.
    init(_ start: Timestamp, before next: Timestamp) {
      self.start = start
      end = next.justBefore
    }
  }

  let now: Timestamp
  let zone: CivilZone
  let direction: TimeExpression.Direction

  /// Nil for what is no time.
  func read(_ given: String) throws(CairnError) -> Span? {
    let words = given.split(whereSeparator: \.isWhitespace)
    // Others write months so: a purge before `3M` must not mean three minutes.
    for word in words
    where word.last == "M" && word.dropLast().last?.isWholeNumber == true {
      throw CairnError(.badArgument, "is M months or minutes? write them as in 3mo or 3m")
    }
    let text = words.joined(separator: " ").lowercased()
    // Who takes digits for something else, such as an event's number, has not seen these.
    if text.utf8.count < given.utf8.count, Double(text) != nil { return nil }
    if let time = Timestamp(rfc3339: text) { return Span(time) }
    if let span = try number(text) { return span }
    if let span = calendar(text[...]) { return span }
    try requireDay(text.prefix(10))
    let parts = text.split { $0 == " " || $0 == "," }
    guard !parts.isEmpty else { return nil }
    if let span = named(parts) { return span }
    return try distance(parts)
  }

  /// Refuses what has the form of a day and is none, as the 30th of February.
  private func requireDay(_ text: Substring) throws(CairnError) {
    var scanner = DigitScanner(text)
    guard scanner.number(4) != nil, scanner.take("-"), scanner.number(2) != nil,
      scanner.take("-"), scanner.number(2) != nil, scanner.isAtEnd, calendar(text) == nil
    else { return }
    throw CairnError(.badArgument, "the calendar has no such day")
  }

  /// `2026`, or Unix seconds that can be meant: until the year 2200.
  private func number(_ text: String) throws(CairnError) -> Span? {
    guard text.utf8.contains(where: \.isASCIIDigit),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x65].contains($0) }),
      !text.hasPrefix("+"), let value = Double(text), value.isFinite
    else { return nil }
    let isWhole = text.utf8.allSatisfy(\.isASCIIDigit)
    if isWhole, text.utf8.count == 4 { return calendar(text[...]) }
    if isWhole, text.utf8.count == 8, hyphenated(text) != nil {
      throw CairnError(
        .badArgument, "a date or Unix seconds? write a date with its hyphens: 2026-11-20")
    }
    let latest = 7_258_118_400.0
    if value <= latest, value >= Double(Timestamp.earliest.seconds) {
      return Span(Self.moment(decimal: text) ?? Timestamp(unixSeconds: value))
    }
    for (unit, size) in [("milliseconds", 1e3), ("microseconds", 1e6), ("nanoseconds", 1e9)]
    where abs(value / size) <= latest {
      let seconds = Int64((value / size).rounded(.down))
      throw CairnError(.badArgument, "that many are \(unit); write seconds: \(seconds)")
    }
    throw CairnError(.badArgument, "Unix seconds beyond the year 2200")
  }

  /// The moment that digits say: a double has no room for today's nanoseconds.
  ///
  /// Digits after the ninth are dropped, as of an event's time; nil where there is an exponent.
  private static func moment(decimal text: String) -> Timestamp? {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0)
      .split(separator: ".", omittingEmptySubsequences: false)
    guard !text.contains("e"), let first = parts.first,
      let whole = Int64(first.isEmpty ? "0" : first)
    else { return nil }
    var nanoseconds: UInt32 = 0
    if parts.count > 1, !parts[1].isEmpty {
      let digits = parts[1].prefix(9)
      guard let number = UInt32(digits) else { return nil }
      nanoseconds = (digits.count..<9).reduce(number) { (value, _) in value * 10 }
    }
    guard isNegative else { return Timestamp(seconds: whole, nanoseconds: nanoseconds) }
    return nanoseconds == 0
      ? Timestamp(seconds: -whole)
      : Timestamp(seconds: -whole - 1, nanoseconds: 1_000_000_000 - nanoseconds)
  }

  private func hyphenated(_ digits: String) -> Span? {
    let year = digits.prefix(4)
    let rest = digits.dropFirst(4)
    return calendar("\(year)-\(rest.prefix(2))-\(rest.suffix(2))")
  }

  /// Beginnings of RFC 3339 times, from a year to seconds, with or without an offset.
  private func calendar(_ text: Substring) -> Span? {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(4) else { return nil }
    var civil = CivilDateTime(year: year)
    var next = CivilDateTime(year: year + 1)
    if scanner.take("-") {
      guard let month = scanner.number(2) else { return nil }
      civil.month = month
      next = civil.adding(months: 1)
      if scanner.take("-") {
        guard let day = scanner.number(2) else { return nil }
        civil.day = day
        guard scanner.take("t") || scanner.take(" ") else {
          guard scanner.isAtEnd, let start = zone.timestamp(civil) else { return nil }
          return dayStarting(civil, start)
        }
        guard let clock = ClockTime(&scanner) else { return nil }
        return moment(on: civil, clock)
      }
    }
    guard scanner.isAtEnd, let start = zone.timestamp(civil) else { return nil }
    return Span(start, before: zone.timestamp(next) ?? .latest)
  }

  func dayStarting(_ civil: CivilDateTime, _ start: Timestamp) -> Span {
    Span(start, before: zone.timestamp(civil.startOfDay.adding(days: 1)) ?? .latest)
  }

  func day(_ civil: CivilDateTime) -> Span? {
    zone.timestamp(civil.startOfDay).map { dayStarting(civil, $0) }
  }

  /// A clock on a day: to the hour, the minute, the second, or a fraction of it.
  func moment(on civil: CivilDateTime, _ clock: ClockTime) -> Span? {
    var civil = civil
    (civil.hour, civil.minute, civil.second) = (clock.hour, clock.minute, clock.second)
    let offset = Int64(clock.offset ?? 0)
    let zone = clock.offset == nil ? zone : .utc
    var lastSecond = civil
    if clock.spanSeconds > 60 { lastSecond.minute = 59 }
    if clock.spanSeconds > 1 { lastSecond.second = 59 }
    // An hour that a clock shows half of again ends later than one hour after its beginning.
    guard let first = zone.timestamp(civil), let last = zone.timestamp(lastSecond, last: true)
    else { return nil }
    let start = Timestamp(seconds: first.seconds - offset, nanoseconds: clock.nanoseconds)
    guard clock.spanSeconds > 0 else { return Span(start) }
    return Span(start, before: Timestamp(seconds: last.seconds - offset + 1))
  }
}
