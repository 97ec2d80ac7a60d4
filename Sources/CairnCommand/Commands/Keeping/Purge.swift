import ArgumentParser
import Cairn

struct Purge: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Erase history for good, with evidence that nothing else was touched.",
    discussion: """
      Takes names, content, ids, kinds and times out of every file of the store, as if these events \
      had never happened. Their sequences and salted hashes stay, so old proofs hold; what was erased \
      cannot be confirmed from them. Events that log format 1 recorded keep id, hour and kind: cairn \
      doctor counts them. Several conditions together mean events for which all hold. Prints the \
      plan, asks on a terminal, and then prints the receipt. Without a terminal it needs --yes. \
      Copies and backups outside the store still hold what was purged; see: cairn help purges.

      Examples:
        cairn purge --actor 83.149.9.216 --dry-run --list
        cairn purge --domain hr --before 2024 --yes
        cairn purge --mentioning 'jane roe' --dry-run --list
        cairn purge --item x --yes --receipt x.tlog-proof
        cairn purge --filter 'authorNames == "Jane Roe"' --since 'last year'
      """)

  @OptionGroup var conditions: PurgeConditions

  @Flag(help: "Print the plan and change nothing.") var dryRun = false

  @Flag(help: "With --dry-run: also every event that would go.") var list = false

  @Flag(help: "Do not ask.") var yes = false

  @Flag(
    help: """
      Also when --before lies in the future or more than half of the store would go. With --yes, \
      one --domain or one --item and nothing else goes without it, however much that is.
      """) var allOfIt = false

  @Option(
    help: ArgumentHelp(
      "Write a signed proof that this purge is in the log, for: cairn check.", valueName: "file"),
    completion: .file()) var receipt: String?

  @Flag(
    help: """
      Also refuse later events in that domain or of that item; with other conditions, the ids of \
      the erased events and nothing else: the same told under new ids comes in. To count what is \
      refused: cairn purges blocks.
      """) var block = false

  @Flag(help: "Erase nothing; accept again what a purge with these conditions refuses.")
  var unblock = false

  @OptionGroup var writer: WriterOptions

  func validate() throws {
    guard [block, unblock, dryRun].count(where: { $0 }) <= 1 else {
      throw ValidationError("--block, --unblock and --dry-run contradict each other.")
    }
    guard !list || dryRun else { throw ValidationError("--list goes with --dry-run.") }
  }

  func run() throws(Failure) {
    var run = PurgeRun(json: writer.options.json, yes: yes)
    run.mayTakeAll = allOfIt
    let scope = try conditions.scope()
    let advice = PurgeAdvice(scope: scope, json: writer.options.json)
    run.danger = try conditions.danger()
    if dryRun {
      let store = try writer.options.openForReading()
      if !conditions.isNamedInContract { try run.count(in: store) }
      let plan = try answering(store.planPurge(scope))
      try advice.tellOfSlips(conditions, store, isEmpty: plan.eventCount == 0)
      if list { try run.list { () throws(CairnError) in try store.eventsToPurge(scope) } }
      return try run.show { plan }
    }
    if !unblock { try run.requireConsent() }
    if let receipt { try EvidenceText.checkWritable(receipt) }
    let store = try openFinished()
    if unblock {
      let found = try answering(store.unblock(scope))
      if !found { throw Failure(.no, "no purge blocks just that; see: cairn purges blocks") }
      return try advice.tellOfUnblocking()
    }
    if !yes || !conditions.isNamedInContract { try run.count(in: store) }
    let done = try run.erase(
      plan: { () throws(CairnError) in try store.planPurge(scope) },
      purge: { (progress) throws(CairnError) in
        try store.purge(scope, blocking: block, progress: progress)
      })
    if let done {
      try advice.tellOfLater(done, blocks: block)
      if done.sequence == nil, !block { try advice.tellOfSlips(conditions, store, isEmpty: true) }
    }
    let telling = try answering(store.erasedIDCount())
    if done?.sequence != nil, telling > 0 {
      Diagnostics.line(
        "cairn: \(Readable.number(telling)) erased events that log format 1 recorded keep id, hour "
          + "and kind in their leaf; see: cairn doctor")
    }
    if let receipt, let done {
      if let sequence = done.sequence {
        try write(receipt, sequence, of: store)
      } else {
        try tellOfNoReceipt(store)
      }
    }
    store.close()
  }

  /// Opens the store for writing, and says so where that finished a purge.
  private func openFinished() throws(Failure) -> Store {
    let before = try writer.options.openForReading()
    let pending = try answering(before.unfinishedPurge())
    before.close()
    let store = try writer.open()
    if let pending, try answering(store.unfinishedPurge()) == nil {
      Diagnostics.line(
        "cairn: the purge that event \(pending) records was cut short; it is done now")
    }
    return store
  }

  private func tellOfNoReceipt(_ store: Store) throws(Failure) {
    guard let last = try answering(store.lastPurge()) else {
      return Diagnostics.line("cairn: nothing was purged, so no receipt is written")
    }
    Diagnostics.line(
      "cairn: no receipt is written, since nothing was left to purge; event \(last) is the last purge "
        + "and is done; its receipt: cairn prove inclusion \(last) --tlog-proof FILE")
  }

  private func write(_ receipt: String, _ sequence: UInt64, of store: Store) throws(Failure) {
    do throws(Failure) {
      let proof = try answering(store.offlineProof(of: sequence))
      try EvidenceText.write(proof, to: receipt)
    } catch {
      Diagnostics.line(
        "cairn: the purge is done, its receipt is not written; make it by: "
          + "cairn prove inclusion \(sequence) --tlog-proof FILE")
      throw error
    }
  }
}

/// Which events are to go.
struct PurgeConditions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Everything of this domain and below it.", valueName: "domain"),
    completion: .domains) var domain: String?

  @Option(help: ArgumentHelp("Everything about this item.", valueName: "id"), completion: .items)
  var item: String?

  @Option(help: ArgumentHelp("Everything that happened before this time.", valueName: "time"))
  var before: TimeArgument?

  @Option(help: ArgumentHelp("Everything that happened then or later.", valueName: "time"))
  var since: TimeArgument?

  @Option(help: ArgumentHelp("Everything that happened then or earlier.", valueName: "time"))
  var until: TimeArgument?

  @Option(help: ArgumentHelp("Everything this one did.", valueName: "name")) var actor: String?

  @Option(help: ArgumentHelp("Everything of this visit.", valueName: "name")) var session: String?

  @Option(help: ArgumentHelp("Everything on this device.", valueName: "name")) var device: String?

  @Option(help: ArgumentHelp("Everything this app or importer told.", valueName: "name"))
  var source: String?

  @Option(help: ArgumentHelp("Searches whose typed text has this in it.", valueName: "text"))
  var query: String?

  @Option(
    help: ArgumentHelp(
      "Everything in which this text stands, folded as a search does, also percent-encoded or with "
        + "a line's end, a hyphen or other signs between its words: ids, titles, attributes, actors, queries. Not seen: what is base64 or encrypted.",
      valueName: "text")) var mentioning: String?

  @Option(
    help: ArgumentHelp(
      "Everything about items for which this holds now (cairn help filters).",
      valueName: "expression")) var filter: String?

  @Option(help: ArgumentHelp("Events of this kind.", valueName: "kind")) var kind: EventKind?

  @Option(help: ArgumentHelp("Events with these sequences: 5,9-12.", valueName: "list")) var events:
    SequencesArgument?

  func validate() throws {
    guard count > 0 else {
      throw ValidationError(
        "Give a condition: --item, --domain, --actor, --mentioning, --before or another one."
      )
    }
    // A variable of a script that is not set, most likely; and a blank stands in nearly every text.
    let empty = texts.first { option, text in
      text?.allSatisfy { $0.isWhitespace && ["--query", "--mentioning"].contains(option) } == true
    }
    if let empty { throw ValidationError("\(empty.option) is empty: give a text.") }
    try requireAtMostOne(of: (before != nil, "--before"), (until != nil, "--until"))
  }

  private var texts: [(option: String, text: String?)] {
    [
      ("--domain", domain), ("--item", item), ("--actor", actor), ("--session", session),
      ("--device", device), ("--source", source), ("--query", query), ("--mentioning", mentioning),
      ("--filter", filter),
    ]
  }

  private var count: Int {
    let others = [before != nil, since != nil, until != nil, kind != nil, events != nil]
    return texts.count { $0.text != nil } + others.count { $0 }
  }

  /// Whether it is what goes with --yes however much it is: one domain or item.
  var isNamedInContract: Bool { count == 1 && (domain != nil || item != nil) }

  func scope() throws(Failure) -> PurgeScope {
    if let filter { try answering(FilterSyntax.check(filter)) }
    if count == 1 {
      if let domain { return .domain(domain) }
      if let item { return .item(item) }
      if let before { return .before(try before.start("--before")) }
    }
    var criteria = PurgeCriteria()
    (criteria.domain, criteria.item, criteria.actor) = (domain, item, actor)
    (criteria.session, criteria.device, criteria.source) = (session, device, source)
    (criteria.query, criteria.filter, criteria.kind) = (query, filter, kind)
    criteria.mention = mentioning
    criteria.sequences = events?.ranges
    criteria.since = try since?.start("--since")
    criteria.until = try until?.end("--until")
    if let before { criteria.until = try before.start("--before").justBefore }
    if let since = criteria.since, let until = criteria.until, since > until {
      let end = before == nil ? "--until" : "--before"
      throw Failure(.usage, "--since is after \(end): nothing can lie between them")
    }
    return .matching(criteria)
  }

  /// What should make somebody think twice, by the line alone.
  func danger() throws(Failure) -> String? {
    guard let before, try before.start("--before") > .now() else { return nil }
    return "--before lies in the future, so everything until now would go"
  }
}

/// Sequences and ranges of them between commas.
struct SequencesArgument: ExpressibleByArgument {
  let ranges: [ClosedRange<UInt64>]

  init?(argument: String) {
    guard let ranges = SequenceRanges.ranges(argument) else { return nil }
    self.ranges = ranges
  }
}
