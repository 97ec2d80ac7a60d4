import Cairn
import Files
import Importers
import Rows

/// One import: reads the files, says what they hold, and appends their events in the order of time.
final class ImportSession {
  private let sink: EventSink
  private let options: ImportOptions
  private let json: Bool
  /// Whether what became of the events is not written, for a caller who says so itself.
  var isQuiet = false
  /// Whether files were looked for, not named.
  var isAuto = false
  /// What the one git repository is to be called.
  var repositoryName: RepositoryName?
  /// What else goes into the same sink, after the histories.
  var afterHistories: ((EventSink) throws(Failure) -> Void)?
  /// Whether the files with their counts were written.
  private var isListed = false
  /// Whether there is no store yet, and none is to be made before ``append()``.
  var makesStoreLater = false
  /// What the ids were made with for a store that is made later.
  private var laterKey: [UInt8]?
  private var sources: [HistoryPlaces.Found] = []
  /// Whether it was read before, and what was refused is told.
  private var isReadAgain = false
  private var run: ImportRun?
  private var report: Failure?
  private var blocked = 0
  /// How many events purges took from the store, and how many ids they refuse.
  private var purged = 0
  private var blockedIDCount = 0
  /// The store that a dry run compares with.
  private var compared: Store?

  init(sink: EventSink, options: ImportOptions, json: Bool) {
    self.sink = sink
    self.options = options
    self.json = json
  }

  /// Reads every file; what cannot be read is said at once, and the others are.
  ///
  /// Without a store to write to, `store` is what is compared with.
  func read(_ found: [HistoryPlaces.Found], in store: Store?, isDryRun: Bool) throws(Failure) {
    if isDryRun { compared = store }
    sources = found
    let ids = try derivedIDs(isDryRun: isDryRun)
    let known = isDryRun || makesStoreLater ? store : try sink.opened()
    let past = try answering(PastUses(of: found.map(\.format), in: known))
    try countPurged(known)
    var names = try RepositoryNames(found, in: known, isAuto: isAuto, wanted: repositoryName)
    var wanted = options
    wanted.outlived = try answering(known?.outlived() ?? [])
    var progress = Progress("reading")
    let isWanted = {
      progress.update(self.run?.count ?? 0)
      return true
    }
    let run = ImportRun(options: wanted, ids: ids, past: past, isWanted: isWanted) {
      path, place, reason, raw in
      guard !self.isReadAgain else { return }
      do throws(Failure) {
        try self.sink.report(reason, place: "\(path):\(place)", line: raw)
      } catch { self.report = self.report ?? error }
    }
    // What is found on a machine is of different programs, never a copy of one another.
    run.addsCounts = isAuto
    run.countsVisits = found.contains { $0.format.name == "safari-export" }
    self.run = run
    InterruptNote.set(
      isQuiet
        ? "what was read last is not recorded yet; the same command reads it again"
        : "nothing was recorded yet; the same command begins anew")
    for source in found {
      let name = source.format == Git.self ? try names.name(of: source.path) : nil
      do throws(CairnError) {
        try run.read(
          source.path, as: source.format, repository: name, host: source.host, home: source.home)
      } catch {
        progress.finish()
        throw Failure(error, place: [.io, .diskFull].contains(error.code) ? nil : source.path)
      }
      if let report { throw report }
    }
    progress.finish()
    for file in run.files where !isReadAgain {
      if let failure = file.failure { Diagnostics.line("cairn: \(file.path): \(failure.message)") }
    }
  }

  private func derivedIDs(isDryRun: Bool) throws(Failure) -> DerivedID {
    // Of a store that nothing was imported into no id is known.
    if isDryRun { return DerivedID(key: try answering(compared?.existingImportKey()) ?? []) }
    guard makesStoreLater else { return try sink.derivedIDs() }
    var generator = SystemRandomNumberGenerator()
    let key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    laterKey = key
    return DerivedID(key: key)
  }

  /// Makes the store that was put off, with the key that the ids were made with, where there is
  /// something for it.
  func makeStore() throws(Failure) {
    guard let key = laterKey, run?.count ?? 0 > 0 || afterHistories != nil else { return }
    let store = try sink.opened()
    let used = try answering(store.importKey(proposing: key))
    guard used != key else { return }
    // Another import made the store meanwhile, under whose key the ids are made.
    guard !sources.contains(where: { Self.isReadOnce($0.path) }) else {
      throw Failure(.unavailable, "another process made the store meanwhile; run this again")
    }
    laterKey = nil
    makesStoreLater = false
    isReadAgain = true
    try read(sources, in: nil, isDryRun: false)
  }

  private static func isReadOnce(_ path: String) -> Bool {
    path == "-" || FileStatus(input: path)?.isPipe == true
  }

  /// What purges took; they keep no trace by which an import could tell it again.
  private func countPurged(_ store: Store?) throws(Failure) {
    guard let store else { return }
    var query = EventQuery(kind: .purge)
    query.includesLeafHashes = false
    var count = 0
    // One after the other: each may list thousands of spans.
    try answering(
      store.forEachEvent(query) { recorded in
        count += recorded.event.extras["purge"]?.object?["events"]?.number() ?? 0
        return true
      })
    purged = count
    guard count > 0 else { return }
    blockedIDCount = try answering(store.blockCounts()).events
  }

  /// What is said where a purge was made, of so many new events: what is known or was left out does
  /// not come back.
  private func tellOfWhatReturns(of count: Int, _ verb: String) {
    let most = min(purged - max(blocked, blockedIDCount), count)
    guard most > 0 else { return }
    Diagnostics.line(
      "cairn: purges took \(Readable.count(purged, "event")) from this store; nobody can tell "
        + "whether any of them \(verb), at most \(Readable.number(most)) (purge --block keeps such "
        + "out)")
  }

  func showPlan(withEvents: Bool) throws(Failure) {
    guard let run else { return }
    let plan = try ImportText(json: json).writePlan(run, withEvents: withEvents, in: compared)
    isListed = true
    blocked = plan.blocked
    sink.tellOfMore()
    tellOfSecrets(run)
    // What is appended next says it itself.
    if withEvents { tellOfWhatReturns(of: plan.new, "come back") }
    if withEvents { try endWithWhatFailed(run) }
  }

  /// Appends everything and says what became of it.
  func append() throws(Failure) {
    do throws(Failure) {
      try makeStore()
      if let run { try appendEvents(run) }
      try afterHistories?(sink)
    } catch {
      if sink.lastSequence != nil || error.status == .disk { try sink.summarise(json: json) }
      throw error
    }
    InterruptNote.clear()
    guard let run else { return }
    // Where no file could be read, the reasons are all there is to say.
    let isRead = run.files.contains { $0.failure == nil }
    if !isQuiet, isRead || sink.lastSequence != nil {
      if !json { try ImportText(json: false).writeFiles(run, isListed: isListed, blocked: blocked) }
      let leftOut = run.files.reduce(into: [:]) { $0.merge($1.skipped, uniquingKeysWith: +) }
      try sink.summarise(json: json, of: run, leftOut: leftOut, blocked: blocked)
      try tell(leftOut, run)
      if !isListed { tellOfSecrets(run) }
    }
    if !isQuiet { tellOfWhatReturns(of: sink.accepted, "came back now") }
    sink.close()
    try endWithWhatFailed(run)
  }

  /// Says of a single file what was left out of it; of several each line has said so, a plan's but
  /// for what only the merge leaves out.
  private func tell(_ leftOut: [String: Int], _ run: ImportRun) throws(Failure) {
    guard !json, isListed || run.files.count == 1 else { return }
    let others = leftOut.filter {
      isListed ? ImportRun.toldByMerge.contains($0.key) : $0.key != CommandSecret.reason
    }
    guard let text = ImportText.leftOut(others) else { return }
    var output = Output()
    try output.line(text)
    try output.flush()
  }

  /// Says that commands with a password or a token were left out.
  private func tellOfSecrets(_ run: ImportRun) {
    let count = run.files.reduce(0) { $0 + ($1.skipped[CommandSecret.reason] ?? 0) }
    guard count > 0 else { return }
    Diagnostics.line(
      "cairn: left out \(Readable.count(count, "command")) with a password or a token in it; "
        + "--secrets takes them")
  }

  private func appendEvents(_ run: ImportRun) throws(Failure) {
    var writing = Writing(sink: sink)
    do throws(MergeError<Failure>) {
      try run.forEachEvent { (entry) throws(Failure) in try writing.add(entry, run) }
    } catch {
      // The first failure is the one to tell.
      try? writing.settle(run)
      writing.progress.finish()
      throw Failure(error)
    }
    defer { writing.progress.finish() }
    try writing.finish(run)
    blocked = writing.blocked
  }

  private func endWithWhatFailed(_ run: ImportRun) throws(Failure) {
    if sink.rejected > 0 { throw Failure(.data, nil) }
    let failures = run.files.compactMap(\.failure)
    guard let first = failures.first else { return }
    let isBadData = failures.contains { $0.code == .malformed }
    throw Failure(isBadData ? .data : Failure(first, place: nil).status, nil)
  }

  /// Events on their way to the writer: one batch is gathered while the one before is written.
  ///
  /// More under way would be committed together, in a transaction that holds so many more pages.
  private struct Writing: ~Copyable {
    let sink: EventSink
    var progress = Progress("importing")
    var blocked = 0
    private var batch: [SortedEntry] = []
    private var byteCount = 0
    /// What is written now, and how many of all events were merged up to it.
    private var submitted: (append: SubmittedAppend, entries: [SortedEntry], merged: Int)?

    private static let byteCountMax = 1 << 25

    init(sink: EventSink) { self.sink = sink }

    mutating func add(_ entry: SortedEntry, _ run: ImportRun) throws(Failure) {
      batch.append(entry)
      byteCount += entry.event.payload.count
      if batch.count >= sink.batchCount || byteCount >= Self.byteCountMax { try submit(run) }
    }

    mutating func finish(_ run: ImportRun) throws(Failure) {
      if !batch.isEmpty { try submit(run) }
      try settle(run)
    }

    private mutating func submit(_ run: ImportRun) throws(Failure) {
      try settle(run)
      let entries = batch
      batch = []
      byteCount = 0
      let append = try sink.submit(entries.map(\.event), firstWins: true, after: nil)
      submitted = (append, entries, run.mergedCount)
    }

    mutating func settle(_ run: ImportRun) throws(Failure) {
      guard let (append, entries, merged) = submitted else { return }
      submitted = nil
      progress.update(merged, of: run.count)
      defer { InterruptNote.setKept(sink.accepted) }
      for (entry, outcome) in zip(entries, try sink.settle(append)) {
        guard case .rejected(let reason) = outcome else { continue }
        guard reason != AppendResult.blockedReason else {
          blocked += 1
          continue
        }
        try sink.report(reason, place: "\(run.files[entry.file].path):\(entry.place)", line: [])
      }
    }
  }
}
