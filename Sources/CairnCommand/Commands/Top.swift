public import ArgumentParser
public import Cairn

struct Top: CairnSubcommand {
  static let configuration = CommandConfiguration(
    abstract: "Rank the items by their use.",
    discussion: """
      Only items that are there and were viewed. Ties go to the later last view, then to the \
      lower identifier in byte order.
      """
  )

  @Option(help: ArgumentHelp("Only this domain and below it.", valueName: "domain"))
  var domain: String?

  @Option(help: "What counts: frecency (recent use counts more), count or recent.")
  var by = RankingOrder.frecency

  @Option(help: "How many; 0 for all.")
  var limit: CountArgument = 10

  @Option(help: ArgumentHelp("Rank as if it were this time.", valueName: "time"))
  var now: TimeArgument?

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let moment = try options.moment(point, now: now)
    let items = try answering { () throws(CairnError) in
      try moment.top(domain: domain, by: by, limit: limit.value)
    }
    var output = Output()
    let table = Table([.right(4), .share(1), .right(9), .right(6), .left(16)])
    for item in items {
      if options.json {
        try output.object { line in
          line.field("rank", item.rank)
          line.field("item", item.item)
          line.field("domain", optional: item.domain)
          line.field("title", optional: item.title)
          line.field("score", item.score)
          line.field("views", item.viewCount)
          line.field("lastViewed", item.lastViewed.rfc3339)
        }
      } else {
        try output.line(
          table.row([
            String(item.rank), Self.name(of: item), Readable.decimal(item.score, 3),
            Readable.number(item.viewCount), Readable.time(item.lastViewed),
          ])
        )
      }
    }
    try output.flush()
  }

  /// The identifier, and before it the title where that says something else.
  private static func name(of item: RankedItem) -> String {
    guard let title = item.title, !item.item.hasSuffix(title) else { return item.item }
    return "\(title)  (\(item.item))"
  }
}

extension RankingOrder: ExpressibleByArgument {}
