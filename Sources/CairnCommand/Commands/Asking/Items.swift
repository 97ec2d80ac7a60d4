import ArgumentParser
import Cairn

struct Items: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "items", abstract: "List the items, in byte order of their identifiers.")

  @Option(help: ArgumentHelp("Only this domain and below it.", valueName: "domain")) var domain:
    String?

  @Option(
    help: ArgumentHelp("Only items for which this expression holds.", valueName: "expression"))
  var filter: String?

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let moment = try options.moment(point)
    var output = Output()
    let table = Table([.share(3), .share(2), .share(2)])
    var problem: Failure?
    let json = options.json
    try answering { () throws(CairnError) in
      try moment.forEachItem(domain: domain, filter: filter) { item in
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
  }
}

extension StoreOptions {
  /// The store at a point, opened for reading.
  func moment(_ point: PointOptions, now: TimeArgument? = nil, scales: ScalesArgument? = nil)
    throws(Failure) -> Moment
  {
    let store = try openForReading()
    return try answering { () throws(CairnError) in
      var moment = try store.at(point.point, now: now?.time)
      if let scales { moment.scales = try scales.scales(at: moment) }
      return moment
    }
  }
}
