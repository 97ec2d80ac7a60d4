import Values

/// What a zone does after the last change that its file lists (RFC 8536 §3.3, POSIX `TZ`), such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Files that are made slim, as most systems have them, list no change after 2007 or so.
struct ZoneRule: Sendable {
  /// A day of each year with a clock, at which a change comes.
  private struct Change {
    enum Day {
      /// 1 to 365; 29 February is never counted.
      case julian(Int)
      /// 0 to 365.
      case ofYear(Int)
      /// Month, week (5 is the last), weekday (0 is Sunday).
      case ofMonth(Int, Int, Int)
    }

    var day: Day
    /// Seconds after 00:00, which may lie in another day.
    var clock: Int64

    /// Seconds from 1970 to it, on the clock that is used until then.
    func seconds(in year: Int) -> Int64 {
      let first = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
      let day =
        switch day {
        case .ofYear(let number): first + number
        case .julian(let number):
          first + number - 1 + (CivilDate.isLeap(year) && number >= 60 ? 1 : 0)
        case .ofMonth(let month, let week, let weekday): Self.day(year, month, week, weekday)
        }
      return Int64(day) * 86_400 + clock
    }

    private static func day(_ year: Int, _ month: Int, _ week: Int, _ weekday: Int) -> Int {
      let first = CivilDate(year: year, month: month, day: 1)
      var day = (weekday + 7 - first.weekday % 7) % 7 + (week - 1) * 7
      while day >= CivilDate.dayCount(year: year, month: month) { day -= 7 }
      return first.daysSinceEpoch + day
    }
  }

  /// Seconds east of UTC.
  private var standard: Int64
  private var summer: (offset: Int64, begin: Change, end: Change)?

  /// Seconds east of UTC at a moment in Unix seconds.
  func offset(at seconds: Int64) -> Int64 {
    guard let summer else { return standard }
    let days = (Double(seconds + standard) / 86_400).rounded(.down)
    let year = CivilDate(daysSinceEpoch: Int(days)).year
    let begin = summer.begin.seconds(in: year) - standard
    let end = summer.end.seconds(in: year) - summer.offset
    let isSummer =
      begin < end ? begin <= seconds && seconds < end : begin <= seconds || seconds < end
    return isSummer ? summer.offset : standard
  }

  /// - Returns: nil for what is no such rule.
  init?(_ text: some Collection<UInt8>) {
    var reader = Reader(rest: Array(text)[...])
    guard reader.name(), let west = reader.clock() else { return nil }
    standard = -west
    if reader.rest.isEmpty { return }
    guard reader.name() else { return nil }
    var offset = standard + 3600
    if reader.rest.first != UInt8(ascii: ",") {
      guard let west = reader.clock() else { return nil }
      offset = -west
    }
    guard let begin = reader.change(), let end = reader.change(), reader.rest.isEmpty else {
      return nil
    }
    summer = (offset, begin, end)
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: sign) else { return false }
      rest = rest.dropFirst()
      return true
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix(4).prefix { $0.isASCIIDigit }
      rest = rest.dropFirst(digits.count)
      let number = Int(String(decoding: digits, as: UTF8.self))
      return number.flatMap { range.contains($0) ? $0 : nil }
    }

    /// `CET`, or `<+03>`.
    mutating func name() -> Bool {
      if skip("<") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
        rest = rest[(end + 1)...]
        return true
      }
      let letters = rest.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
      rest = rest.dropFirst(letters.count)
      return letters.count >= 3
    }

    /// Seconds of `2`, `-1` or `+5:30:00`.
    mutating func clock() -> Int64? {
      let isNegative = skip("-")
      if !isNegative { _ = skip("+") }
      guard let hours = number(0...167) else { return nil }
      var seconds = hours * 3600
      for factor in [60, 1] where skip(":") {
        guard let part = number(0...59) else { return nil }
        seconds += part * factor
      }
      return Int64(isNegative ? -seconds : seconds)
    }

    /// A comma and a day, such as `,M3.5.0/2`.
    mutating func change() -> Change? {
      guard skip(","), let day = day() else { return nil }
      guard skip("/") else { return Change(day: day, clock: 7200) }
      return clock().map { Change(day: day, clock: $0) }
    }

    private mutating func day() -> Change.Day? {
      if skip("J") { return number(1...365).map { .julian($0) } }
      guard skip("M") else { return number(0...365).map { .ofYear($0) } }
      guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
        let weekday = number(0...6)
      else { return nil }
      return .ofMonth(month, week, weekday)
    }
  }
}
