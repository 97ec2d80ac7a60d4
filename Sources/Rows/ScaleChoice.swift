package import Cairn
import Evaluation

/// Six multipliers of the time scales and, if wanted, one of what follows, between commas, or `fit`
/// for those that the history shows.
package enum ScaleChoice {
  case given(RankingScales)
  case fit

  package init?(_ argument: String) {
    if argument == "fit" {
      self = .fit
      return
    }
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { text in
      Double(text.trimmingPrefix(" ")) ?? .nan
    }
    let follow = numbers.count > 6 ? numbers[6...] : [1]
    guard follow.count == 1, let followMultiplier = follow.first,
      let scales = RankingScales(
        multipliers: Array(numbers.prefix(6)), followMultiplier: followMultiplier)
    else { return nil }
    self = .given(scales)
  }

  /// The weights for a moment: from the events until then, where they are to be fitted.
  package func scales(at moment: Moment) throws(CairnError) -> RankingScales {
    switch self {
    case .given(let scales): scales
    case .fit: try moment.fittedScales()
    }
  }
}
