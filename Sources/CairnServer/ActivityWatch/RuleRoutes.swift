import Cairn
import Rows

extension Service {
  private static let rulesMember = Parameter("rules", .objects(WatchRule.members), required: true)

  static let ruleRoutes = [
    Route("GET", "/api/v1/rules", .read, "What is never written") { (call) throws(Refusal) in
      call.answer(call.service.rules.rules)
    },
    Route(
      "PUT", "/api/v1/rules", .admin, "Replace the rules of what is never written",
      body: .object([rulesMember])
    ) { (call) throws(Refusal) in
      let rules = try call.rules(try call.object())
      try answering(call.service.rules.set(rules))
      return call.answer(rules)
    },
    Route(
      "POST", "/api/v1/rules/preview", .admin, "What rules would have taken in the past",
      body: .object([rulesMember]), lane: .stream, isReading: true
    ) { (call) throws(Refusal) in
      let rules = try call.rules(try call.object())
      let found = try call.taken(by: rules)
      return .object(at: try call.head()) { line in
        line.field("events", found.count)
        line.object("purge") { $0.field("events", sequences: found) }
      }
    },
    Route(
      "POST", "/api/v1/pause", .write,
      "Record nothing of watchers, those on /api/0 and tokens of scope ingest, until a time",
      body: .object([
        Parameter("until", .end, required: true, "A time to come, null for no end, false to go on")
      ])
    ) { (call) throws(Refusal) in
      let object = try call.object()
      let pause: WatchRules.Pause
      switch object["until"] {
      case .null?: pause = .forever
      case .bool(false)?: pause = .none
      case .string(let text)?:
        let end: Timestamp
        do throws(CairnError) {
          end = try TimeExpression(text, zone: .local, direction: .forward).start
        } catch { throw .parameter("until", error.message) }
        guard end > .now() else { throw .parameter("until", "is over already; give a later time") }
        pause = .until(end)
      default: throw .parameter("until", "takes a time, null for no end, or false to go on")
      }
      try answering(call.service.rules.set(pause))
      return try call.information()
    },
  ]
}

extension Call {
  /// Events that are looked for at most, so that the answer stays small.
  private static let takenMax = 10_000

  fileprivate func answer(_ rules: [WatchRule]) -> Answer {
    .object { $0.field("rules", objects: rules) { $0.fields(of: $1) } }
  }

  fileprivate func rules(_ object: JSONObject) throws(Refusal) -> [WatchRule] {
    guard let values = object["rules"]?.array, values.count <= 1_000 else {
      throw .parameter("rules", "takes a list of up to 1,000 rules")
    }
    return try values.map { (value) throws(Refusal) in try WatchRule(value) }
  }

  /// Sequences of events that the rules would not have let through.
  func taken(by rules: [WatchRule]) throws(Refusal) -> [UInt64] {
    var found: [UInt64] = []
    try answering(
      store.forEachRecord(EventQuery()) { (record) throws(CairnError) in
        var line: [UInt8] = []
        try record.appendJSON(to: &line)
        guard case .object(let members) = try JSONValue(parsing: line.span) else { return true }
        if rules.contains(where: { $0.takes(members) }) { found.append(record.sequence) }
        return found.count < Self.takenMax && !exchange.answer.isClosed
      })
    return found
  }
}

extension WatchRule {
  /// Whether it is for an event of the past.
  fileprivate func takes(_ members: JSONObject) -> Bool {
    guard let kept = members["activitywatch"]?.object, let seen = kept["data"]?.object
    else { return concerns(nil) && RuledEvent(members).shows(self) }
    return concerns(kept["bucket"]?.string) && matches(seen)
  }
}
