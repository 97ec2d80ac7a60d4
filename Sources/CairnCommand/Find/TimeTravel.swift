import Cairn

/// Points of a history that two keys step through: a day back, in the first day an hour, then a
/// minute, then an event; and the same way forth.
struct TimeTravel {
  private var points: [UInt64] = []

  /// The point looked at; nil for the present.
  var sequence: UInt64? { points.last }

  init(at sequence: UInt64?) { if let sequence { points = [sequence] } }

  /// Goes to the end of what was recorded before the day, hour or minute of the point.
  /// - Returns: False where nothing is earlier.
  mutating func goBack(in store: Store) throws(CairnError) -> Bool {
    let current: UInt64
    if let point = points.last { current = point } else { current = try store.at().sequence }
    guard current > 0 else { return false }
    let minute = CivilZone.chosen.minute(of: try store.at(.sequence(current)).clock)
    for start in [String(minute.prefix(10)), minute.prefix(13) + ":00", minute] {
      let moment = try TimeExpression(start, zone: .chosen).start
      let before = try store.at(.time(moment.justBefore)).sequence
      if before > 0, before < current {
        points.append(before)
        return true
      }
    }
    points.append(current - 1)
    return true
  }

  /// Goes back to where the last step began.
  /// - Returns: False in the present.
  mutating func goForward() -> Bool { points.popLast() != nil }
}
