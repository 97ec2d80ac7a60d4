import ArgumentParser
import Cairn
import Rows

struct Rebuild: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild", abstract: "Build the projections anew from the log.",
    discussion: """
      Readers keep working on the old ones until one atomic switch; a rebuild that was killed \
      goes on where it was. All projections share one file and are rebuilt together; names only \
      choose whose results are shown.
      """)

  @Argument(help: "Whose results to show: catalog, text, ranking, timeline.") var projections:
    [String] = []

  @Flag(help: "Say how far an unfinished rebuild is.") var status = false

  @Flag(help: "Throw an unfinished rebuild away.") var cancel = false

  @Option(
    help: ArgumentHelp(
      "Memory it may take, in bytes or as 256M or 2G; 512M unless given, 64M at least.",
      valueName: "size")) var memory: SizeArgument?

  @OptionGroup var writer: WriterOptions
  @OptionGroup var options: StoreOptions

  static let names = Store.projectionNames

  func validate() throws {
    guard projections.allSatisfy({ Self.names.contains($0) }) else {
      throw ValidationError("The projections are \(Self.names.joined(separator: ", ")).")
    }
    guard !(status && cancel) else {
      throw ValidationError("--status and --cancel contradict each other.")
    }
  }

  func run() throws(Failure) {
    if status { return try writeStatus() }
    let store = try writer.openExisting(options)
    if cancel {
      let found = try answering { () throws(CairnError) in try store.cancelRebuild() }
      if !found { throw Failure(.no, "there is no unfinished rebuild") }
      return
    }
    var progress = Progress("rebuilding")
    let results = try answering { () throws(CairnError) in
      try store.rebuild(memory: memory?.byteCount ?? Store.rebuildMemory) { state in
        progress.update(Int(clamping: state.sequence), of: Int(clamping: state.head))
        return true
      }
    }
    progress.finish()
    let shown = (results ?? []).filter {
      projections.isEmpty || projections.contains($0.projection)
    }
    try Self.write(shown, json: options.json)
    if shown.contains(where: { !$0.isEqual }) {
      throw Failure(.no, "the old projections differed from the log; the new ones serve now")
    }
  }

  static func write(_ results: [RebuildResult], json: Bool) throws(Failure) {
    var output = Output()
    let table = Table([.left(10), .right(10), .right(9), .left(34), .left(9)])
    for result in results {
      if json {
        try output.object { $0.fields(of: result) }
      } else {
        try output.line(
          table.row([
            result.projection, Readable.number(result.eventCount),
            Readable.decimal(result.seconds, 2) + " s", result.digestAfter,
            result.isEqual ? "equal" : "differed",
          ]))
      }
    }
    try output.flush()
  }

  private func writeStatus() throws(Failure) {
    let store = try options.openForReading()
    let state = try answering { () throws(CairnError) in try store.rebuildStatus() }
    var output = Output()
    if options.json {
      try output.object { line in
        line.field("running", state != nil)
        line.field("sequence", optional: state?.sequence)
        line.field("head", optional: state?.head)
      }
    } else if let state {
      try output.line("unfinished, at event \(state.sequence) of \(state.head)")
    } else {
      try output.line("no rebuild is unfinished")
    }
    try output.flush()
  }
}
