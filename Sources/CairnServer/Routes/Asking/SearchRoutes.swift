import Cairn
import Rows

extension Service {
  private static let context = [
    Parameter("actor", .text), Parameter("session", .text), Parameter("device", .text),
    Parameter("after", .text), Parameter("byHour", .flag),
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
        Parameter("sort", .choice(SearchRequest.Sort.allCases.map(\.rawValue))), .limit,
        Parameter("offset", .count(max: 1_000_000)), .asOf, Parameter("now", .time),
        Parameter("explain", .flag), .clock,
      ] + context, run: search),
    Route(
      "POST", "/api/v1/search", .read, "Up to 1,000 searches on one open store",
      body: .json(limit: ServiceLimits.jsonByteCount), lane: .stream, run: searches),
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
    request.sort = try parameters.choice("sort") ?? request.sort
    request.limit = try call.limit(10, ofLines: 10)
    request.offset = try parameters.count("offset", max: 1_000_000) ?? 0
    request.explains = try parameters.flag("explain")
    request.context = try context(parameters)
    let asked = request
    let moment = try call.moment(now: try parameters.time("now"))
    let start = ContinuousClock.now
    let hits = try answering { () throws(CairnError) in try moment.search(asked) }
    let micros = ((ContinuousClock.now - start) / .microseconds(1)).rounded()
    let correction = try answering { () throws(CairnError) in
      try moment.correction(of: asked, afterFinding: hits)
    }
    var pin = moment.pin
    if moment.rankingClock != moment.clock { pin.append(("now", moment.rankingClock.rfc3339)) }
    // One more than the page shows whether there is a next one.
    let mayGoOn = asked.limit.map { hits.count == $0 } ?? false
    let next = mayGoOn ? call.next(pin + [("offset", String(asked.offset + hits.count))]) : nil
    if call.wantsLines {
      return try call.list(at: moment.sequence, limit: nil) { sink in
        for hit in hits { guard sink.add({ $0.fields(of: hit) }) else { return } }
      }
    }
    return page(hits, of: moment, next: next, correction: correction, micros: micros)
  }

  private static func page(
    _ hits: [SearchHit], of moment: Moment, next: String?, correction: String?, micros: Double
  ) -> Answer {
    var line = JSONLine()
    line.field("rows", json: JSONLine.array(hits) { $0.fields(of: $1) })
    line.field("sequence", moment.sequence)
    line.field("next", optional: next)
    line.field("correction", optional: correction)
    let tagged = line.bytes
    line.field("micros", micros)
    line.finish()
    var answer = Answer.json(line.bytes, at: moment.sequence)
    answer.tagged = tagged
    return answer
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
      do throws(QueryLine.Malformed) {
        lines.append(try defaults.applying(members, store: call.store))
      } catch { throw Refusal(400, "badQuery", error.reason, place: place) }
    }
    var rows: [[UInt8]] = []
    for (index, line) in lines.enumerated() {
      do throws(CairnError) { rows.append(try answer(line, call.store)) } catch {
        var refusal = Refusal(error)
        refusal.place = "queries[\(index)]"
        throw refusal
      }
      guard !call.exchange.answer.isClosed else { throw .gone }
    }
    var line = JSONLine()
    line.field(
      "rows",
      json: [UInt8(ascii: "[")] + rows.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
    line.finish()
    return .json(line.bytes)
  }

  private static func answer(_ query: QueryLine, _ store: Store) throws(CairnError) -> [UInt8] {
    let start = ContinuousClock.now
    var moment = try store.at(query.point, now: query.now)
    if let scales = query.scales { moment.scales = try scales.scales(at: moment) }
    let hits = try moment.search(query.request)
    let micros = ((ContinuousClock.now - start) / .microseconds(1)).rounded()
    var line = JSONLine()
    line.field("query", query.request.text)
    line.field("hits", json: JSONLine.array(hits) { $0.fields(of: $1) })
    line.field("micros", micros)
    line.finish()
    return line.bytes.dropLast()
  }
}
