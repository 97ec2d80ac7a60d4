/// How much one event counts as use.
///
/// Start values of the measured model: a deliberate view 2, a passive one 0.5, a view that does
/// not say 1, a chosen search result 2, an edit 1.5; attention multiplies by up to 2.
package enum UseWeight {
  /// A view, by whether it was chosen on purpose and how many seconds it held attention.
  ///
  /// `× (1 + min(1, ln(1 + dwell/20)/ln 10))`; rounded to single precision, as it is stored.
  package static func view(deliberate: Bool?, dwellSeconds: Double?) -> Float {
    let base =
      switch deliberate {
      case true?: 2.0
      case false?: 0.5
      case nil: 1.0
      }
    guard let dwell = dwellSeconds, dwell > 0, dwell.isFinite else { return Float(base) }
    let attention = DeterministicMath.logarithm(1 + dwell / 20) / DeterministicMath.logarithm(10)
    return Float(base * (1 + min(1, attention)))
  }

  /// What nobody asked to see: the source of a redirect, a reload, an embedded page.
  package static let incidental: Float = 0.1
  /// How many times as much visits counted elsewhere weigh in one event: `min(n, 50)^0.7`.
  ///
  /// When they happened is not known, so that they count less than as many events.
  package static func aggregate(_ visits: Double) -> Float {
    guard visits > 1 else { return 1 }
    return Float(DeterministicMath.power(0.7 * DeterministicMath.logarithm(min(visits, 50))))
  }
  /// A search result chosen by the user.
  package static let selection: Float = 2
  /// A change of the item by its user.
  package static let edit: Float = 1.5
}
