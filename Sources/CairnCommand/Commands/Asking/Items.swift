import ArgumentParser
import Cairn
import Rows

struct Items: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "items", abstract: "List the items, in byte order of their identifiers.",
    discussion: """
      Examples:
        cairn items --domain work
        cairn items --filter 'pageCount > 300' --as-of yesterday
        cairn items --count --domain work
      """, aliases: ["ls", "list"])

  @Option(help: ArgumentHelp("Only this domain and below it.", valueName: "domain")) var domain:
    String?

  @Option(
    help: ArgumentHelp("Only items for which this expression holds.", valueName: "expression"))
  var filter: String?

  @Flag(help: "Only how many they are.") var count = false

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let moment = try options.moment(point)
    if count { return try writeCount(moment) }
    var output = Output()
    let table = Table([.share(3), .share(2), .share(2)])
    try Listing.heading(["ITEM", "TITLE", "DOMAIN"], table, options, to: &output)
    var count = 0
    var problem: Failure?
    let json = options.json
    try answering { () throws(CairnError) in
      try moment.forEachItem(domain: domain, filter: filter) { item in
        count += 1
        do throws(Failure) {
          if json {
            try output.object { $0.fields(of: item) }
          } else {
            try output.line(table.row([item.id, item.title ?? "", item.domain ?? ""]))
          }
          return true
        } catch {
          problem = error
          return false
        }
      }
    }
    if let problem { throw problem }
    try output.flush()
    Listing.ending(count, "item", none: "no item is there that fits", options)
    if count == 0 { try Listing.tellOfUnusedNames(filter, moment) }
  }

  private func writeCount(_ moment: Moment) throws(Failure) {
    let count = try answering { () throws(CairnError) in
      try moment.itemCount(domain: domain, filter: filter)
    }
    var output = Output()
    if options.json {
      try output.object { $0.field("items", count) }
    } else {
      try output.line(String(count))
    }
    try output.flush()
    if count == 0 { try Listing.tellOfUnusedNames(filter, moment) }
  }
}

extension StoreOptions {
  /// The store at a point, opened for reading.
  func moment(_ point: PointOptions, now: TimeArgument? = nil, scales: ScaleChoice? = nil)
    throws(Failure) -> Moment
  {
    let store = try openForReading()
    var moment = try point.moment(of: store, now: try now?.start("--now"))
    guard let scales else { return moment }
    moment.scales = try answering { () throws(CairnError) in try scales.scales(at: moment) }
    return moment
  }
}
