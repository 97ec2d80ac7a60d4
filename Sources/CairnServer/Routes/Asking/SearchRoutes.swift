import Cairn
import Rows

extension Service {
  static let contextParameters = [
    Parameter("actor", .text), Parameter("session", .text), Parameter("device", .text),
    Parameter("after", .text, "The item that was used just before"), Parameter("byHour", .flag),
  ]

  static let searchRoutes = [
    Route(
      "GET", "/api/v1/search", .read, "Items by their words, the best first",
      [
        Parameter("q", .text, required: true),
        Parameter("match", .choice(SearchRequest.Mode.allCases.map(\.rawValue))),
        Parameter("exact", .flag),
        Parameter("stem", .choice(["auto", "off"] + SearchLanguage.codes)),
        .domain, Parameter("filter", .text),
        Parameter("since", .time, "Only items used or changed then or later"),
        Parameter("until", .time, "Only items used or changed then or earlier"),
        Parameter("sort", .text), .facet, .groupBy, .limit, .offset, .asOf, Parameter("now", .time),
        Parameter("explain", .flag), .clock,
      ] + contextParameters, gives: .list, run: search),
    Route(
      "POST", "/api/v1/search", .read, "Up to 1,000 searches on one open store",
      body: .object([
        Parameter("queries", .objects([Parameter("query", .text, required: true)]), required: true)
      ]), lane: .stream, run: searches),
  ]

  private static func search(_ call: Call) throws(Refusal) -> Answer? {
    let parameters = call.parameters
    var request = SearchRequest(parameters.text("q") ?? "")
    request.mode = try parameters.choice("match") ?? request.mode
    request.isExact = try parameters.flag("exact")
    if let code = parameters.text("stem") {
      request.language = SearchLanguage(code)
      request.findsLanguage = code == "auto"
      guard request.language != nil || code == "auto" || code == "off" else {
        throw .parameter(
          "stem", "takes auto, off or one of \(SearchLanguage.codes.joined(separator: ", "))")
      }
    }
    request.domain = parameters.text("domain")
    request.filter = parameters.text("filter")
    request.within = try parameters.span()
    request.sort = try parameters.choice("sort") ?? request.sort
    request.facets = try parameters.facets()
    request.groupBy = try parameters.groupBy()
    request.limit = try call.limit(10, ofLines: 10)
    request.offset = try parameters.offset()
    request.explains = try parameters.flag("explain")
    request.context = try context(parameters)
    let now = try parameters.time("now")
    let start = ContinuousClock.now
    let moment = try call.moment(now: now)
    let found = try answering(moment.results(of: request))
    let correction = try answering(moment.correction(of: request, afterFinding: found))
    let sources: KeyOrdered<[ItemSource]> =
      try request.explains ? answering(found.sources(at: moment)) : [:]
    return try call.answer(found, request.limit, request.offset, of: moment) { line, hit in
      line.fields(of: hit)
      if let own = sources[hit.item] { line.field("sources", own) }
    } more: { line in
      line.field("correction", optional: correction)
      line.field("micros", since: start)
    }
  }

  /// The circumstances given; nil for none.
  static func context(_ parameters: Parameters) throws(Refusal) -> SearchContext? {
    var context = SearchContext()
    context.actor = parameters.text("actor")
    context.session = parameters.text("session")
    context.device = parameters.text("device")
    context.previousItem = parameters.text("after")
    context.countsHour = try parameters.flag("byHour")
    return context == SearchContext() ? nil : context
  }

  private static func searches(_ call: Call) throws(Refusal) -> Answer? {
    guard case .array(let queries)? = try call.object()["queries"], queries.count <= 1_000 else {
      throw Refusal(400, "badArgument", "takes up to 1,000 queries", place: "queries")
    }
    let defaults = QueryLine(request: SearchRequest(""), point: .head, zone: .local)
    var lines: [QueryLine] = []
    for (index, query) in queries.enumerated() {
      let place = "queries[\(index)]"
      guard case .object(let members) = query, members["query"] != nil else {
        throw Refusal(400, "badQuery", "is no object with a query", place: place)
      }
      do throws(MalformedLine) {
        lines.append(try defaults.applying(members, store: call.store))
      } catch { throw Refusal(400, "badQuery", error.reason, place: place) }
    }
    var rows: [[UInt8]] = []
    for (index, line) in lines.enumerated() {
      do throws(CairnError) { rows.append(try answer(line, call.store)) } catch {
        throw Refusal(error, place: "queries[\(index)]")
      }
      guard !call.exchange.answer.isClosed else { throw .gone }
    }
    return .object { $0.field("rows", json: JSONLine.array(json: rows)) }
  }

  private static func answer(_ query: QueryLine, _ store: Store) throws(CairnError) -> [UInt8] {
    let start = ContinuousClock.now
    var moment = try store.at(query.point, now: query.now)
    if let scales = query.scales { moment.scales = try scales.scales(at: moment) }
    let found = try moment.results(of: query.request)
    let sources = try query.request.explains ? found.sources(at: moment) : [:]
    return JSONLine.value { line in
      line.field("query", query.request.text)
      line.fields(of: found, names: query.names, sources: sources)
      line.field("micros", since: start)
    }
  }
}
