import Cairn
import Rows

extension Service {
  static let historyRoutes = [
    Route(
      "GET", "/api/v1/suggest", .read, "What completes the beginning of a word",
      [Parameter("q", .text, required: true), .limit, .asOf, Parameter("now", .time)],
      gives: .list, run: suggest),
    Route(
      "GET", "/api/v1/top", .read, "Items by their use",
      [
        .domain,
        Parameter("by", .choice(RankingOrder.allCases.map(\.rawValue)), "What items are ranked by"),
        Parameter("since", .time, "Only uses then or later"),
        Parameter("until", .time, "Only uses then or earlier"),
        .limit, .asOf, Parameter("now", .time), Parameter("explain", .flag),
      ] + contextParameters + [Parameter.offset, Parameter.clock], gives: .list, run: top),
    Route(
      "GET", "/api/v1/timeline", .read, "Events by the hour, day, week or month",
      [
        .domain,
        Parameter("by", .choice(TimelineUnit.allCases.map(\.rawValue)), "How long a row lasts"),
        Parameter("since", .time, "Only rows that end after it, each whole"),
        Parameter("until", .time, "Only rows that begin by then, each whole"),
        Parameter("local", .flag, "Whether days begin as the server's clock says, not as in UTC"),
        .asOf,
        Parameter("after", .count(max: .max), "How many rows to leave out at the beginning"),
        .clock,
      ], gives: .list, run: timeline),
    Route(
      "GET", "/api/v1/stats", .read, "Counts, sizes and projections",
      [
        .asOf,
        Parameter(
          "horizon", .count(max: 1_000_000_000), "What would go if versions were kept so many days"),
      ]
    ) { (call) throws(Refusal) in
      let moment = try call.moment()
      let statistics = try answering(moment.statistics())
      let days = try call.parameters.count("horizon", max: 1_000_000_000)
      let plan = try days.map { (days) throws(Refusal) in
        try answering(call.store.planHorizon(days: days))
      }
      return .object(at: moment.sequence) { $0.fields(of: statistics, horizon: plan) }
    },
    Route(
      "GET", "/api/v1/diff", .read, "How the items of two points differ",
      [
        Parameter("from", .point, required: true), Parameter("to", .point), .domain, .limit,
        Parameter("after", .text, "Only items after this one"),
      ], lane: .stream, gives: .list, run: diff),
  ]

  private static func suggest(_ call: Call) throws(Refusal) -> Answer? {
    let limit = try call.limit(10, ofLines: 10)
    let moment = try call.moment(now: try call.parameters.time("now"))
    let found = try answering(
      moment.suggestions(for: call.parameters.text("q") ?? "", limit: limit))
    // Who types looks at the best and goes on typing: there are no further pages.
    return try call.list(found, at: moment.sequence) { $0.fields(of: $1) }
  }

  private static func top(_ call: Call) throws(Refusal) -> Answer? {
    let limit = try call.limit(10, ofLines: 10)
    let span = try call.parameters.span()
    // As the command has it.
    let usual = span == nil ? RankingOrder.frecency : .count
    let order: RankingOrder = try call.parameters.choice("by") ?? usual
    let context = try context(call.parameters)
    let explains = try call.parameters.flag("explain")
    guard span == nil || !explains else {
      throw .parameter("explain", "goes by all uses; leave out since and until")
    }
    guard context == nil || order == .frecency else {
      throw .parameter("by", "circumstances are evidence for frecency only")
    }
    let offset = try call.parameters.offset()
    let moment = try call.moment(now: try call.parameters.time("now"))
    let items = try answering { () throws(CairnError) in
      // One more than wanted tells whether there is a next page.
      try moment.top(
        domain: call.parameters.text("domain"), by: order, limit: limit.map { offset + $0 + 1 },
        within: span, context: context, explains: explains)
    }
    return try call.list(
      items, after: offset, at: moment.sequence, limit: limit,
      next: { call.next(offset: $0, of: moment) }
    ) { $0.fields(of: $1) }
  }

  private static func timeline(_ call: Call) throws(Refusal) -> Answer? {
    let unit: TimelineUnit = try call.parameters.choice("by") ?? .day
    let skipped = try call.parameters.count("after", max: .max) ?? 0
    let span = try call.parameters.span()
    let zone: CivilZone = try call.parameters.flag("local") ? .local : .utc
    let moment = try call.moment()
    let buckets = try answering(
      moment.timeline(
        domain: call.parameters.text("domain"), by: unit, zone: zone, within: span))
    return try call.list(
      buckets, after: skipped, at: moment.sequence,
      next: { call.next(moment.pin + [("after", String($0))]) }
    ) { $0.fields(of: $1) }
  }

  private static func diff(_ call: Call) throws(Refusal) -> Answer? {
    let from = try call.moment(call.parameters.text("from"), "from")
    let to = try call.moment(call.parameters.text("to"), "to")
    let limit = try call.limit(100, ofLines: nil)
    let after = call.parameters.text("after")
    var last = ""
    let next = {
      call.next([("from", String(from.sequence)), ("to", String(to.sequence)), ("after", last)])
    }
    return try call.list(at: to.sequence, limit: limit, next: next) { (sink) throws(Refusal) in
      try differing(from, to) { () throws(CairnError) in
        try call.store.forEachChange(
          from: from, to: to, domain: call.parameters.text("domain"), after: after
        ) { change in
          guard sink.add({ $0.fields(of: change) }) else { return false }
          last = change.item
          return true
        }
      }
    }
  }
}
