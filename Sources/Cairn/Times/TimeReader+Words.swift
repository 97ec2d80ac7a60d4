import Values

extension TimeReader {
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// `now`; a day by its name, with or without a clock; a week, a month or a year.
  func named(_ words: [Substring]) -> Span? {
    if words == ["now"] { return Span(now) }
    var words = words[...]
    let last = words.first == "last"
    if last || words.first == "this" { words = words.dropFirst() }
    guard let name = words.popFirst() else { return nil }
    if name.hasSuffix("day") || name == "tomorrow" || Self.weekday(name) != nil {
      guard let day = namedDay(name, isLast: last) else { return nil }
      return onDay(day, words)
    }
    if !last, Self.isClock([name] + words) { return onDay(zone.civil(now), [name] + words) }
    guard words.isEmpty else { return nil }
    let today = zone.civil(now).startOfDay
    let back = last ? 1 : 0
    switch name {
    case "week":
      let monday = today.adding(days: -today.weekday - 7 * back)
      return span(monday, monday.adding(days: 7))
    case "month":
      var first = today
      first.day = 1
      return span(first.adding(months: -back), first.adding(months: 1 - back))
    case "year":
      return span(
        CivilDateTime(year: today.year - back), CivilDateTime(year: today.year - back + 1))
    default: return nil
    }
  }

  private func span(_ from: CivilDateTime, _ next: CivilDateTime) -> Span? {
    guard let start = zone.timestamp(from) else { return nil }
    return Span(start, before: zone.timestamp(next) ?? .latest)
  }

  private static func weekday(_ name: Substring) -> Int? {
    guard name.count >= 3 else { return nil }
    return weekdays.firstIndex { $0.hasPrefix(name) && (name.count == 3 || name.count == $0.count) }
  }

  /// A day of the week is the last one there was, today counted unless it says `last`.
  private func namedDay(_ name: Substring, isLast: Bool) -> CivilDateTime? {
    let today = zone.civil(now).startOfDay
    if let weekday = Self.weekday(name) {
      let back = (today.weekday - weekday + 7) % 7
      return today.adding(days: isLast && back == 0 ? -7 : -back)
    }
    guard !isLast else { return nil }
    switch name {
    case "today": return today
    case "yesterday": return today.adding(days: -1)
    case "tomorrow": return today.adding(days: 1)
    default: return nil
    }
  }

  private func onDay(_ civil: CivilDateTime, _ clock: ArraySlice<Substring>) -> Span? {
    let clock = clock.first == "at" ? clock.dropFirst() : clock
    guard let first = clock.first else { return day(civil) }
    let text = clock.joined(separator: " ")
    let isShort = Self.isClock(clock) && first.prefix(while: \.isNumber).count == 1
    var scanner = DigitScanner(isShort ? "0\(text)" : text)
    return ClockTime(&scanner).flatMap { moment(on: civil, $0) }
  }

  /// `10:15`, `3pm`, `3 pm`.
  private static func isClock(_ words: ArraySlice<Substring>) -> Bool {
    guard words.first?.first?.isNumber == true, let last = words.last else { return false }
    return words.first?.contains(":") == true || last.hasSuffix("am") || last.hasSuffix("pm")
  }

  /// `2h`, `-90d`, `1h30m`, `3 days ago`, `in 2 weeks`, `a month ago`.
  func distance(_ words: [Substring]) throws(CairnError) -> Span? {
    var words = words[...]
    var stated: Int?
    if words.last == "ago" {
      stated = -1
      words = words.dropLast()
    } else if words.first == "in" {
      stated = 1
      words = words.dropFirst()
    }
    var sign = stated ?? (direction == .back ? -1 : 1)
    if let first = words.first?.first, first == "-" || first == "+" {
      sign = first == "-" ? -1 : 1
      // `+2h ago` says both.
      guard stated == nil || stated == sign else { return nil }
      words[words.startIndex] = words[words.startIndex].dropFirst()
    }
    guard let parts = DistanceReader.parts(words), !parts.isEmpty else { return nil }
    var seconds: Int64 = 0
    var months = 0
    for (count, unit) in parts {
      switch unit {
      case .seconds(let size):
        let (product, overflow) = Int64(count).multipliedReportingOverflow(by: size)
        guard !overflow, abs(product) < 1 << 40 else { throw Self.tooFar }
        seconds += product
      case .months(let size): months += count * size
      }
    }
    guard months < 120_000 else { throw Self.tooFar }
    let moved = months == 0 ? now : zone.timestamp(zone.civil(now).adding(months: sign * months))
    guard let moved else { throw Self.tooFar }
    let reached = moved.seconds + Int64(sign) * seconds
    guard reached >= Timestamp.earliest.seconds, reached <= Timestamp.latest.seconds else {
      throw Self.tooFar
    }
    return Span(Timestamp(seconds: reached, nanoseconds: now.nanoseconds))
  }

  private static let tooFar = CairnError(
    .badArgument, "too far from now; times are of the years 0 to 9999")
}
