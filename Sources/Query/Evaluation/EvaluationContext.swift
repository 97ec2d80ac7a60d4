/// What a filter needs to know besides the record: the clock, the calendar and declared keys.
package struct EvaluationContext: Sendable {
  /// Days of the week; the raw value counts from Monday = 0.
  package enum Weekday: Int64, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
  }

  /// The instant `$time` values start from; fixed when the query starts.
  package var now: Instant
  /// The day `$time.this_week` starts on.
  package var firstWeekday: Weekday
  /// Custom keys that `*` and `**` search besides the catalogue's own.
  package var searchedKeys: [String]
  /// Custom keys whose text values are dates, as those of the catalogue's date attributes are.
  package var dateKeys: [String]

  /// Makes a context.
  ///
  /// The calendar is always Gregorian and UTC.
  package init(
    now: Instant, firstWeekday: Weekday = .monday, searchedKeys: [String] = [],
    dateKeys: [String] = []
  ) {
    self.now = now
    self.firstWeekday = firstWeekday
    self.searchedKeys = searchedKeys
    self.dateKeys = dateKeys
  }
}
