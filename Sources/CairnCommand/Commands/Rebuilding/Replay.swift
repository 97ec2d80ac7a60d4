import ArgumentParser
import Cairn
import Rows

struct Replay: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Give every event again: as lines, into a new store, or against the projections.",
    discussion: """
      Without options the events as NDJSON, for: cairn append --store OTHER. To there no block of a \
      purge goes along, nor what imported events are known by: importing their source again adds it \
      once more. With --into a new store at that point, which knows them. With --verify the log is folded anew in scratch and compared with the \
      live projections, digest by digest; exit code 1 if one differs, with the first event after \
      which its rows do. --trace tells what each event made of one item. --until-differs finds \
      the first event at which another store's log differs.

      Examples:
        cairn replay --trace notes/harbour
        cairn replay --until-differs ~/backup
      """)

  @Option(help: ArgumentHelp("First sequence.", valueName: "sequence")) var from: UInt64 = 1

  @Option(help: ArgumentHelp("Last point.", valueName: "point"), completion: .points)
  var to: PointArgument?

  @Option(
    help: ArgumentHelp("Make a store in this directory, absent or empty.", valueName: "dir"),
    completion: .directory) var into: String?

  @Flag(help: "Compare a rebuild in scratch with the live projections.") var verify = false

  @Option(
    help: ArgumentHelp("Tell what each event made of this item.", valueName: "item"),
    completion: .items) var trace: String?

  @Option(
    help: ArgumentHelp("Find the first event that another store has otherwise.", valueName: "dir"),
    completion: .directory) var untilDiffers: String?

  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard into == nil || from == 1 else {
      throw ValidationError("A store begins with its first event: --into goes without --from.")
    }
    guard !verify || (into == nil && to == nil && from == 1) else {
      throw ValidationError("--verify looks at everything and takes no other option.")
    }
    try requireAtMostOne(
      of: (verify, "--verify"), (into != nil, "--into"), (trace != nil, "--trace"),
      (untilDiffers != nil, "--until-differs"))
    guard from == 1 || (trace == nil && untilDiffers == nil) else {
      throw ValidationError("--from goes with events alone.")
    }
    guard to == nil || untilDiffers == nil else {
      throw ValidationError("--until-differs compares whole logs and takes no --to.")
    }
  }

  /// What is said of a copy that is interrupted.
  static let unfinished = "nothing is there yet; the same command begins anew"

  func run() throws(Failure) {
    let store = try options.openForReading()
    if verify { return try compare(store) }
    let debugging = ReplayDebugging(store: store, json: options.json)
    if let trace {
      let last = try to.map { (to) throws(Failure) in try to.moment(of: store, "--to").sequence }
      return try debugging.trace(trace, through: last)
    }
    if let untilDiffers { return try debugging.compare(with: untilDiffers) }
    if let into {
      // A copy is compared with what searches know, which must be everything then.
      if to == nil, let failure = store.projectionFailure { throw Failure(failure) }
      let moment: Moment
      if let to {
        moment = try to.moment(of: store, "--to")
      } else {
        moment = try answering(store.at())
      }
      InterruptNote.set(Self.unfinished)
      defer { InterruptNote.clear() }
      Store.warnOfCopy(in: into, isNoted: try answering(store.copy(at: moment, into: into)))
      return try Init.answer(into, head: moment.sequence, json: options.json)
    }
    var query = EventQuery()
    query.from = from
    // Every event of the log until then, whether searches know it yet or not.
    if let to {
      let last = try to.lastSequence(of: store, "--to")
      // Without --from the point before the first event is one like others.
      guard from == 1 || from <= last else {
        throw Failure(.usage, "--from is after --to: nothing can lie between them")
      }
      query.through = last
    }
    try EventStream.write(query, of: store)
  }

  private func compare(_ store: Store) throws(Failure) {
    let comparisons = try answering(store.replayVerify())
    try ReplayDebugging(store: store, json: options.json).write(comparisons)
    if let different = comparisons.first(where: { !$0.result.isEqual }) {
      let reason =
        try answering(store.statistics()).isOutdated
        ? "another version or schema made the projection" : "the projection differs from the log"
      throw Failure(.no, "\(reason); run: cairn rebuild", place: different.result.projection)
    }
  }
}

/// Events as lines on standard output.
enum EventStream {
  static func write(_ query: EventQuery, of store: Store, as format: EventFormat = .ndjson)
    throws(Failure)
  {
    var output = Output()
    try output.bytes { $0 += format.head }
    var problem: Failure?
    try answering(
      store.forEachRecord(query) { record in
        do throws(Failure) {
          try output.bytes { (bytes) throws(Failure) in
            try answering(format.append(record, to: &bytes))
          }
        } catch { problem = error }
        return problem == nil
      })
    if let problem { throw problem }
    try output.flush()
  }
}
