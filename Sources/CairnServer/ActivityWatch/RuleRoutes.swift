import Cairn
import Rows

extension Service {
  static let ruleRoutes = [
    Route("GET", "/api/v1/rules", .read, "What is never written") { (call) throws(Refusal) in
      call.answer(call.service.rules.rules)
    },
    Route(
      "PUT", "/api/v1/rules", .admin, "Replace the rules of what is never written",
      body: .json(limit: ServiceLimits.jsonByteCount)
    ) { (call) throws(Refusal) in
      let rules = try call.rules(try call.object())
      try answering { () throws(CairnError) in try call.service.rules.set(rules) }
      return call.answer(rules)
    },
    Route(
      "POST", "/api/v1/rules/preview", .read, "What rules would have taken in the past",
      body: .json(limit: ServiceLimits.jsonByteCount), lane: .stream
    ) { (call) throws(Refusal) in
      let rules = try call.rules(try call.object())
      let found = try call.taken(by: rules)
      return .object(at: try call.head()) { line in
        line.field("events", found.count)
        line.object("purge") { purge in
          purge.field(
            "events", json: Array("[\(found.map(String.init).joined(separator: ","))]".utf8))
        }
      }
    },
    Route(
      "POST", "/api/v1/pause", .write, "Hear no watcher until a time, or until told otherwise",
      body: .json(limit: ServiceLimits.jsonByteCount)
    ) { (call) throws(Refusal) in
      let object = try call.object()
      try call.members(of: object, known: ["until"])
      let pause: WatchRules.Pause
      switch object["until"] {
      case nil, .null?: pause = .forever
      case .bool(false)?: pause = .none
      case .string(let text)?:
        do throws(CairnError) {
          pause = .until(try TimeExpression(text, zone: .local, direction: .forward).start)
        } catch { throw .parameter("until", error.message) }
      default: throw .parameter("until", "takes a time, null for no end, or false for now")
      }
      try answering { () throws(CairnError) in try call.service.rules.set(pause) }
      return try call.information()
    },
  ]
}

extension Call {
  /// Events that are looked for at most, so that the answer stays small.
  private static let takenMax = 10_000

  fileprivate func answer(_ rules: [WatchRule]) -> Answer {
    .object { $0.field("rules", json: JSONLine.array(rules) { $0.fields(of: $1) }) }
  }

  fileprivate func rules(_ object: JSONObject) throws(Refusal) -> [WatchRule] {
    try members(of: object, known: ["rules"])
    guard case .array(let values)? = object["rules"], values.count <= 1_000 else {
      throw .parameter("rules", "takes a list of up to 1,000 rules")
    }
    var rules: [WatchRule] = []
    for value in values { rules.append(try WatchRule(value)) }
    return rules
  }

  /// Sequences of events that the rules would not have let through.
  func taken(by rules: [WatchRule]) throws(Refusal) -> [UInt64] {
    var found: [UInt64] = []
    try answering { () throws(CairnError) in
      try store.forEachEvent { recorded in
        let event = recorded.event
        var (bucket, data) = (String?.none, JSONObject())
        if case .object(let kept)? = event.extras["activitywatch"],
          case .object(let seen)? = kept["data"]
        {
          data = seen
          if case .string(let name)? = kept["bucket"] { bucket = name }
        } else {
          data = event.extras
          for attribute in event.attributes {
            if case .string(let text) = attribute.value { data[attribute.key] = .string(text) }
          }
        }
        if rules.contains(where: { $0.concerns(bucket) && $0.matches(data) }) {
          found.append(recorded.sequence)
        }
        return found.count < Self.takenMax && !exchange.answer.isClosed
      }
    }
    return found
  }
}
