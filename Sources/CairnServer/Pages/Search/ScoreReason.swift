import Cairn

/// One term of a score, in words, with the events behind it.
struct ScoreReason {
  let words: String
  let score: Double
  var events: [UInt64] = []

  /// The terms that say something, the weightiest first.
  static func list(_ explanation: ScoreExplanation) -> [ScoreReason] {
    let terms = words(explanation) + use(explanation) + choices(explanation)
    return terms.filter { $0.score != 0 }.sorted { abs($0.score) > abs($1.score) }
  }

  private static func words(_ explanation: ScoreExplanation) -> [ScoreReason] {
    let tier =
      switch explanation.tier {
      case 4: "The title is exactly what you typed"
      case 3: "The title begins with what you typed"
      case 2: "A title has your words in order"
      case 1: "All of your words are in it"
      default: "Some of your words are in it"
      }
    var reasons = [ScoreReason(words: tier, score: explanation.tierScore)]
    let found = explanation.words.map { word in
      word.isTypo ? "\(word.term) (spelt another way)" : word.term
    }
    reasons.append(
      ScoreReason(
        words: "How often and where the words stand: " + found.joined(separator: ", "),
        score: explanation.textScore))
    let guarded =
      explanation.guardScore < 0
      ? "Only a misspelling was found, which comes after what was typed"
      : "An exact title, or what you always choose, comes first"
    reasons.append(ScoreReason(words: guarded, score: explanation.guardScore))
    return reasons
  }

  private static func use(_ explanation: ScoreExplanation) -> [ScoreReason] {
    [
      ScoreReason(
        words: "You use it, lately or often", score: explanation.useScore,
        events: explanation.uses),
      ScoreReason(
        words: "You left it at once, or asked for less of it", score: explanation.dislikeScore,
        events: explanation.resultEvents),
      ScoreReason(
        words: "It fits where, when and after what you ask", score: explanation.contextScore),
      ScoreReason(words: "It is slow to open", score: explanation.latencyScore),
    ]
  }

  private static func choices(_ explanation: ScoreExplanation) -> [ScoreReason] {
    [
      ScoreReason(
        words: "You chose it for these words before", score: explanation.learnedScore,
        events: explanation.choiceEvents),
      ScoreReason(
        words: "It is what you chose last for these words", score: explanation.latestChoiceScore,
        events: explanation.choiceEvents),
      ScoreReason(
        words: "How often it is chosen when it is shown", score: explanation.engagementScore,
        events: explanation.resultEvents),
      ScoreReason(
        words: "Results of its domain are shown much and chosen little",
        score: explanation.domainScore, events: explanation.domainEvents),
    ]
  }
}
