import ArgumentParser
import Cairn
import Rows

struct Rebuild: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild", abstract: "Build the projections anew from the log.",
    discussion: """
      Readers and writers keep working until one atomic switch; a rebuild that was killed goes on \
      where it was. What was built is compared with a second reading of the log first. All \
      projections share one file: names only choose whose results are shown, --only copies what \
      it does not name.

      Examples:
        cairn rebuild --keep
        cairn rebuild --rollback
        cairn rebuild --only ranking
      """)

  @Argument(
    help: ArgumentHelp("Whose results to show: \(Self.names.joined(separator: ", "))."),
    completion: .list(Self.names))
  var projections: [String] = []

  @Option(
    help: ArgumentHelp(
      "Make only these anew, with commas between them.", valueName: "projections"),
    completion: .list(Self.names)) var only: String?

  @Flag(help: "Keep the old projections until the next rebuild or purge, for --rollback.")
  var keep = false

  @Flag(help: "Say what is being rebuilt, and which generations there are.") var status = false

  @Flag(help: "Throw an unfinished rebuild away, also one that a process is at.") var cancel = false

  @Flag(help: "Let the projections serve again that --keep kept.") var rollback = false

  @Option(
    help: ArgumentHelp(
      "Memory it may take, in bytes or as 256M or 2G; 512M unless given, 64M at least.",
      valueName: "size")) var memory: SizeArgument?

  @OptionGroup var writer: WriterOptions

  static let names = Store.projectionNames

  private var onlyNames: [String]? {
    only?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  func validate() throws {
    guard (projections + (onlyNames ?? [])).allSatisfy({ Self.names.contains($0) }) else {
      throw ValidationError("The projections are \(Self.names.joined(separator: ", ")).")
    }
    let made = onlyNames ?? projections
    guard projections.isEmpty || projections.contains(where: { made.contains($0) }) else {
      throw ValidationError("--only makes none of the projections whose results are asked for.")
    }
    guard memory.map({ $0.byteCount >= Store.rebuildMemoryMin }) ?? true else {
      throw ValidationError("--memory takes 64M at least.")
    }
    try requireAtMostOne(
      of: (status, "--status"), (cancel, "--cancel"), (rollback, "--rollback"),
      (keep || only != nil, keep ? "--keep" : "--only"))
  }

  func run() throws(Failure) {
    if status { return try RebuildStatusText.write(writer.options) }
    let store = try writer.openExisting()
    if cancel {
      let found = try answering(store.cancelRebuild())
      if !found { throw Failure(.no, "there is no unfinished rebuild") }
      return
    }
    let results = try Self.interruptible("rebuilding", isKept: !rollback) {
      (tell) throws(CairnError) in
      return rollback
        ? try store.rollBack(progress: tell)
        : try store.rebuild(
          only: onlyNames, keepingOld: keep, memory: memory?.byteCount ?? Store.rebuildMemory,
          progress: tell)
    }
    guard let results else {
      throw Failure(.no, "no earlier projections are kept; see: cairn rebuild --status")
    }
    let shown = results.filter { projections.isEmpty || projections.contains($0.projection) }
    try Self.write(shown, json: writer.options.json)
    if shown.contains(where: { !$0.isEqual }) {
      throw Failure(.no, "the old projections differed from the log; the new ones serve now")
    }
  }

  /// Runs what another process can cancel, and says then that it was interrupted; interrupted here,
  /// how to go on, where what was built is kept, or that it serves.
  static func interruptible<R>(
    _ label: String, isKept: Bool = true,
    _ body: (_ tell: (RebuildProgress) -> Bool) throws(CairnError) -> R
  ) throws(Failure) -> R {
    if isKept {
      InterruptNote.set(
        "what was built is kept: the same command goes on with it, cairn rebuild --cancel drops it")
    }
    defer { InterruptNote.clear() }
    var progress = Progress(label)
    let result: R
    do {
      result = try body { state in
        if state.isServing { InterruptNote.set("it is done already; only the report is missing") }
        return progress.show(state)
      }
    } catch {
      throw error.code == .aborted ? Failure(.interrupted, error.message) : Failure(error)
    }
    progress.finish()
    return result
  }

  static func write(_ results: [RebuildResult], json: Bool) throws(Failure) {
    var output = Output()
    let table = Table([.left(10), .right(10), .right(9), .left(34), .left(9)])
    for result in results {
      let cells = [
        result.projection, Readable.number(result.eventCount),
        Readable.decimal(result.seconds, 2) + " s", result.digestAfter,
        result.isEqual ? "equal" : "differed",
      ]
      try output.row(table.row(cells), json: json) { $0.fields(of: result) }
    }
    try output.flush()
  }
}
