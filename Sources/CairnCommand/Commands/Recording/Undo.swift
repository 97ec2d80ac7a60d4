import ArgumentParser
import Cairn
import Importers
import Rows

struct Undo: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Bring items back to what they were before the last events.",
    discussion: """
      Appends what brings them back: history stays, and going back can be undone as well. Views and \
      choices are history and are not taken back; an item that comes back starts with fresh \
      counters. What was purged does not come back.

      A time is that at which events were recorded, whenever they happened. An import into a store \
      with nothing newer keeps old times for that, too: undo it by the number of its events, or \
      with cairn revert --to N, one less than its first. Importing again brings back nothing of it, \
      since its events are known; purge them first.

      Examples:
        cairn undo                     the last event
        cairn undo 3                   the last three
        cairn undo '10 minutes ago'    everything recorded since then
      """)

  @Argument(help: "How many events, or a time since when (cairn help times).") var since = "1"

  @OptionGroup var reverting: RevertOptions
  @OptionGroup var writer: WriterOptions

  func run() throws(Failure) {
    let store = try reverting.open(writer)
    defer { store.close() }
    let head = try answering(store.at().sequence)
    let point: Point
    var isSinceTime = false
    if let count = UInt64(since) {
      point = .sequence(try Self.sequence(before: count, of: store, through: head))
    } else {
      // As Unix seconds this would be a time of 1970, and everything would be taken back.
      if let number = Double(since), number.magnitude < 100_000_000 {
        throw Failure(.usage, "a number of events is whole; see: cairn help undo")
      }
      point = .time(try TimeArgument(argument: since).start(Self.told).justBefore)
      isSinceTime = true
    }
    let moment = try answering(store.at(point))
    try reverting.goBack(store, to: moment, json: writer.options.json)
    if isSinceTime, moment.sequence == head { Diagnostics.line("cairn: " + Self.aboutImports) }
  }

  /// The sequence before the last so many events; what a purge erased is none of them.
  private static func sequence(
    before count: UInt64, of store: Store, through head: UInt64
  ) throws(Failure) -> UInt64 {
    // No event is read only to say how many there are, and nothing is counted for the last few.
    guard count <= head else {
      throw lack(of: try answering(store.at(.sequence(head)).statistics().eventCount))
    }
    var query = EventQuery()
    query.through = head
    query.isReversed = true
    query.limit = Int(clamping: count)
    query.includesLeafHashes = false
    var (first, found) = (head + 1, 0)
    try answering(
      store.forEachEvent(query) { recorded in
        (first, found) = (recorded.sequence, found + 1)
        return true
      })
    guard found == count else { throw lack(of: found) }
    return first - 1
  }

  private static func lack(of count: Int) -> Failure {
    Failure(.no, "the store has only \(Readable.count(count, "event")); see: cairn log")
  }

  /// Said before what is wrong with a word that is no number and no time either, such as `last`.
  private static let told = "neither a number of events nor a time"

  private static let aboutImports =
    "nothing was recorded since then; an import may keep older times: undo one of events A–B with "
    + "cairn revert --to N, where N is A less one"
}

struct Revert: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "revert", abstract: "Bring items back to what they were at a point.",
    discussion: """
      Appends what brings them back; see: cairn help undo. The whole store of a point, apart from \
      this one, is: cairn replay --to POINT --into DIR.

      Examples:
        cairn revert --to yesterday --item report-7
        cairn revert --to before --domain work --dry-run
      """)

  @Option(
    help: ArgumentHelp("The point (cairn help points).", valueName: "point"), completion: .points)
  var to: PointArgument

  @Option(help: .domain, completion: .domains) var domain: String?

  @Option(help: ArgumentHelp("Only this item.", valueName: "id"), completion: .items) var item:
    String?

  @OptionGroup var reverting: RevertOptions
  @OptionGroup var writer: WriterOptions

  func validate() throws {
    try requireAtMostOne(of: (domain != nil, "--domain"), (item != nil, "--item"))
    guard domain != "", item != "" else {
      throw ValidationError("--domain and --item take a name.")
    }
  }

  func run() throws(Failure) {
    let store = try reverting.open(writer)
    defer { store.close() }
    let moment = try to.moment(of: store, "--to")
    try reverting.goBack(store, to: moment, domain: domain, item: item, json: writer.options.json)
  }
}

/// What going back has in common: a preview, a question on a terminal, and one append.
struct RevertOptions: ParsableArguments {
  @Flag(help: "Show what would change and change nothing.") var dryRun = false

  @Flag(help: "Do not ask.") var yes = false

  /// Events that a preview names.
  private static var previewCount: Int { 10 }

  /// Opens a store that is there, for writing where something is to be written.
  func open(_ writer: WriterOptions) throws(Failure) -> Store {
    try dryRun ? writer.options.openForReading() : writer.openExisting()
  }

  func goBack(
    _ store: Store, to moment: Moment, domain: String? = nil, item: String? = nil, json: Bool
  ) throws(Failure) {
    var plan = try answering(store.planRevert(to: moment, domain: domain, item: item))
    if plan.events.isEmpty { try Self.tellOfSlips(domain, item, store) }
    let isAsked = !yes && !dryRun && Terminal.inputIsTerminal && !plan.events.isEmpty
    if dryRun || isAsked { try preview(plan, json: json && dryRun) }
    if dryRun { return }
    if isAsked, !Question.isAgreed("Type yes or y to go back:") {
      throw Failure(.no, "nothing was changed")
    }
    let result = try answering { () throws(CairnError) in
      try store.appendBlocking(&plan, to: moment, domain: domain, item: item)
    }
    try Self.checkAccepted(plan, result)
    var output = Output()
    if json {
      try output.object { line in
        Self.fields(plan, &line)
        line.field("firstSequence", optional: result.firstSequence)
        line.field("lastSequence", optional: result.lastSequence)
      }
    } else if let first = result.firstSequence, let last = result.lastSequence {
      try output.line("\(Self.sum(plan)) (\(Readable.events(first, last)))")
      if let lost = Self.lost(plan) { try output.line(lost) }
    } else {
      let isLast = moment.sequence + 1 == plan.head
      switch try answering(store.event(at: plan.head))?.event.kind {
      case .purge?:
        try output.line("the last event is a purge: what it erased cannot be brought back")
      case .schema? where isLast:
        try output.line("the last event is a schema, which no item has; see: cairn schema undo")
      case .view? where isLast, .select? where isLast, .impression? where isLast:
        let count = try Self.lastUses(of: store, through: plan.head)
        let uses = count == 1 ? "event is a use, which is" : "\(count) events are uses, which are"
        try output.line(
          "the last \(uses) not taken back; to undo what was before: cairn undo \(count + 1)")
      default: try output.line("the items are what they were then: nothing to bring back")
      }
    }
    try output.flush()
    guard !json, Terminal.errorsAreTerminal else { return }
    // By itself the command would take back the last of these events alone.
    if plan.events.count > 1 { Diagnostics.line("to undo it: cairn undo \(plan.events.count)") }
    if domain == nil, item == nil, plan.leavingCount > 0 {
      try Self.tellOfImport(store, moment.sequence + 1, plan.head)
    }
  }

  /// How many uses end the log, as far as these are looked at.
  private static func lastUses(of store: Store, through head: UInt64) throws(Failure) -> Int {
    var query = EventQuery()
    (query.through, query.isReversed, query.limit) = (head, true, 1_000)
    query.includesLeafHashes = false
    var count = 0
    try answering(
      store.forEachEvent(query) { recorded in
        let isUse = [.view, .select, .impression].contains(recorded.event.kind)
        count += isUse ? 1 : 0
        return isUse
      })
    return count
  }

  /// Says how to import anew what was taken away, where nothing else is among it.
  private static func tellOfImport(_ store: Store, _ first: UInt64, _ last: UInt64)
    throws(Failure)
  {
    let sources = Set(HistoryFormats.all.map { $0.source })
    var query = EventQuery()
    (query.from, query.through, query.includesLeafHashes) = (first, last, false)
    var isImport = false
    try answering(
      store.forEachEvent(query) { recorded in
        isImport = recorded.event.source.map(sources.contains) ?? false
        return isImport
      })
    if isImport { Diagnostics.line(PurgeAdvice.importingAnew(first, last)) }
  }

  /// Names that nothing has: items may be as they were because none is meant.
  private static func tellOfSlips(_ domain: String?, _ item: String?, _ store: Store)
    throws(Failure)
  {
    try Listing.tellOfDomain(domain, try answering(store.at()))
    guard let item else { return }
    _ = try Listing.isReportedUnknown(item, store, "to find its id: cairn search TEXT")
  }

  /// Fails where something was not taken, naming the first item of it and why.
  private static func checkAccepted(_ plan: RevertPlan, _ result: AppendResult) throws(Failure) {
    for (event, outcome) in zip(plan.events, result.outcomes) {
      guard case .rejected(let reason) = outcome else { continue }
      let item = event.item ?? ""
      let (refused, count) = (result.rejectedCount, plan.events.count)
      throw Failure(
        .data, "\(refused) of \(Readable.count(count, "item")) not as before; \(item): \(reason)")
    }
  }

  private func preview(_ plan: RevertPlan, json: Bool) throws(Failure) {
    var output = Output()
    if json {
      try output.object { Self.fields(plan, &$0) }
      return try output.flush()
    }
    for event in plan.events.prefix(Self.previewCount) {
      let mark = event.kind == .delete ? "delete" : "index "
      let title = event.attributes["title"]?.string.map { "  \($0)" } ?? ""
      let whose = event.source == nil ? "" : "  (its web page)"
      let line = "  \(mark)  \(event.item ?? "")\(title)\(whose)"
      try output.line(DisplayText.fit(line, Terminal.width))
    }
    let rest = plan.events.count - Self.previewCount
    if rest > 0 { try output.line("  and \(Readable.number(rest)) more") }
    try output.line("would be: \(Self.sum(plan))")
    if let lost = Self.lost(plan) { try output.line(lost) }
    try output.flush()
  }

  private static func fields(_ plan: RevertPlan, _ line: inout JSONLine) {
    line.field("returning", plan.returningCount)
    line.field("leaving", plan.leavingCount)
    line.field("changing", plan.changingCount)
    line.field("lostViews", plan.lostViewCount)
  }

  /// What of their use the items that come back do not have any more.
  private static func lost(_ plan: RevertPlan) -> String? {
    guard plan.lostViewCount > 0 else { return nil }
    let whose = plan.returningCount == 1 ? "its" : "their"
    let count = "\(whose) \(Readable.count(plan.lostViewCount, "view"))"
    return plan.lostViewCount == 1
      ? "\(count) stays in the log but counts no more"
      : "\(count) stay in the log but count no more"
  }

  private static func sum(_ plan: RevertPlan) -> String {
    let parts = [
      (plan.returningCount, "brought back"), (plan.changingCount, "as before"),
      (plan.leavingCount, "taken away again"),
    ]
    guard parts.contains(where: { $0.0 > 0 }) else { return "nothing" }
    return parts.filter { $0.0 > 0 }.map { "\(Readable.count($0.0, "item")) \($0.1)" }
      .joined(separator: ", ")
  }
}
