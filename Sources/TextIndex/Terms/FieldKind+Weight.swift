extension TextIndex.FieldKind {
  /// The kind whose weight is nearest to this one's times a factor.
  ///
  /// Only a title stays one: what stands in a title counts for more than its weight. Body text is
  /// weighed by its length otherwise than the rest, so that a word of it can count for more than
  /// one of a kind with a greater weight: it stays what it is, and nothing else becomes it. The
  /// others score as their weights say up to some fifty words.
  package func weighted(by factor: Double) -> TextIndex.FieldKind {
    let wanted = ScoreFormula.fieldWeights[Int(rawValue)] * factor
    guard self != .text, factor != 1, wanted > 0 else { return self }
    var nearest = self
    var least = Double.infinity
    for kind in TextIndex.FieldKind.allCases
    where kind != .text && (self == .title || kind != .title) {
      let weight = ScoreFormula.fieldWeights[Int(kind.rawValue)]
      let distance = max(weight / wanted, wanted / weight)
      if distance < least { (nearest, least) = (kind, distance) }
    }
    return nearest
  }
}
