import Cairn
import Rows
import Synchronization

extension Service {
  /// What names events, one of them or the two ends of a span.
  fileprivate static let conditions = [
    Parameter("domain", .text, "All of this domain and below it"),
    Parameter("item", .text, "All of this item"), Parameter("before", .time),
    Parameter("since", .time), Parameter("until", .time),
    Parameter("events", .sequences, "The events of these sequences"),
    Parameter("source", .text, "All that this source told"),
  ]

  static let purgeRoutes = [
    Route(
      "POST", "/api/v1/purge", .admin,
      "Plan what would be erased; with the plan's confirm, erase exactly that, as a job",
      body: .object(conditions + [Parameter("block", .flag), Parameter("confirm", .text)])
    ) { (call) throws(Refusal) in
      let object = try call.object()
      let blocks = try object.flag("block")
      let scope = try call.scope(object)
      return try call.purge(scope, blocks: blocks, confirm: try object.text("confirm"))
    }
  ]
}

extension Call {
  /// What a body names.
  fileprivate func scope(_ object: JSONObject) throws(Refusal) -> PurgeScope {
    let named = Service.conditions.map(\.name).filter { object[$0] ?? .null != .null }
    var criteria = PurgeCriteria()
    switch named.sorted() {
    case ["domain"]: return .domain(try object.requiredText("domain"))
    case ["item"]: return .item(try object.requiredText("item"))
    case ["before"]: return .before(try time("before", object))
    case ["source"]: criteria.source = try object.requiredText("source")
    case ["since", "until"], ["since"], ["until"]:
      if named.contains("since") { criteria.since = try time("since", object) }
      if named.contains("until") { criteria.until = try time("until", object, isEnd: true) }
      try Parameters.checkSpan(criteria.since, criteria.until)
    case ["events"]: criteria.sequences = try sequences(object["events"])
    default:
      throw Refusal(
        400, "badArgument",
        "name one of domain, item, before, source, events, or since and until", place: "body")
    }
    return .matching(criteria)
  }

  private func time(_ name: String, _ object: JSONObject, isEnd: Bool = false) throws(Refusal)
    -> Timestamp
  {
    try Parameters.time(try object.requiredText(name), name, isEnd: isEnd)
  }

  private func sequences(_ value: JSONValue?) throws(Refusal) -> [ClosedRange<UInt64>] {
    let refusal = Refusal.parameter("events", "takes a list of sequences from 1")
    guard let values = value?.array, !values.isEmpty else { throw refusal }
    var ranges: [ClosedRange<UInt64>] = []
    for value in values {
      guard let sequence: UInt64 = value.whole(), sequence > 0 else { throw refusal }
      ranges.append(sequence...sequence)
    }
    return ranges
  }

  /// Plans a purge, or begins the one that was planned.
  func purge(_ scope: PurgeScope, blocks: Bool, confirm: String?) throws(Refusal) -> Answer {
    if blocks {
      switch scope {
      case .domain, .item: break
      default: throw .parameter("block", "only a domain or an item can be blocked")
      }
    }
    let plan = try answering(store.planPurge(scope))
    let order = PurgePlans.Order(scope: scope, digest: plan.digest, blocks: blocks)
    let fresh = service.plans.remember(order)
    guard let confirm else { return .object { $0.fields(of: plan, confirm: fresh) } }
    guard service.plans.isSame(order, as: confirm) else {
      var refusal = Refusal(
        409, "stale", "this would take other events than were shown; look at the new plan")
      refusal.members = [("plan", JSONLine.value { $0.fields(of: plan, confirm: fresh) })]
      throw refusal
    }
    return accepted(try beginPurge(scope, as: plan, blocks: blocks))
  }

  /// Begins to erase exactly what a plan counts.
  func beginPurge(_ scope: PurgeScope, as plan: PurgePlan, blocks: Bool) throws(Refusal)
    -> JobTable.Job
  {
    let (store, watches) = (store, service.watches)
    return try service.jobs.begin("purge", writes: true) { (progress) throws(CairnError) in
      var lengths: [UInt64: Int64] = [:]
      if let since = scope.spanStart, let watches { lengths = try watches.lengths(at: since) }
      let receipt = try store.purge(scope, as: plan, blocking: blocks) {
        progress.isWanted($0.sequence, of: $0.head)
      }
      // A heartbeat that was under way may have said that a run went on.
      if receipt != nil { try watches?.shorten(lengths) }
      return receipt.map { receipt in JSONLine.value { $0.fields(of: receipt) } }
    }
  }
}

extension JSONLine {
  fileprivate mutating func fields(of plan: PurgePlan, confirm: String) {
    fields(of: plan)
    field("confirm", confirm)
  }
}

/// Plans that were shown, each by a word that says it was.
///
/// The word is made of what would go: whoever sends it agrees to exactly that.
package final class PurgePlans: Sendable {
  struct Order: Sendable, Hashable {
    var scope: PurgeScope
    var digest: Hash32
    var blocks: Bool
  }

  private let shown = Mutex<[String: Order]>([:])
  private static let shownMax = 256

  package init() {}

  func remember(_ order: Order) -> String {
    let word = AccessToken.random()
    shown.withLock { shown in
      if shown.count >= Self.shownMax { shown.removeAll() }
      shown[word] = order
    }
    return word
  }

  /// Whether a word was given for just this.
  func isSame(_ order: Order, as word: String) -> Bool { shown.withLock { $0[word] == order } }
}
