import ArgumentParser
import Cairn
import Rows

struct Suggest: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "suggest", abstract: "Complete what somebody begins to type.")

  @Argument(help: "What was typed so far.") var prefix: String

  @Option(name: .limit, help: .limit) var limit: CountArgument = 10

  @Option(help: .now) var now: TimeArgument?

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let moment = try options.moment(point, now: now)
    let suggestions = try answering(moment.suggestions(for: prefix, limit: limit.limit))
    var output = Output()
    let table = Table([.share(1), .left(8), .right(9)])
    try Listing.heading(["TEXT", "KIND", "SCORE"], table, options, to: &output)
    for suggestion in suggestions {
      let score = Readable.decimal(suggestion.score, 3)
      try output.row(
        table.row([suggestion.text, suggestion.kind.rawValue, score]), json: options.json
      ) { $0.fields(of: suggestion) }
    }
    try output.flush()
    Listing.ending(suggestions.count, "suggestion", none: "nothing here begins with that", options)
  }
}
