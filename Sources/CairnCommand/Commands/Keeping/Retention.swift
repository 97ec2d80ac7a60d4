import ArgumentParser
import Cairn
import Rows

struct Retention: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention",
    abstract: "Keep so many days, events or old versions.",
    discussion: """
      Rules do nothing by themselves: see what they would erase, then apply them. Where several \
      rules fit an event, it goes as soon as one of them does not keep it: the strictest wins.
      """,
    subcommands: [Add.self, List.self, Remove.self, Apply.self])

  struct Add: CairnSubcommand {
    static let configuration = CommandConfiguration(abstract: "Add a rule.")

    @Option(help: .domain) var domain: String?

    @Option(
      help: ArgumentHelp(
        "Only index, update, delete, view, select or impression.", valueName: "kind")) var kind:
      KeptKindArgument?

    @Option(help: ArgumentHelp("Only what this app or importer told.", valueName: "name"))
    var source: String?

    @Option(help: ArgumentHelp("Keep what happened within so many days.", valueName: "days"))
    var days: Int?

    @Option(help: ArgumentHelp("Keep the newest so many events.", valueName: "count")) var events:
      Int?

    @Flag(
      help: "Keep all events, and old versions of items for --days: earlier points are refused.")
    var versions = false

    @OptionGroup var writer: WriterOptions

    func validate() throws {
      guard !versions || (days != nil && kind == nil && source == nil) else {
        throw ValidationError("--versions goes with --days, without --kind and --source.")
      }
      guard (days == nil) != (events == nil) else {
        throw ValidationError("Give one of --days and --events.")
      }
    }

    func run() throws(Failure) {
      let limit =
        days.map { versions ? RetentionRule.Limit.versions(days: $0) : .days($0) }
        ?? .events(events ?? 0)
      let rule = RetentionRule(
        domain: domain, kind: kind?.kind, source: source, keeping: limit)
      let store = try writer.openExisting()
      let known = try answering(store.retentionRules())
      let same = known.first { $0.rule == rule }?.number
      if let same {
        Diagnostics.line("cairn: rule \(same) says just that already; nothing was added")
      }
      let number = try answering { () throws(CairnError) -> Int in
        if let same { return same }
        return try store.addRetentionRule(rule)
      }
      try RuleRow.write([(number, rule)], json: writer.options.json)
      if let domain, try answering(store.at().itemCount(domain: domain)) == 0 {
        Diagnostics.line(
          "cairn: no item is in the domain '\(DisplayText.harmless(domain))' now; the rule holds "
            + "for what comes")
      }
      guard !versions else {
        if Terminal.errorsAreTerminal {
          Diagnostics.line(
            "rules are applied by: cairn retention apply (--dry-run shows what goes)")
        }
        return
      }
      let plan = try answering(store.planPurge(.retention([rule])))
      Diagnostics.line(
        "cairn: by now \(Readable.count(plan.eventCount, "event")) would go; rules are applied by: "
          + "cairn retention apply (--dry-run shows what goes), every day by: systemctl --user enable --now cairn-retention.timer"
      )
    }
  }

  struct List: CairnSubcommand {
    static let configuration = CommandConfiguration(abstract: "List the rules.")
    @OptionGroup var options: StoreOptions

    func run() throws(Failure) {
      let store = try options.openForReading()
      let rules = try answering(store.retentionRules())
      try RuleRow.write(rules, json: options.json)
      let none = "no rules; make one with: cairn retention add"
      Listing.ending(rules.count, "rule", none: none, options)
    }
  }

  struct Remove: CairnSubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget a rule, in the files too.",
      discussion: """
        Old versions that went by it do not come back, and a rebuild makes none of them: points \
        before stay refused for good.
        """)
    @Argument(help: "Its number, see list.") var number: Int
    @OptionGroup var writer: WriterOptions

    func run() throws(Failure) {
      let store = try writer.openExisting()
      let known = try answering(store.retentionRules()).filter { $0.number == number }
      let found = try answering(store.removeRetentionRule(number))
      if found { return try RuleRow.write(known, json: writer.options.json) }
      throw Failure(.no, "no rule has that number; see: cairn retention list")
    }
  }

  struct Apply: CairnSubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Purge what the rules do not keep, and let go of old versions.",
      discussion: """
        Without a terminal it needs --yes; --dry-run shows the plan. Where more than half of the \
        store would go it also needs --all-of-it, until just these rules were applied once: then a \
        timer goes on with --yes alone.

        Old versions go for good: earlier points stay refused without the rule, too, and after a \
        rebuild. The log keeps its events: cairn replay --to POINT --into DIR answers for one.
        """)

    @Flag(help: "Print the plan and change nothing.") var dryRun = false

    @Flag(help: "Do not ask.") var yes = false
    @Flag(help: "Also when more than half of the store would go.") var allOfIt = false

    @OptionGroup var writer: WriterOptions

    func run() throws(Failure) {
      let rules = try reading { (store) throws(CairnError) in
        try store.retentionRules().map(\.rule)
      }
      let hasVersions = rules.contains { $0.versionDays != nil }
      if !hasVersions || rules.contains(where: { $0.versionDays == nil }) {
        var run = PurgeRun(json: writer.options.json, yes: yes)
        run.mayTakeAll = allOfIt
        try run.perform(
          dryRun: dryRun, writer,
          { (store) throws(CairnError) in .retention(try store.eventRules()) },
          guarded: { (store) throws(CairnError) in try !store.retentionWasApplied() })
      }
      guard hasVersions else { return }
      if dryRun {
        let plans = try reading { (store) throws(CairnError) in try store.planVersionRetention() }
        return try HorizonRow.write(plans, "would go", json: writer.options.json)
      }
      try consent()
      let store = try writer.openExisting()
      defer { store.close() }
      let plans = try answering(store.applyVersionRetention())
      try HorizonRow.write(plans, "went", json: writer.options.json)
    }

    /// Asks the store, which is closed again before it is written to.
    private func reading<Value>(_ body: (Store) throws(CairnError) -> Value) throws(Failure)
      -> Value
    {
      let store = try writer.options.openForReading()
      defer { store.close() }
      return try answering(body(store))
    }

    private func consent() throws(Failure) {
      guard !yes else { return }
      guard Terminal.inputIsTerminal else {
        throw Failure(.usage, "a horizon never goes back: say --yes, or --dry-run to see the plan")
      }
      let plans = try reading { (store) throws(CairnError) in try store.planVersionRetention() }
      try HorizonRow.write(plans, "would go", json: false)
      guard
        Question.isAnswered(
          "Earlier points cannot be asked of any more. Type yes to go on:", by: "yes")
      else { throw Failure(.no, "no version went") }
    }
  }
}

private enum HorizonRow {
  static func write(_ plans: [HorizonPlan], _ verb: String, json: Bool) throws(Failure) {
    var output = Output()
    for plan in plans {
      let place = plan.domain.map { " of \($0)" } ?? ""
      try output.row(
        "\(Readable.count(plan.versionCount, "old version"))\(place) "
          + "(\(Readable.bytes(plan.byteCount))) \(verb); points from event "
          + "\(plan.sequence) on can be asked of", json: json
      ) { line in
        line.object("horizon") {
          $0.field("domain", optional: plan.domain)
          $0.fields(of: plan)
        }
      }
    }
    try output.flush()
  }
}

/// A kind of event that a rule can keep.
struct KeptKindArgument: ExpressibleByArgument {
  let kind: EventKind

  init?(argument: String) {
    guard let kind = EventKind(name: argument) else { return nil }
    self.kind = kind
  }

  static let allValueStrings = [
    EventKind.index, .update, .delete, .view, .select, .impression,
  ].map { $0.name.description }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

private enum RuleRow {
  static func write(_ rules: [(number: Int, rule: RetentionRule)], json: Bool) throws(Failure) {
    var output = Output()
    for (number, rule) in rules {
      let (unit, count) = rule.limit.named
      let what =
        rule.versionDays != nil
        ? "old versions" : rule.kind.map { "\($0.name) events" } ?? "everything"
      let place =
        (rule.domain.map { " in \(DisplayText.harmless($0))" } ?? "")
        + (rule.source.map { " from \(DisplayText.harmless($0))" } ?? "")
      let amount = Readable.count(count, String(unit.description.dropLast()))
      try output.row("\(number)  \(what)\(place): keep \(amount)", json: json) {
        $0.fields(of: rule, number)
      }
    }
    try output.flush()
  }
}
