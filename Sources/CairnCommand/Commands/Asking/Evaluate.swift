import ArgumentParser
import Cairn
import Evaluation
import Rows

struct Evaluate: CairnSubcommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare our ranking with others' on this store's own history.",
    discussion: """
      Before each use in the history, everything there is ranked by what came before, with our \
      formula and with those of z, zoxide, Firefox, Chrome, KDE, Atuin, by count and by last use. \
      MRR is the mean of 1/rank of what was then used; hit@k the share that stood among the first \
      k; keys the share of a name that need not be typed until it is among the first three. \
      Without views and selections, edits made together count as one occasion. cairn-fitted weighs \
      the six time scales by what the history has shown until then; top and search take the last \
      weights as --scales, or find them with --scales fit. cairn-context is told who asks and what \
      was used just before, as search is by --actor and --after; cairn-full is told both. Nothing \
      is changed.
      """)

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Predict events of this kind; may be given several times.")) var kind:
    [EventKind] = []

  @Option(help: ArgumentHelp("Only what this actor did.", valueName: "name")) var actor: String?

  @Option(help: ArgumentHelp("Only items in this domain and below it.", valueName: "domain"))
  var domain: String?

  @Option(help: "Occasions to look at, spread over the history; 0 for all.") var sample:
    CountArgument = 2_000

  @Option(
    help: ArgumentHelp(
      "Weigh the six time scales, and what follows, so in our rows: numbers from 1/64 to 64.",
      valueName: "a,b,c,d,e,f[,g]")) var scales: ScaleChoice?

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func validate() throws {
    if case .fit? = scales {
      throw ValidationError("cairn-fitted is that row; --scales takes numbers here.")
    }
  }

  func run() throws(Failure) {
    let store = try options.openForReading()
    var request = EvaluationRequest()
    request.kinds = Set(kind)
    request.actor = actor
    request.domain = domain
    request.point = try point.point(of: store)
    request.sampleCount = sample.limit
    if case .given(let given)? = scales { request.scales = given }
    let wanted = request
    var progress = Progress("evaluating")
    let evaluation = try answering { () throws(CairnError) in
      let head = Int(clamping: try store.at(wanted.point).sequence)
      return try store.evaluate(wanted) { sequence in
        progress.update(Int(clamping: sequence), of: head)
        return true
      }
    }
    progress.finish()
    if options.json { try writeJSON(evaluation) }
    guard evaluation.predictionCount > 0 else {
      let uses = Readable.count(evaluation.occasionCount, "use")
      throw Failure(
        .no,
        "\(uses) here, and none to predict: the first 30 teach, and an item has to be known "
          + "before its use; record more with: cairn view")
    }
    if !options.json { try writeTable(evaluation) }
  }

  private func writeJSON(_ evaluation: Evaluation) throws(Failure) {
    var output = Output()
    for row in evaluation.rows {
      try output.object { line in
        line.field("formula", row.formula.rawValue)
        line.field("mrr", row.meanReciprocalRank)
        line.field("hit1", row.first)
        line.field("hit3", row.firstThree)
        line.field("hit10", row.firstTen)
        line.field("keystrokesSaved", row.keystrokesSaved)
        line.field("predictions", evaluation.predictionCount)
        line.field("occasions", evaluation.occasionCount)
        if row.formula == .fitted || row.formula == .full {
          var multipliers = evaluation.fittedScales.multipliers.map(\.description)
          if row.formula == .full {
            multipliers.append(evaluation.fittedScales.followMultiplier.description)
          }
          line.field("multipliers", json: "[\(multipliers.joined(separator: ","))]".utf8)
        }
      }
    }
    try output.flush()
  }

  private func writeTable(_ evaluation: Evaluation) throws(Failure) {
    var output = Output()
    let table = Table([.left(13)] + [Table.Column](repeating: .right(6), count: 5))
    try output.line(table.row(["formula", "MRR", "hit@1", "hit@3", "hit@10", "keys"]))
    for row in evaluation.rows {
      let values = [
        row.meanReciprocalRank, row.first, row.firstThree, row.firstTen, row.keystrokesSaved,
      ]
      try output.line(table.row([row.formula.rawValue] + values.map { Readable.decimal($0, 4) }))
    }
    let predictions = Readable.number(evaluation.predictionCount)
    try output.line("\(predictions) uses predicted")
    let fitted = evaluation.fittedScales
    let multipliers = (fitted.multipliers + [fitted.followMultiplier]).map {
      Readable.decimal($0, 2)
    }
    try output.line("fitted: --scales \(multipliers.joined(separator: ","))")
    let ours = [("ours", RankingFormula.cairn), ("ours fitted", .fitted), ("ours in full", .full)]
    for (name, formula) in ours {
      guard let ours = evaluation.row(of: formula), let peer = evaluation.bestPeer,
        peer.meanReciprocalRank > 0
      else { continue }
      let gain = 100 * (ours.meanReciprocalRank / peer.meanReciprocalRank - 1)
      let direction = gain < 0 ? "below" : "above"
      let percent = Readable.decimal(abs(gain), 1)
      try output.line("\(name) \(percent) % \(direction) the best other, \(peer.formula.rawValue)")
    }
    try output.flush()
  }
}
