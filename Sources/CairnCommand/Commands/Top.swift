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
    let table = Table([.right(4), .share(3), .share(2), .right(9), .right(6), .left(16)])
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
            String(item.rank), item.item, item.title ?? "", Readable.decimal(item.score, 3),
            Readable.number(item.viewCount), Readable.time(item.lastViewed),
          ])
        )
      }
    }
    try output.flush()
  }
}

extension RankingOrder: ExpressibleByArgument {}
