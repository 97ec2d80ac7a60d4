import Cairn
import Rows

extension Service {
  static let itemRoutes = [
    Route(
      "GET", "/api/v1/items", .read, "Items, in byte order of their identifiers unless sorted",
      [
        .domain, Parameter("filter", .text), Parameter("sort", .text), .facet, .groupBy, .asOf,
        Parameter("after", .text, "Only items after this one"), .limit, .offset, .clock,
      ], lane: .stream, gives: .list, run: items),
    Route(
      "GET", "/api/v1/item", .read, "An item, and what its events tell of its use",
      [Parameter("id", .text, required: true), .asOf], run: item),
    Route(
      "GET", "/api/v1/domains", .read, "Domains right below one, the largest first",
      [
        Parameter("parent", .text), .asOf, Parameter("sizes", .flag),
        Parameter("after", .count(max: .max), "How many rows to leave out at the beginning"),
      ], gives: .list, run: domains),
  ]

  private static func items(_ call: Call) throws(Refusal) -> Answer? {
    let moment = try call.moment()
    let (domain, filter) = (call.parameters.text("domain"), call.parameters.text("filter"))
    if let request = try arranged(call) {
      let found = try answering(moment.results(of: request))
      return try call.answer(found, request.limit, request.offset, of: moment) {
        $0.fields(of: $1)
      }
    }
    // A filter that cannot be read is said before an answer begins.
    try answering(moment.forEachItem(domain: domain, filter: filter) { _ in false })
    var last = ""
    return try call.list(
      at: moment.sequence, limit: try call.limit(100, ofLines: nil),
      next: { call.next(moment.pin + [("after", last)]) }
    ) { (sink) throws(Refusal) in
      try answering(
        moment.forEachItem(
          domain: domain, filter: filter, after: call.parameters.text("after")
        ) { item in
          guard sink.add({ $0.fields(of: item) }) else { return false }
          last = item.id
          return true
        })
    }
  }

  /// Items that are asked for in an order, counted, grouped or from an offset on; nil for others.
  private static func arranged(_ call: Call) throws(Refusal) -> ItemRequest? {
    let parameters = call.parameters
    var request = ItemRequest()
    request.order = try parameters.order("sort")
    request.facets = try parameters.facets()
    request.groupBy = try parameters.groupBy()
    request.offset = try parameters.offset()
    guard !request.isPlain || request.offset > 0 else { return nil }
    guard parameters.text("after") == nil else {
      throw .parameter("after", "goes without sort, facet, groupBy and offset")
    }
    (request.domain, request.filter) = (parameters.text("domain"), parameters.text("filter"))
    request.limit = try call.limit(100, ofLines: nil)
    return request
  }

  private static func item(_ call: Call) throws(Refusal) -> Answer? {
    let moment = try call.moment()
    let asked = call.parameters.text("id") ?? ""
    let id = try answering(moment.shownID(of: asked))
    let found = try answering(moment.item(id))
    guard let found else {
      throw .notFound("no such item at this point; its history, if any, is in /api/v1/events?item=")
    }
    let life = try answering(ItemLife(id, moment))
    let sources = try answering(moment.sources(of: id))
    return .object(at: moment.sequence) { line in
      line.fields(of: found, life)
      line.field("sources", sources)
    }
  }

  private static func domains(_ call: Call) throws(Refusal) -> Answer? {
    let moment = try call.moment()
    let wantsSizes = try call.parameters.flag("sizes")
    let skipped = try call.parameters.count("after", max: .max) ?? 0
    let counts = try answering(moment.domains(below: call.parameters.text("parent")))
    var sizes: KeyOrdered<Int> = [:]
    if wantsSizes {
      sizes = try answering(moment.byteCounts(of: counts.dropFirst(skipped).map(\.domain)))
    }
    return try call.list(
      counts, after: skipped, at: moment.sequence,
      next: { call.next(moment.pin + [("after", String($0))]) }
    ) { line, count in
      line.field("domain", count.domain)
      line.field("items", count.itemCount)
      line.field("events", count.eventCount)
      line.field("children", count.childCount)
      if wantsSizes { line.field("bytes", sizes[count.domain] ?? 0) }
    }
  }
}

extension Moment {
  /// What names this moment in the query of a next page.
  var pin: [(name: String, value: String)] {
    [("asOf", String(sequence)), ("clock", clock.rfc3339)]
  }
}

extension Call {
  /// How many rows are asked for: 0 means all, and lines only.
  func limit(_ standard: Int, ofLines lines: Int?) throws(Refusal) -> Int? {
    guard let limit = try parameters.count("limit", max: 10_000) else {
      return wantsLines ? lines : standard
    }
    guard limit > 0 || wantsLines else {
      throw .parameter("limit", "0 stands for all, with Accept: application/x-ndjson only")
    }
    return limit == 0 ? nil : limit
  }
}
