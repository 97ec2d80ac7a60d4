package import Cairn

/// How well formulas would have predicted what a store's own history then used.
package struct Evaluation: Sendable, Hashable {
  package struct Row: Sendable, Hashable {
    package var formula: RankingFormula
    /// Mean reciprocal rank of what was used next; ties take the mean of their ranks.
    package var meanReciprocalRank: Double
    /// Share of uses that stood first.
    package var first: Double
    /// Share of uses that stood among the first three.
    package var firstThree: Double
    /// Share of uses that stood among the first ten.
    package var firstTen: Double
    /// Share of a name's characters that need not be typed until it stands among the first three.
    package var keystrokesSaved: Double
  }

  /// Uses that were predicted, the same ones by every formula.
  package var predictionCount: Int
  /// Occasions the history has, the first thirty included.
  package var occasionCount: Int
  /// Ours first, then the peers', best first.
  package var rows: [Row]
  /// The weights that the whole history leads to.
  package var fittedScales: RankingScales

  package func row(of formula: RankingFormula) -> Row? { rows.first { $0.formula == formula } }
  package var bestPeer: Row? {
    rows.filter { !$0.formula.isOurs }.max { $0.meanReciprocalRank < $1.meanReciprocalRank }
  }
}

/// Ways to rank items by their use.
package enum RankingFormula: String, Sendable, CaseIterable {
  /// Six half-lives: ours.
  case cairn
  /// The same, with the scales weighted by what the history has shown until then.
  case fitted = "cairn-fitted"
  /// The same as a search ranks that is told who asks and what was used just before.
  case context = "cairn-context"
  /// Both: what was learned of the history and what is known of the moment.
  case full = "cairn-full"
  /// rupa/z: rank over age, ranks aged when they sum to 9,000.
  case z
  /// zoxide: rank times a factor by age, ranks aged when they sum to 10,000.
  case zoxide
  /// Firefox since 2024: the latest ten visits, halving in 30 days, scaled to all visits.
  case firefox
  /// Firefox before: the latest ten visits by age in five steps, scaled to all visits.
  case firefoxOld = "firefox-old"
  /// Chrome's quick provider: the latest ten visits by age in days, scaled to all visits.
  case chrome
  /// KDE activities: e^(−days/32), decayed when read.
  case kde
  /// Atuin's daemon: points for the age of the last use and for the logarithm of the count.
  case atuin
  /// Number of uses.
  case count
  /// Time of the last use.
  case recent
}

extension RankingFormula {
  package var isOurs: Bool { place != nil }

  /// Whether it weighs the scales by what the history has shown.
  var isFitted: Bool { self == .fitted || self == .full }

  /// Whether it is told the circumstances.
  var knowsContext: Bool { self == .context || self == .full }

  /// The order of ours; nil for the others.
  var place: Int? { [.cairn, .context, .fitted, .full].firstIndex(of: self) }
}

package struct EvaluationRequest: Sendable, Hashable {
  /// Kinds of events that are predicted; empty: views and selections, or, where there are none,
  /// what was indexed and updated.
  package var kinds: Set<EventKind> = []
  /// Only this actor's events.
  package var actor: String?
  /// Only items in this domain or below it.
  package var domain: String?
  /// The point up to which history is looked at.
  package var point = Point.head
  /// Occasions looked at, spread evenly over the history; nil for all.
  package var sampleCount: Int? = 2_000

  /// Weights for the rows of our own formula that are not fitted.
  package var scales = RankingScales()

  /// Views and selections of everybody.
  package init() {}
}
