import ArgumentParser
import Cairn

struct Replay: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Give every event again: as lines, into a new store, or against the projections.",
    discussion: """
      Without options the events as NDJSON, for: cairn append --store OTHER. With --into a new \
      store at that point. With --verify the log is folded anew in scratch and compared with the \
      live projections, digest by digest; exit code 1 if one differs.
      """)

  @Option(help: ArgumentHelp("First sequence.", valueName: "sequence")) var from: UInt64 = 1

  @Option(help: ArgumentHelp("Last point.", valueName: "point")) var to: PointArgument?

  @Option(
    help: ArgumentHelp("Make a store in this directory, absent or empty.", valueName: "dir"),
    completion: .directory) var into: String?

  @Flag(help: "Compare a rebuild in scratch with the live projections.") var verify = false

  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard into == nil || from == 1 else {
      throw ValidationError("A store begins with its first event: --into goes without --from.")
    }
    guard !verify || (into == nil && to == nil && from == 1) else {
      throw ValidationError("--verify looks at everything and takes no other option.")
    }
  }

  func run() throws(Failure) {
    let store = try options.openForReading()
    if verify { return try compare(store) }
    if let into {
      // A copy is compared with what searches know, which must be everything then.
      if to == nil, let failure = store.projectionFailure { throw Failure(failure) }
      let end: UInt64
      if let to {
        end = try to.moment(of: store, "--to").sequence
      } else {
        end = try answering { () throws(CairnError) in try store.at().sequence }
      }
      return try StoreCopy(from: store, through: end, into: into).run()
    }
    var query = EventQuery()
    query.from = from
    // Without a point every event of the log, whether searches know it yet or not.
    if let to { query.through = try to.moment(of: store, "--to").sequence }
    try EventStream.write(query, of: store)
  }

  private func compare(_ store: Store) throws(Failure) {
    let results = try answering { () throws(CairnError) in try store.replayVerify() }
    try Rebuild.write(results, json: options.json)
    if let different = results.first(where: { !$0.isEqual }) {
      throw Failure(
        .no, "the projection differs from the log; run: cairn rebuild", place: different.projection)
    }
  }
}

/// Events as lines of JSON on standard output.
enum EventStream {
  /// Writes what `line` makes of each event.
  static func write(
    _ query: EventQuery, of store: Store,
    _ line: (LogRecord, inout [UInt8]) throws(CairnError) -> Void = { (record, line) in
      try record.appendJSON(to: &line)
    }
  ) throws(Failure) {
    var output = Output()
    var problem: Failure?
    try answering { () throws(CairnError) in
      try store.forEachRecord(query) { record in
        do throws(Failure) {
          try output.bytes { (bytes) throws(Failure) in
            do throws(CairnError) { try line(record, &bytes) } catch { throw Failure(error) }
            bytes.append(UInt8(ascii: "\n"))
          }
        } catch { problem = error }
        return problem == nil
      }
    }
    if let problem { throw problem }
    try output.flush()
  }
}
