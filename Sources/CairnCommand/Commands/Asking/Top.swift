public import ArgumentParser
public import Cairn
import Rows

struct Top: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "top", abstract: "Rank the items by their use.",
    discussion: """
      Only items that are there and were viewed. Ties go to the later last view, then to the \
      lower identifier in byte order. With --since and --until only uses of that span count, and \
      the order is by count unless --by says otherwise.

      Examples:
        cairn top --domain work
        cairn top --since 'last month' --until 'last month'
      """)

  @Option(help: .domain, completion: .domains) var domain: String?

  @Option(help: "What counts: frecency (recent use counts more; the default), count or recent.")
  var by: RankingOrder?

  @Option(help: ArgumentHelp("Only uses then or later.", valueName: "time")) var since:
    TimeArgument?

  @Option(help: ArgumentHelp("Only uses then or earlier.", valueName: "time")) var until:
    TimeArgument?

  @Option(name: .limit, help: .limit) var limit: CountArgument = 10

  @Option(help: .now) var now: TimeArgument?

  @OptionGroup var weights: ScaleOptions

  @Flag(help: "Show how each frecency came about: six time scales and the latest uses.")
  var explain = false

  @OptionGroup var context: ContextOptions
  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  private var isOfSpan: Bool { since != nil || until != nil }
  private var order: RankingOrder { by ?? (isOfSpan ? .count : .frecency) }

  func validate() throws {
    guard !(isOfSpan && explain) else {
      throw ValidationError("--explain goes by all uses; leave out --since and --until.")
    }
    guard order == .frecency || context.context == nil else {
      throw ValidationError("Circumstances are evidence for --by frecency only.")
    }
  }

  func run() throws(Failure) {
    let span = try TimeArgument.span(since, until)
    let moment = try options.moment(point, now: now, scales: weights.scales)
    let items = try answering(
      moment.top(
        domain: domain, by: order, limit: limit.limit, within: span, context: context.context,
        explains: explain))
    guard now == nil || items.allSatisfy({ $0.score < Self.scoreMax }) else {
      throw Failure(
        .usage,
        "--now lies so long before the uses that they cannot be weighed; name a time after them, or "
          + "ask of an earlier point with --as-of")
    }
    var output = Output()
    let table = Table([.right(4), .share(1), .right(10), .right(6), .left(Readable.timeWidth)])
    try Listing.heading(
      ["RANK", "ITEM", "SCORE", "VIEWS", "LAST VIEWED"], table, options, to: &output)
    for item in items {
      if options.json {
        try output.object { $0.fields(of: item) }
      } else {
        try output.line(
          table.row([
            String(item.rank), Self.name(of: item), Readable.score(item.score),
            Readable.number(item.viewCount), Readable.time(item.lastViewed),
          ]))
        if let explanation = item.explanation { try Self.write(explanation, to: &output) }
      }
    }
    try output.flush()
    let none =
      isOfSpan
      ? "no item that is here was viewed then; what happened: cairn timeline"
      : "no item here was viewed yet; all items: cairn items"
    Listing.ending(items.count, "item", none: none, options)
    if items.isEmpty { try Listing.tellOfDomain(domain, moment) }
  }

  /// Where powers of two end and scores begin to be equal, however late the use.
  private static let scoreMax = 0x1p1000

  private static func write(_ explanation: UseExplanation, to output: inout Output) throws(Failure)
  {
    let scales = explanation.scales.map { scale in
      let hours = scale.halfLife / 3_600
      let name = hours < 48 ? "\(Int(hours)) h" : "\(Int(hours / 24)) d"
      return "\(name) \(Readable.decimal(scale.score, 3))"
    }
    try output.line("      " + scales.joined(separator: " + "))
    if let fit = explanation.fit, let follow = explanation.follow {
      let (fit, follow) = (Readable.decimal(fit, 3), Readable.decimal(follow, 3))
      try output.line("      fits the circumstances \(fit), follows \(follow)")
    }
    for use in explanation.uses {
      let kind = use.isView ? "view" : "use"
      let weight = Readable.decimal(use.weight, 2)
      try output.line("      \(Readable.time(use.time))  \(kind) \(weight), event \(use.sequence)")
    }
  }

  /// The identifier, and before it the title where that says something else.
  private static func name(of item: RankedItem) -> String {
    guard let title = item.title, !item.item.hasSuffix(title) else { return item.item }
    return "\(title)  (\(item.item))"
  }
}

extension RankingOrder: ExpressibleByArgument {}
