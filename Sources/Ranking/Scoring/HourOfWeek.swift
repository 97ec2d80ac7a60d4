/// An hour of the day, on weekdays or at the weekend, in UTC.
package struct HourOfWeek: Sendable {
  package let hour: Int64
  package let isWeekend: Bool

  /// The hour of a time, microseconds since 1970.
  package init(_ microseconds: Int64) {
    let hours = microseconds / 3_600_000_000 - (microseconds % 3_600_000_000 < 0 ? 1 : 0)
    let day = (hours - Self.modulo(hours, 24)) / 24
    hour = Self.modulo(hours, 24)
    // 1970-01-01 was a Thursday: day 2 was the first Saturday.
    isWeekend = Self.modulo(day - 2, 7) < 2
  }

  /// Whether both lie within an hour of each other on the same kind of day.
  package func isNear(_ other: HourOfWeek) -> Bool {
    let distance = Self.modulo(hour - other.hour, 24)
    return isWeekend == other.isWeekend && (distance <= 1 || distance == 23)
  }

  private static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
