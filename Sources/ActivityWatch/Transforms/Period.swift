/// A span of time: the `Timeslot` that aw-core computes with.
struct Period {
  /// Microseconds since 1970.
  var start: Int64
  /// Microseconds since 1970.
  var end: Int64

  init(_ start: Int64, _ end: Int64) {
    self.start = start
    self.end = end
  }

  init(_ event: QueryEvent) { self.init(event.start, event.end) }

  func contains(_ other: Period) -> Bool { start <= other.start && other.end <= end }

  func intersects(_ other: Period) -> Bool {
    (start <= other.start && other.start < end) || (start < other.end && other.end <= end)
      || other.contains(self)
  }

  /// What both share, in the order of cases that `Timeslot.intersection` has.
  func intersection(_ other: Period) -> Period? {
    if contains(other) { return other }
    if start <= other.start, other.start < end { return Period(other.start, end) }
    if start < other.end, other.end <= end { return Period(start, other.end) }
    return other.contains(self) ? self : nil
  }

  func isApart(from other: Period) -> Bool { end < other.start || other.end < start }
}
