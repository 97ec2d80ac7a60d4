/// Halving with time.
package enum Decay {
  private static let daySeconds = 86_400.0

  /// What is left after the time between two moments; 1 when the second is not later.
  /// - Complexity: O(1).
  package static func factor(fromMicroseconds: Int64, to now: Int64, halfLifeDays: Double) -> Double
  {
    guard now > fromMicroseconds else { return 1 }
    let (difference, overflow) = now.subtractingReportingOverflow(fromMicroseconds)
    let seconds = overflow ? 9.3e12 : Double(difference) / 1_000_000
    return DeterministicMath.power(-seconds / (halfLifeDays * daySeconds))
  }
}
