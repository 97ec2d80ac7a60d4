/// What a filter needs to know besides the record: the clock, the calendar and declared keys.
package struct EvaluationContext: Sendable {
  /// The instant `$time` values start from; fixed when the query starts.
  package var now: Instant
  /// Custom keys that `*` and `**` search besides the catalogue's own.
  package var searchedKeys: [String]
  /// Keys of the catalogue that `*` and `**` leave out.
  package var unsearchedKeys: Set<String> = []
  /// Custom keys whose text values are dates, as those of the catalogue's date attributes are.
  package var dateKeys: [String]

  /// Makes a context.
  ///
  /// The calendar is always Gregorian and UTC; weeks begin on Monday.
  package init(now: Instant, searchedKeys: [String] = [], dateKeys: [String] = []) {
    self.now = now
    self.searchedKeys = searchedKeys
    self.dateKeys = dateKeys
  }
}
