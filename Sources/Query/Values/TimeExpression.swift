/// A `$time` value, which denotes an interval that depends on the clock of the query.
package enum TimeExpression: Hashable, Sendable {
  /// `$time.now`, or that many seconds from now.
  case now(offset: Int64?)
  /// `$time.today`, or that many days from today.
  case today(offset: Int64?)
  /// `$time.this_week`, or that many weeks from this one.
  case thisWeek(offset: Int64?)
  /// `$time.this_month`, or that many months from this one.
  case thisMonth(offset: Int64?)
  /// `$time.this_year`, or that many years from this one.
  case thisYear(offset: Int64?)
  /// `$time.iso(…)`.
  case instant(Instant)
}
