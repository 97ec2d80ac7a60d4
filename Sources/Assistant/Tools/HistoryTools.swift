import Cairn
import Rows

extension Tool {
  static let searchHistory = Tool(
    name: "search_history",
    description: "Finds items of the history by their words, those used most first.",
    parameters: [
      ToolParameter(name: "query", kind: .text, isRequired: true, words: "Words to find."),
      ToolParameter(
        name: "match", kind: .choice(SearchRequest.Mode.allCases.map(\.rawValue)),
        words: "Whether all words, any of them or the phrase must be found; all by default."),
      .domain, .asOf, .limit,
    ]
  ) { (given, moment, rows) throws(CairnError) in
    var request = SearchRequest(given.text("query") ?? "")
    request.domain = given.text("domain")
    request.limit = try given.limit() + 1
    if let mode = given.text("match").flatMap(SearchRequest.Mode.init) { request.mode = mode }
    for hit in try moment.search(request) {
      guard rows.add({ $0.fields(of: hit) }) else { return }
    }
  }

  static let topItems = Tool(
    name: "top_items", description: "The items used most, recent use counting more.",
    parameters: [
      ToolParameter(
        name: "by", kind: .choice(RankingOrder.allCases.map(\.rawValue)),
        words: "What counts; frecency by default."),
      .domain, .asOf, .limit,
    ]
  ) { (given, moment, rows) throws(CairnError) in
    let order = given.text("by").flatMap(RankingOrder.init) ?? .frecency
    let items = try moment.top(
      domain: given.text("domain"), by: order, limit: try given.limit() + 1)
    for item in items { guard rows.add({ $0.fields(of: item) }) else { return } }
  }

  static let itemHistory = Tool(
    name: "item_history", description: "The events about one item, the newest first.",
    parameters: [
      ToolParameter(name: "item", kind: .text, isRequired: true, words: "The item's identifier."),
      .domain, .asOf, .limit,
    ]
  ) { (given, moment, rows) throws(CairnError) in
    let query = EventQuery(at: moment, item: given.text("item"), domain: given.text("domain"))
    var written = rows
    try moment.store.forEachRecord(query) { (record) throws(CairnError) in
      var json: [UInt8] = []
      try record.appendJSON(to: &json)
      return written.add(json: json)
    }
    rows = written
  }

  static let timeline = Tool(
    name: "timeline", description: "How many events there were in each hour, day, week or month.",
    parameters: [
      ToolParameter(
        name: "by", kind: .choice(TimelineUnit.allCases.map(\.rawValue)),
        words: "The unit; day by default."),
      ToolParameter(name: "since", kind: .text, words: "The first time, as people write it."),
      ToolParameter(name: "until", kind: .text, words: "The last time, as people write it."),
      .domain, .asOf, .limit,
    ]
  ) { (given, moment, rows) throws(CairnError) in
    let since = try given.time("since")
    let until = try given.time("until", isEnd: true)
    if let since, let until, since > until {
      throw CairnError(.badArgument, "is after until", place: "since")
    }
    let unit = given.text("by").flatMap(TimelineUnit.init) ?? .day
    // The newest first: they are asked for most, and what does not fit is what is oldest.
    let buckets = try moment.timeline(
      domain: given.text("domain"), by: unit, within: (since ?? .earliest)...(until ?? .latest))
    for bucket in buckets.reversed() {
      guard rows.add({ $0.fields(of: bucket) }) else { return }
    }
  }

  static let whatChanged = Tool(
    name: "what_changed",
    description: "Items that were added, removed or changed between two points.",
    parameters: [
      ToolParameter(
        name: "from", kind: .text, isRequired: true, words: "The older point, as for asOf."),
      ToolParameter(
        name: "to", kind: .text,
        words: "The newer point, as for asOf; that of asOf, or the present, by default."),
      .domain, .asOf, .limit,
    ]
  ) { (given, moment, rows) throws(CairnError) in
    let from = try given.moment(moment.store, "from")
    let to = try given.text("to") == nil ? moment : given.moment(moment.store, "to")
    rows.sequence = to.sequence
    var written = rows
    try moment.store.forEachChange(from: from, to: to, domain: given.text("domain")) { change in
      written.add { $0.fields(of: change) }
    }
    rows = written
  }
}
