import Values

/// An hour of the day, on weekdays or at the weekend, in UTC.
package struct HourOfWeek: Sendable {
  package let hour: Int64
  package let isWeekend: Bool

  /// The hour of a time, microseconds since 1970.
  package init(_ microseconds: Int64) {
    let hours = microseconds.flooringDivision(by: 3_600_000_000)
    let day = hours.flooringDivision(by: 24)
    hour = hours - day * 24
    // 1970-01-01 was a Thursday: day 2 was the first Saturday.
    isWeekend = day - 2 - (day - 2).flooringDivision(by: 7) * 7 < 2
  }

  /// Whether both lie within an hour of each other on the same kind of day.
  package func isNear(_ other: HourOfWeek) -> Bool {
    let distance = abs(hour - other.hour)
    return isWeekend == other.isWeekend && (distance <= 1 || distance == 23)
  }
}
