import ArgumentParser
import Cairn
import Rows

struct Migrate: CairnSubcommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring what an older version made up to date.",
    discussion: """
      Events are brought up whenever they are read and never rewritten; projections of an older \
      version are made anew from the log, which the next command that writes does too.
      """)

  @Flag(help: "Only say what there is to do.") var status = false

  @Flag(help: "Change nothing; the same as --status.") var dryRun = false

  @OptionGroup var writer: WriterOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let isReport = status || dryRun
    let store = isReport ? try options.openForReading() : try writer.openExisting(options)
    if !isReport {
      var progress = Progress("migrating")
      try answering { () throws(CairnError) in
        try store.migrate { state in
          progress.update(Int(clamping: state.sequence), of: Int(clamping: state.head))
          return true
        }
      }
      progress.finish()
    }
    try write(try answering { () throws(CairnError) in try store.migrations() })
    store.close()
  }

  private func write(_ migrations: [Migration]) throws(Failure) {
    var output = Output()
    let table = Table([.left(32), .left(11), .left(8)])
    for migration in migrations {
      if options.json {
        try output.object { $0.fields(of: migration) }
      } else {
        try output.line(
          table.row([migration.id, migration.kind.rawValue, migration.state.rawValue]))
      }
    }
    try output.flush()
  }
}
