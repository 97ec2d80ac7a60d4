import ArgumentParser
import Cairn
import Rows

struct Migrate: CairnSubcommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring what an older version made up to date.",
    discussion: """
      Events are brought up whenever they are read and never rewritten; projections of an older \
      version are made anew from the log, which the next command that writes does too. The folder \
      Migrations of the source has every step with its reasons.
      """)

  @Flag(help: "Do what is pending; so does the command without options.") var apply = false

  @Flag(help: "Only list the steps and their state.") var status = false

  @Flag(help: "Only list what is pending, and what it takes.") var plan = false

  @Flag(help: "Take the last step back, or the one that is named if it is the last.") var rollback =
    false

  @Flag(help: "Change nothing; alone the same as --plan.") var dryRun = false

  @Argument(help: "For --rollback: the step.") var id: String?

  @OptionGroup var writer: WriterOptions

  func validate() throws {
    try requireAtMostOne(
      of: (apply, "--apply"), (status, "--status"), (plan, "--plan"), (rollback, "--rollback"))
    guard id == nil || rollback else {
      throw ValidationError("A step is named with --rollback alone.")
    }
    guard !(dryRun && (apply || status)) else {
      throw ValidationError("--dry-run goes alone or with --rollback.")
    }
  }

  func run() throws(Failure) {
    if rollback { return try runRollback() }
    let isPlan = plan || dryRun
    let store = isPlan || status ? try writer.options.openAsIs() : try writer.openExisting()
    if !isPlan, !status {
      try Rebuild.interruptible("migrating") { (tell) throws(CairnError) in
        try store.migrate(progress: tell)
      }
    }
    let all = try answering(store.migrations())
    let shown = isPlan ? all.filter { $0.state == .pending } : all
    try write(shown, withCost: isPlan)
    Listing.ending(shown.count, "step", none: "nothing is pending", writer.options)
    store.close()
  }

  private func runRollback() throws(Failure) {
    let reader = try writer.options.openAsIs()
    var step = try answering(reader.migrationToRollBack(id))
    reader.close()
    if !dryRun, step.kind == .schema {
      // What cannot be taken back must change nothing, so only now is the store opened for writing.
      let store = try writer.openExisting()
      try Rebuild.interruptible("undoing") { (tell) throws(CairnError) in
        _ = try store.undoSchema(progress: tell)
      }
      store.close()
      step.state = .undone
    }
    try write([step], withLoss: true)
  }

  private func write(_ migrations: [Migration], withCost: Bool = false, withLoss: Bool = false)
    throws(Failure)
  {
    var output = Output()
    let table = Table([.share(1), .left(10), .left(7), .left(21)])
    for migration in migrations {
      if writer.options.json {
        try output.object { line in
          line.fields(of: migration)
          if withLoss { line.field("lost", json: JSONLine.strings(migration.lost)) }
          guard withCost, let cost = migration.cost else { return }
          line.field("events", cost.eventCount)
          line.field("seconds", cost.seconds)
          line.field("bytes", cost.byteCount)
        }
        continue
      }
      try output.line(
        table.row([
          migration.id, migration.kind.rawValue, migration.state.rawValue,
          ProgramVersion.isReleased(migration.since)
            ? "since \(migration.since)" : "unreleased, for \(migration.since)",
        ]))
      if withCost, let cost = migration.cost, cost.eventCount > 0 {
        try output.line(
          "  \(Readable.count(cost.eventCount, "event")), about "
            + "\(Readable.decimal(cost.seconds, 0)) s, \(Readable.bytes(cost.byteCount)) meanwhile")
      }
      if withLoss { for loss in migration.lost { try output.line("  lost: \(loss)") } }
    }
    try output.flush()
  }
}
