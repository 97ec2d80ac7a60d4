/// How much one event counts as use; its numbers are ``FoldConstants``.
package enum UseWeight {
  private static let constants = FoldConstants.current

  /// A view, by whether it was chosen on purpose and how many seconds it held attention.
  ///
  /// `w · (1 + min(1, ln(1 + dwell/attentionSeconds)/ln attentionRange))`; rounded to single
  /// precision, as it is stored.
  package static func view(deliberate: Bool?, dwellSeconds: Double?) -> Float {
    let base =
      switch deliberate {
      case true?: constants.deliberateViewWeight
      case false?: constants.passiveViewWeight
      case nil: constants.viewWeight
      }
    guard let dwell = dwellSeconds, dwell > 0, dwell.isFinite else { return Float(base) }
    let attention =
      DeterministicMath.logarithm(1 + dwell / constants.attentionSeconds)
      / DeterministicMath.logarithm(constants.attentionRange)
    return Float(base * (1 + min(1, attention)))
  }

  /// What nobody asked to see: the source of a redirect, a reload, an embedded page.
  package static let incidental = Float(constants.incidentalViewWeight)
  /// How many times as much visits counted elsewhere weigh in one event:
  /// `min(n, visitCountMax)^visitExponent`.
  ///
  /// When they happened is not known, so that they count less than as many events.
  package static func aggregate(_ visits: Double) -> Float {
    guard visits > 1 else { return 1 }
    let counted = min(visits, constants.visitCountMax)
    return Float(
      DeterministicMath.power(constants.visitExponent * DeterministicMath.logarithm(counted)))
  }
  /// A search result chosen by the user.
  package static let selection = Float(constants.selectionWeight)
  /// A change of the item by its user.
  package static let edit = Float(constants.editWeight)
}
