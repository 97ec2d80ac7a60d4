import Cairn

/// Shows a plan, asks, and shows the receipt: what erasing commands have in common.
struct PurgeRun {
  let json: Bool
  let yes: Bool
  /// Whether it was said that this may take more than half of the store.
  var mayTakeAll = false
  /// Why to think twice, if the line itself says so.
  var danger: String?
  /// Events in the store, where a share of more than half is to be asked about again.
  var eventCount: Int?

  func show(_ plan: () throws(CairnError) -> PurgePlan) throws(Failure) {
    let plan = try answering(plan())
    try PurgeText(json: json).write(plan)
    guard plan.eventCount > 0, !mayTakeAll, let reason = reason(plan) else { return }
    Diagnostics.line("cairn: \(reason): with --yes it needs --all-of-it")
  }

  /// Shows every event that would go.
  func list(_ events: () throws(CairnError) -> [RecordedEvent]) throws(Failure) {
    var output = Output()
    let row = EventRow(json: json)
    for event in try answering(events()) { try row.write(event, to: &output) }
    try output.flush()
  }

  /// Refuses to go on where nobody could be asked.
  func requireConsent() throws(Failure) {
    guard yes || Terminal.inputIsTerminal else {
      throw Failure(.usage, "purging cannot be undone: say --yes, or --dry-run to see the plan")
    }
  }

  /// Shows the plan of a scope, or asks and erases: the whole of a command whose line does not say
  /// what goes.
  func perform(
    dryRun: Bool, _ writer: WriterOptions, _ scope: (Store) throws(CairnError) -> PurgeScope,
    guarded: (Store) throws(CairnError) -> Bool = { _ in false }
  ) throws(Failure) {
    var run = self
    if dryRun {
      let store = try writer.options.openForReading()
      try run.count(in: store, if: guarded)
      return try run.show { () throws(CairnError) in try store.planPurge(try scope(store)) }
    }
    try requireConsent()
    let store = try writer.openExisting()
    let found = try answering(scope(store))
    try run.count(in: store, if: guarded)
    try run.erase(
      plan: { () throws(CairnError) in try store.planPurge(found) },
      purge: { (progress) throws(CairnError) in try store.purge(found, progress: progress) })
    store.close()
  }

  /// Makes what takes more than half of a store be asked for by name.
  mutating func count(
    in store: Store, if guarded: (Store) throws(CairnError) -> Bool = { _ in true }
  ) throws(Failure) {
    eventCount = try answering(
      guarded(store) ? Int(clamping: try store.at().statistics().eventCount) : nil)
  }

  /// Erases, after asking unless that was said to be needless.
  @discardableResult func erase(
    plan: () throws(CairnError) -> PurgePlan,
    purge: (_ progress: (RebuildProgress) -> Bool) throws(CairnError) -> PurgeReceipt?
  ) throws(Failure) -> PurgeReceipt? {
    // Scripts that name a domain or an item go on as they always did.
    if !yes || eventCount != nil || danger != nil { try consider(try answering(plan())) }
    var progress = Progress("purging")
    let receipt = try answering(purge { progress.show($0) })
    progress.finish()
    if let receipt { try PurgeText(json: json).write(receipt) }
    return receipt
  }

  private func consider(_ plan: PurgePlan) throws(Failure) {
    guard plan.eventCount > 0 else { return }
    let reason = reason(plan)
    if yes {
      guard let reason, !mayTakeAll else { return }
      throw Failure(.usage, "\(reason): add --all-of-it if that is meant; nothing was purged")
    }
    try PurgeText(json: false).write(plan)
    guard Question.isAnswered("This cannot be undone. Type yes to go on:", by: "yes"),
      reason.map({ Self.confirms($0, plan) }) ?? true
    else { throw Failure(.no, "nothing was purged") }
  }

  private func reason(_ plan: PurgePlan) -> String? {
    danger ?? (takesMost(plan) ? "more than half of the store would go" : nil)
  }

  private func takesMost(_ plan: PurgePlan) -> Bool {
    guard let eventCount else { return false }
    return plan.eventCount > eventCount / 2
  }

  private static func confirms(_ reason: String, _ plan: PurgePlan) -> Bool {
    Question.isAnswered(
      "Once more, since \(reason). Type the number of events that go:", by: String(plan.eventCount))
  }
}

/// Asks whoever sits at the terminal.
enum Question {
  /// Whether the answer is yes; for what can be taken back.
  static func isAgreed(_ question: String) -> Bool {
    Diagnostics.line(question)
    return ["yes", "y"].contains(readLine())
  }

  static func isAnswered(_ question: String, by answer: String) -> Bool {
    Diagnostics.line(question)
    return readLine()?.replacing(",", with: "") == answer
  }
}
