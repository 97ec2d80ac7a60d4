import ArgumentParser
import Cairn
import Rows

struct Items: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "items", abstract: "List the items.",
    discussion: """
      Examples, the last for a schema that declares both (cairn help schemas):
        cairn items --domain work
        cairn items --filter 'pageCount > 300' --as-of yesterday
        cairn items --count --domain work
        cairn items --sort year:desc --limit 20 --facet genre
      """, aliases: ["ls", "list"])

  @Option(help: .domain, completion: .domains) var domain: String?

  @Option(help: .filter) var filter: String?

  @Flag(help: "Only how many they are.") var count = false

  @Option(
    help: ArgumentHelp(
      "By an attribute that the schema declares sortable; else in byte order of identifiers.",
      valueName: "key[:asc|desc]")) var sort: AttributeOrder?

  @OptionGroup var facets: FacetOptions

  @Option(name: .limit, help: .limit) var limit: CountArgument = 0

  @Option(help: .offset) var offset: CountArgument = 0

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  private var request: ItemRequest {
    var request = ItemRequest()
    (request.domain, request.filter, request.order) = (domain, filter, sort)
    request.facets = facets.facet.map(\.facet)
    request.groupBy = facets.groupBy?.group
    (request.limit, request.offset) = (limit.limit, offset.value)
    return request
  }

  func validate() throws {
    guard !count || (request.isPlain && limit.value == 0 && offset.value == 0) else {
      throw ValidationError("--count gives one number; it goes with --domain and --filter alone.")
    }
  }

  func run() throws(Failure) {
    let moment = try options.moment(point)
    if count { return try writeCount(moment) }
    var output = Output()
    let table = Table([.share(3), .share(2), .share(2)])
    try Listing.heading(["ITEM", "TITLE", "DOMAIN"], table, options, to: &output)
    let request = request
    let found: Int
    if request.isPlain {
      found = try forEach(request, moment) { (item) throws(Failure) in
        try output.row(Self.text(item, table), json: options.json) { $0.fields(of: item) }
      }
    } else {
      let results = try answering(moment.results(of: request))
      try ResultsText(json: options.json).write(results, to: &output) { (line, item) in
        line.fields(of: item)
      } text: { (item, output) throws(Failure) in
        try output.line(Self.text(item, table))
      }
      found = results.groups?.reduce(0) { $0 + $1.count } ?? results.rows.count
    }
    try output.flush()
    var none = "no item is there that fits"
    if found == 0, try answering(moment.itemCount() == 0) {
      none = "no item is there; what happened: cairn log (a view makes an item only with a title)"
    }
    Listing.ending(found, "item", none: none, options)
    if found == 0 { try tellOfSlips(moment) }
  }

  private static func text(_ item: Item, _ table: Table) -> String {
    table.row([item.id, item.title ?? "", item.domain ?? ""])
  }

  /// Visits items one by one as they are read; returns how many.
  private func forEach(
    _ request: ItemRequest, _ moment: Moment, _ body: (Item) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    var problem: Failure?
    var (place, count) = (0, 0)
    try answering(
      moment.forEachItem(domain: request.domain, filter: request.filter) { item in
        place += 1
        guard place > request.offset else { return true }
        guard count < request.limit ?? .max else { return false }
        count += 1
        do throws(Failure) { try body(item) } catch { problem = error }
        return problem == nil
      })
    if let problem { throw problem }
    return count
  }

  private func writeCount(_ moment: Moment) throws(Failure) {
    let count = try answering(moment.itemCount(domain: domain, filter: filter))
    try Output.answer(String(count), json: options.json) { $0.field("items", count) }
    if count == 0 { try tellOfSlips(moment) }
  }

  private func tellOfSlips(_ moment: Moment) throws(Failure) {
    try Listing.tellOfUnusedNames(filter, moment)
    try Listing.tellOfDomain(domain, moment)
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
    moment.scales = try answering(scales.scales(at: moment))
    return moment
  }
}
