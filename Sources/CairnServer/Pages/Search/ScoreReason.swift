import Cairn

/// One term of a score, in words, with the events behind it.
struct ScoreReason {
  let words: String
  let score: Double
  let events: [UInt64]

  /// The terms that say something, the weightiest first.
  static func list(_ explanation: ScoreExplanation) -> [ScoreReason] {
    let terms: [(String, Double, [UInt64])] = [
      (tier(explanation), explanation.tierScore, []),
      (found(explanation), explanation.textScore, []),
      (guarded(explanation), explanation.guardScore, []),
      ("You use it, lately or often", explanation.useScore, explanation.uses),
      (
        "You left it at once, or asked for less of it", explanation.dislikeScore,
        explanation.resultEvents
      ),
      ("It fits where, when and after what you ask", explanation.contextScore, []),
      ("It is slow to open", explanation.latencyScore, []),
      (
        "You chose it for these words before", explanation.learnedScore, explanation.choiceEvents
      ),
      (
        "It is what you chose last for these words", explanation.latestChoiceScore,
        explanation.choiceEvents
      ),
      (
        "How often it is chosen when it is shown", explanation.engagementScore,
        explanation.resultEvents
      ),
      (
        "Results of its domain are shown much and chosen little", explanation.domainScore,
        explanation.domainEvents
      ),
    ]
    return terms.filter { $0.1 != 0 }.sorted { abs($0.1) > abs($1.1) }
      .map { ScoreReason(words: $0, score: $1, events: $2) }
  }

  private static func tier(_ explanation: ScoreExplanation) -> String {
    switch explanation.tier {
    case 4: "The title is exactly what you typed"
    case 3: "The title begins with what you typed"
    case 2: "A title has your words in order"
    case 1: "All of your words are in it"
    default: "Some of your words are in it"
    }
  }

  private static func found(_ explanation: ScoreExplanation) -> String {
    let words = explanation.words.map { $0.isTypo ? "\($0.term) (spelt another way)" : $0.term }
    return "How often and where the words stand: " + words.joined(separator: ", ")
  }

  private static func guarded(_ explanation: ScoreExplanation) -> String {
    explanation.guardScore < 0
      ? "Only a misspelling was found, which comes after what was typed"
      : "An exact title, or what you always choose, comes first"
  }
}
