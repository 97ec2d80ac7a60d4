import Cairn
import Files
import Glibc
import Importers
import Rows

/// Where appended lines go: the store, the file of rejects, and the counts of both.
final class EventSink {
  /// How many lines are committed together at most.
  let batchCount: Int
  /// Whether the lines that are refused are kept in a file.
  let keepsRejects: Bool
  /// Whether it is said of refused lines why they are; they are counted in any case.
  var tellsRefused = true

  /// Takes what would be appended, where nothing is to be.
  let preview: EventPreview?

  private let openStore: () throws(Failure) -> Store
  private var store: Store?
  private let rejects: Int32
  private let rejectsPath: String
  private var keptHeader: [UInt8]?

  /// Why lines were refused that are not reported one by one.
  private var reasons: [String: Int] = [:]
  /// Refused lines that are reported one by one.
  private static let reportedCount = 10
  private static let reasonCount = 100

  private(set) var accepted = 0
  private(set) var duplicates = 0
  private(set) var rejected = 0
  private(set) var firstSequence: UInt64?
  private(set) var lastSequence: UInt64?
  /// The first events that were there already.
  private var known: [UInt64] = []
  /// Enough to see that they are about what was deleted: an import is undone as a whole.
  private static let knownCountMax = 100

  /// Refused lines are written to the file of rejects as they came; it must not be one of the
  /// inputs.
  ///
  /// The store is opened with the first commit, so that input that holds nothing makes no store.
  init(
    batchCount: Int, rejects path: String?, inputs: [String], preview: EventPreview? = nil,
    open: @escaping () throws(Failure) -> Store
  ) throws(Failure) {
    self.batchCount = max(1, batchCount)
    self.preview = preview
    openStore = open
    rejectsPath = path ?? ""
    keepsRejects = path != nil
    guard let path else {
      rejects = -1
      return
    }
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    rejects = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    if rejects < 0 { throw Failure.file(path, "cannot be written") }
    // From here on it is closed by `deinit`, whether this throws or not.
    guard !inputs.contains(where: { Self.isSame(rejects, $0) }) else {
      throw Failure(.usage, "--rejects would overwrite an input; name another file")
    }
    // What is no file (EINVAL) has nothing to be cut off.
    if ftruncate(rejects, 0) != 0, errno != EINVAL { throw Failure.file(path, "cannot be written") }
  }

  /// Whether a name is that of an open file; - is standard input.
  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    guard let one = FileStatus(descriptor: descriptor), let other = FileStatus(input: path) else {
      return false
    }
    return one.isFile && one.isSame(as: other)
  }

  deinit { if rejects >= 0 { Glibc.close(rejects) } }

  /// Hands events to the writer, who refuses them when it refuses those before.
  ///
  /// With `firstWins`, an event whose id is there already is a duplicate whatever else it says.
  func submit(
    _ events: [EncodedEvent], firstWins: Bool = false, after predecessor: SubmittedAppend?
  ) throws(Failure) -> SubmittedAppend {
    let store = try opened()
    return try answering(store.submit(encoded: events, firstWins: firstWins, after: predecessor))
  }

  /// Waits until events are on disk.
  func settle(_ append: SubmittedAppend) throws(Failure) -> [AppendResult.Outcome] {
    let result = try answering(append.wait())
    accepted += result.acceptedCount
    duplicates += result.duplicateCount
    firstSequence = firstSequence ?? result.firstSequence
    lastSequence = result.lastSequence ?? lastSequence
    for case .duplicate(let sequence) in result.outcomes where known.count < Self.knownCountMax {
      known.append(sequence)
    }
    return result.outcomes
  }

  /// Makes the ids of what is imported.
  func derivedIDs() throws(Failure) -> DerivedID {
    if let preview { return try preview.derivedIDs() }
    let store = try opened()
    return DerivedID(key: try answering(store.importKey()))
  }

  /// By what the cells of a table are read.
  func schema() throws(Failure) -> SchemaDefinition {
    if let preview { return try preview.schema() }
    let store = try opened()
    return try answering(store.schema?.definition ?? .none)
  }

  /// The store, opened with the first call.
  func opened() throws(Failure) -> Store {
    if let store { return store }
    let opened = try openStore()
    store = opened
    return opened
  }

  /// Says that a line was refused and keeps it.
  ///
  /// People at a terminal are told of the first ones only. The header of a table goes before the
  /// first of its rows that is kept. What has no bytes is not kept.
  func report(_ reason: String, place: String, line: [UInt8], header: [UInt8]? = nil)
    throws(Failure)
  {
    rejected += 1
    if tellsRefused { tell(reason, place) }
    if keepsRejects, !line.isEmpty {
      if let header, header != keptHeader {
        try Output.write(header + [UInt8(ascii: "\n")], to: rejects, name: rejectsPath)
        keptHeader = header
      }
      try Output.write(line + [UInt8(ascii: "\n")], to: rejects, name: rejectsPath)
    }
  }

  private func tell(_ reason: String, _ place: String) {
    if !Terminal.errorsAreTerminal || rejected <= Self.reportedCount {
      Diagnostics.line("\(place): \(reason)")
    } else if reasons[reason] != nil || reasons.count < Self.reasonCount {
      reasons[reason, default: 0] += 1
    }
  }

  /// Closes the store, if one was opened.
  ///
  /// Takes the gaps out of the projections where much was recorded; what fails then costs room
  /// alone.
  func close() {
    guard let store else { return }
    store.warnOfProjections()
    if accepted >= Self.compactedCount {
      do throws(CairnError) { try store.compactIfWasteful(after: accepted) } catch {
        Diagnostics.line("cairn: the store takes more room than it has to: \(error)")
      }
    }
    store.close()
    self.store = nil
  }

  private static let compactedCount = 65_536

  /// Says how many more lines were refused than were reported, and for what most of them.
  func tellOfMore() {
    let more = rejected - Self.reportedCount
    guard Terminal.errorsAreTerminal, more > 0 else { return }
    let most = reasons.max { ($0.value, $1.key) < ($1.value, $0.key) }
    let what = most.map {
      $0.value == more ? ", all for this: \($0.key)" : ", most for this: \($0.key)"
    }
    let all = keepsRejects ? "in \(rejectsPath)" : "to have them in a file: --rejects FILE"
    Diagnostics.line("and \(Readable.count(more, "more line"))\(what ?? ""); \(all)")
  }

  /// Says to people how to take back what was recorded, and what then comes again.
  private func tellOfUndoing(_ json: Bool, isImport: Bool) {
    guard Terminal.errorsAreTerminal, !json, accepted > 0, let firstSequence, let lastSequence
    else { return }
    let count = lastSequence - firstSequence + 1
    Diagnostics.line("to undo it: cairn undo \(count)")
    // What another process recorded meanwhile is not to go with it.
    guard isImport, count == accepted else { return }
    Diagnostics.line(PurgeAdvice.importingAnew(firstSequence, lastSequence))
  }

  /// Says to people why what was deleted since it was recorded is not there after an import.
  private func tellOfDeleted(_ json: Bool, _ counted: [String]) throws(Failure) {
    guard Terminal.errorsAreTerminal, !json, let store else { return }
    guard try PurgeAdvice.areDeleted(known, counted, store) else { return }
    Diagnostics.line(
      "what was deleted comes back with cairn undo or revert, not with an import; to import it "
        + "anew, purge its events first")
  }

  /// Writes what became of everything, with what an import left out and why, and how many events
  /// purges block.
  func summarise(
    json: Bool, of run: ImportRun? = nil, leftOut: [String: Int] = [:], blocked: Int = 0
  ) throws(Failure) {
    tellOfMore()
    var text = [(accepted, "accepted"), (duplicates, "duplicates"), (rejected, "rejected")]
      .map { "\(Readable.number($0)) \($1)" }.joined(separator: ", ")
    if let firstSequence, let lastSequence {
      text += " (\(Readable.events(firstSequence, lastSequence)))"
    }
    try Output.answer(text, json: json) { line in
      line.field("accepted", accepted)
      line.field("duplicates", duplicates)
      line.field("rejected", rejected)
      line.field("firstSequence", optional: firstSequence)
      line.field("lastSequence", optional: lastSequence)
      if blocked > 0 { line.field("blocked", blocked) }
      guard !leftOut.isEmpty else { return }
      line.object("skipped") { skipped in
        for (reason, count) in leftOut.sorted(by: { $0.key < $1.key }) {
          skipped.field(text: reason, count)
        }
      }
    }
    tellOfUndoing(json, isImport: run != nil)
    try tellOfDeleted(json, run?.knownItems ?? [])
  }
}
