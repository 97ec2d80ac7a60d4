import Cairn
import Rows

extension Service {
  static let retentionRoutes = [
    horizonRoute,
    Route("GET", "/api/v1/retention", .read, "Rules of what is kept", gives: .list) {
      (call) throws(Refusal) in
      let rules = try answering(call.store.retentionRules())
      return try call.list(rules, at: try call.head()) { $0.fields(of: $1.rule, $1.number) }
    },
    Route("GET", "/api/v1/retention/{rule}", .read, "One rule") { (call) throws(Refusal) in
      let rules = try answering(call.store.retentionRules())
      guard let (number, rule) = rules.first(where: { String($0.number) == call.names["rule"] })
      else { throw unknownRule }
      return .object { $0.fields(of: rule, number) }
    },
    Route(
      "POST", "/api/v1/retention", .admin, "Keep so many days or events of what is named",
      body: .object([
        Parameter("domain", .text),
        Parameter("kind", .choice(EventKind.names)),
        Parameter("source", .text),
        Parameter("days", .count(max: .max)),
        Parameter("events", .count(max: .max), "How many events are kept"),
        Parameter("versions", .flag, "The days are those of old versions, not of events"),
      ])
    ) { (call) throws(Refusal) in
      let rule = try call.rule(try call.object())
      let number = try answering(call.store.addRetentionRule(rule))
      return .object(201) { $0.fields(of: rule, number) }
    },
    Route("DELETE", "/api/v1/retention/{rule}", .admin, "Forget a rule") { (call) throws(Refusal) in
      let number = call.names["rule"].flatMap { Int($0) }
      let isFound = try answering(
        number.map { (number) throws(CairnError) in
          try call.store.removeRetentionRule(number)
        } ?? false)
      guard isFound else { throw unknownRule }
      return Answer(204)
    },
    Route(
      "POST", "/api/v1/retention/apply", .admin,
      "Plan what the rules do not keep; with the plan's confirm, erase exactly that, as a job",
      body: .object([Parameter("confirm", .text)])
    ) { (call) throws(Refusal) in
      let object = try call.object()
      let rules = try answering(call.store.eventRules())
      return try call.purge(.retention(rules), blocks: false, confirm: try object.text("confirm"))
    },
  ]

  private static let horizonRoute = Route(
    "POST", "/api/v1/retention/apply-versions", .admin,
    "Let go of the old versions that the rules do not keep, as a job; see GET /api/v1/stats?horizon="
  ) { (call) throws(Refusal) in
    let store = call.store
    let job = try call.service.jobs.begin("horizon", writes: true) { (_) throws(CairnError) in
      let plans = try store.applyVersionRetention()
      return JSONLine.value { line in
        line.field("horizons", objects: plans) { $0.fields(of: $1) }
      }
    }
    return call.accepted(job)
  }

  private static let unknownRule = Refusal.notFound("no rule has that number")
}

extension Call {
  fileprivate func rule(_ object: JSONObject) throws(Refusal) -> RetentionRule {
    let limit: RetentionRule.Limit
    let isOfVersions = try object.flag("versions")
    switch (try object.positiveCount("days"), try object.positiveCount("events")) {
    case (let days?, nil): limit = isOfVersions ? .versions(days: days) : .days(days)
    case (nil, let events?) where !isOfVersions: limit = .events(events)
    default: throw Refusal(400, "badArgument", "give one of days and events", place: "body")
    }
    let kind = try object.text("kind").map { (name) throws(Refusal) in
      try Parameters.kind(name, "kind")
    }
    return RetentionRule(
      domain: try object.text("domain"), kind: kind, source: try object.text("source"),
      keeping: limit)
  }
}
