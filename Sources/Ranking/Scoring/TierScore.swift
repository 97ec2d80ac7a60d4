/// What the tier of a match is worth, and the guards that tiers have.
///
/// Tiers: 4 exactly a title, 3 the beginning of one, 2 in order in one, 1 all words anywhere, 0 not
/// all words or only misspelt ones.
package struct TierScore: Sendable {
  /// The tier of an exact title.
  package static let exactTitle: UInt8 = 4
  /// The tier of misspelt matches, and of those that lack words.
  package static let loose: UInt8 = 0

  /// Whether the lowest tier holds misspelt matches only, which then stand below all others.
  package let guardsMisspelt: Bool

  /// The scores of a query for all its words, or for any.
  package init(guardsMisspelt: Bool) { self.guardsMisspelt = guardsMisspelt }

  package func score(_ tier: UInt8) -> Double { ScoreConstants.current.tierWeight * Double(tier) }

  /// The guard of a tier: `exactGuard` for an exact title, `−fuzzyGuard` for misspelt matches.
  package func guardScore(_ tier: UInt8) -> Double {
    if tier == Self.exactTitle { return ScoreConstants.current.exactGuard }
    return tier == Self.loose && guardsMisspelt ? -ScoreConstants.current.fuzzyGuard : 0
  }

  /// Scores and guards together, by tier.
  package var all: [Double] { (Self.loose...Self.exactTitle).map { score($0) + guardScore($0) } }
}
