struct EvaluationTally {
  let formula: RankingFormula
  private(set) var count = 0
  private var reciprocalSum = 0.0
  private var first = 0.0
  private var firstThree = 0.0
  private var firstTen = 0.0
  private var savedSum = 0.0

  private static let shownCount = 3

  init(_ formula: RankingFormula) { self.formula = formula }

  /// Looks an item up in a ranking of the candidates.
  mutating func add(_ target: Int, _ candidates: [Int], _ scores: [Double], name: (Int) -> [UInt8])
  {
    guard let place = candidates.firstIndex(of: target) else { return }
    let score = scores[place]
    let wanted = name(target)
    var better = 0
    var equal = 0
    /// How much of the name is typed until all but the third best better ones are gone.
    var shared: [Int] = []
    for (index, other) in scores.enumerated() where index != place && other >= score {
      if other > score { better += 1 } else { equal += 1 }
      guard other > score || index < place else { continue }
      let length = Self.sharedLength(wanted, name(candidates[index]))
      if shared.count < Self.shownCount {
        shared.append(length)
        shared.sort(by: >)
      } else if length > shared[Self.shownCount - 1] {
        shared[Self.shownCount - 1] = length
        shared.sort(by: >)
      }
    }
    count += 1
    let rank = Double(better) + Double(equal) / 2 + 1
    reciprocalSum += 1 / rank
    first += rank <= 1 ? 1 : 0
    firstThree += rank <= 3 ? 1 : 0
    firstTen += rank <= 10 ? 1 : 0
    guard !wanted.isEmpty else { return }
    let typed = shared.count < Self.shownCount ? 0 : shared[Self.shownCount - 1] + 1
    savedSum += Double(max(0, wanted.count - typed)) / Double(wanted.count)
  }

  private static func sharedLength(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var length = 0
    while length < one.count, length < other.count, one[length] == other[length] { length += 1 }
    return length
  }

  var row: Evaluation.Row {
    let total = Double(max(1, count))
    return Evaluation.Row(
      formula: formula, meanReciprocalRank: reciprocalSum / total, first: first / total,
      firstThree: firstThree / total, firstTen: firstTen / total, keystrokesSaved: savedSum / total)
  }
}
