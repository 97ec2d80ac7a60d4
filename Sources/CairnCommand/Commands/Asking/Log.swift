import ArgumentParser
import Cairn

struct Log: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show what happened.",
    discussion: """
      On a terminal the newest comes first, in a pager ($PAGER); into a pipe or a file, with --json \
      and with --follow the oldest. -n counts from what comes first: -n 20 is the latest twenty on \
      a terminal, the earliest twenty in a pipe. --reverse is newest first everywhere, \
      --oldest-first the other way round. --since and --until go by the time it happened, --from \
      and --to by sequence.

      Examples:
        cairn log -n 20
        cairn log --reverse -n 20 --json
        cairn log --since yesterday --kind view
        cairn log report-7
      """, aliases: ["history"])

  @Argument(help: "Only events about this item.", completion: .items) var item: String?

  @Option(help: .domain, completion: .domains) var domain: String?

  @Option(
    help: ArgumentHelp("Only events of this kind.", valueName: "kind")
  ) var kind: EventKind?

  @Option(help: ArgumentHelp("Only what this one did.", valueName: "name")) var actor: String?

  @Option(help: ArgumentHelp("Only what this app or importer told.", valueName: "name"))
  var source: String?

  @Option(help: ArgumentHelp("Only what happened then or later.", valueName: "time")) var since:
    TimeArgument?

  @Option(help: ArgumentHelp("Only what happened then or earlier.", valueName: "time")) var until:
    TimeArgument?

  @Option(help: ArgumentHelp("First sequence.", valueName: "sequence")) var from: UInt64?

  @Option(help: ArgumentHelp("Last sequence.", valueName: "sequence")) var to: UInt64?

  @Option(name: .limit, help: "How many, from the first shown on; 0 for all.")
  var limit: CountArgument = 0

  @Flag(help: "Newest first.") var reverse = false

  @Flag(help: "Oldest first, on a terminal as well.") var oldestFirst = false

  @Flag(help: "Also show what is left of purged events: sequence, purge and hash.") var erased =
    false

  @Flag(help: "Go on with what happens from now on, until interrupted.") var follow = false

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func validate() throws {
    try requireAtMostOne(of: (follow, "--follow"), (reverse, "--reverse"))
    try requireAtMostOne(of: (oldestFirst, "--oldest-first"), (reverse, "--reverse"))
    try requireAtMostOne(of: (follow, "--follow"), (point.asOf != nil, "--as-of"))
    if let from, let to, from > to {
      throw ValidationError("--from is after --to: nothing can lie between them.")
    }
  }

  func run() throws(Failure) {
    let store = try options.openForReading()
    let row = EventRow(json: options.json, isOfOne: item != nil && Terminal.outputIsTerminal)
    var query = EventQuery(item: item, domain: domain, kind: kind, actor: actor)
    query.source = source
    query.since = try since?.start("--since")
    query.until = try until?.end("--until")
    if let since = query.since, let until = query.until, since > until {
      throw Failure(.usage, "--since is after --until: nothing can lie between them")
    }
    query.from = from ?? 1
    query.through = to
    query.limit = limit.limit
    // As git has it: whoever reads begins with what happened last.
    let isRead = Terminal.outputIsTerminal && !options.json && !follow
    query.isReversed = reverse || (isRead && !oldestFirst)
    if let asOf = point.asOf {
      query.asOf = try asOf.lastSequence(of: store)
      query.through = min(to ?? .max, query.asOf ?? .max)
    }
    var output = Output()
    guard follow else {
      let pager = isRead ? Pager() : nil
      try row.heading(options, to: &output)
      let count = try write(query, store, row, &output)
      pager?.finish()
      if count == 0, try isExplained(store) { return }
      let none = Listing.noEvent(try answering(store.at()))
      return Listing.ending(count, "event", none: none, options)
    }
    try follow(query, store, row, &output)
  }

  /// Says why nothing fits, where the line itself tells; whether it does.
  private func isExplained(_ store: Store) throws(Failure) -> Bool {
    let moment = try answering(store.at())
    try Listing.tellOfDomain(domain, moment)
    if Terminal.errorsAreTerminal { try Listing.tellOfActor(actor, moment) }
    guard let item else { return false }
    // What is no time is a word like others.
    let isTime = (try? TimeExpression(item, zone: .chosen, direction: .back)) != nil
    let word = DisplayText.word(item)
    var advice =
      isTime ? "for a time: cairn log --since \(word)" : "to find its id: cairn search TEXT"
    // As Unix seconds that would be 1970.
    if item.utf8.count < 4, UInt(item) != nil {
      advice = "for so many events: cairn log -n \(word)"
    }
    return try Listing.isReportedUnknown(item, store, advice)
  }

  /// Writes what there is and then what comes.
  private func follow(_ query: EventQuery, _ store: Store, _ row: EventRow, _ output: inout Output)
    throws(Failure)
  {
    let identity = StoreIdentity(directory: store.directory)
    var query = query
    var written = 0
    var next = query.from
    while true {
      let head = try answering(store.at().sequence)
      if head >= next {
        query.from = next
        query.through = min(to ?? .max, head)
        written += try write(query, store, row, &output)
        next = head + 1
        if let limit = limit.limit {
          guard written < limit else { return }
          query.limit = limit - written
        }
      }
      if let to, head >= to { return }
      let last = next - 1
      _ = try answering(store.wait(after: last, atMost: .seconds(1)))
      try identity.check("log --follow")
      Output.endIfAbandoned()
    }
  }

  private func write(_ query: EventQuery, _ store: Store, _ row: EventRow, _ output: inout Output)
    throws(Failure) -> Int
  {
    var count = 0
    var problem: Failure?
    try answering { () throws(CairnError) in
      if row.json, !erased {
        return try store.forEachRecord(query) { record in
          do throws(Failure) { try EventRow.write(record, to: &output) } catch { problem = error }
          count += 1
          return problem == nil
        }
      }
      func take(_ entry: LogEntry) -> Bool {
        do throws(Failure) { try row.write(entry, to: &output) } catch { problem = error }
        count += 1
        return problem == nil
      }
      guard erased else { return try store.forEachEvent(query) { take(.event($0)) } }
      try store.forEachEntry(query, take)
    }
    if let problem { throw problem }
    try output.flush()
    return count
  }
}
