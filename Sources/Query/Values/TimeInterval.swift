import Values

/// What a `$time` value denotes: a half-open stretch of time, or one instant.
struct TimeInterval: Equatable {
  let start: Instant
  /// The first instant after the interval; equal to `start` when it is an instant.
  let end: Instant

  var isInstant: Bool { start == end }

  init(at instant: Instant) {
    start = instant
    end = instant
  }

  private init(days: Range<Int64>) {
    start = Instant(seconds: days.lowerBound * 86_400)
    end = Instant(seconds: days.upperBound * 86_400)
  }

  /// Resolves an expression against a clock.
  ///
  /// Offsets are clamped so far out (a thousand million years) that no date lies beyond.
  init(_ time: TimeExpression, in context: EvaluationContext) {
    let now = context.now
    let today = now.seconds.clamped(Self.dayCountMax * 86_400).flooringDivision(by: 86_400)
    switch time {
    case .instant(let instant): self.init(at: instant)
    case .now(let offset):
      self.init(
        at: Instant(
          seconds: now.seconds.addingSaturating(offset ?? 0), nanoseconds: now.nanoseconds))
    case .today(let offset): self.init(today, offset: offset, step: 1)
    case .thisWeek(let offset): self.init(Self.weekStart(today), offset: offset, step: 7)
    case .thisMonth(let offset):
      self.init(monthsFrom: CivilDate(daysSinceEpoch: Int(today)), offset)
    case .thisYear(let offset): self.init(yearsFrom: CivilDate(daysSinceEpoch: Int(today)), offset)
    }
  }

  private static let dayCountMax: Int64 = 365_000_000_000

  private init(_ day: Int64, offset: Int64?, step: Int64) {
    let first = day + (offset ?? 0).clamped(Self.dayCountMax) * step
    self.init(days: first..<first + step)
  }

  private init(monthsFrom date: CivilDate, _ offset: Int64?) {
    let index = Int64(date.year * 12 + date.month - 1) + (offset ?? 0).clamped(12_000_000_000)
    func firstDay(_ index: Int64) -> Int64 {
      let year = index.flooringDivision(by: 12)
      return Self.day(year, month: index - year * 12 + 1)
    }
    self.init(days: firstDay(index)..<firstDay(index + 1))
  }

  private init(yearsFrom date: CivilDate, _ offset: Int64?) {
    let year = Int64(date.year) + (offset ?? 0).clamped(1_000_000_000)
    self.init(days: Self.day(year, month: 1)..<Self.day(year + 1, month: 1))
  }

  /// The Monday of a day's week, in days since 1970-01-01, a Thursday.
  private static func weekStart(_ day: Int64) -> Int64 { (day + 3).flooringDivision(by: 7) * 7 - 3 }

  /// The first day of a month, in days since 1970-01-01.
  private static func day(_ year: Int64, month: Int64) -> Int64 {
    Int64(CivilDate(year: Int(year), month: Int(month), day: 1).daysSinceEpoch)
  }
}

extension Int64 {
  fileprivate func clamped(_ magnitude: Int64) -> Int64 {
    Swift.min(Swift.max(self, -magnitude), magnitude)
  }
}
