import EventLog
import Files
import LMDB
import Migrations
import Projections
import Synchronization
import TextIndex

/// An activity history: an append-only log of events and everything that can be asked of it.
///
/// A store is a directory. Any number of processes read it while one writes; a query that starts
/// after an acknowledged append sees it, in every process. A `Store` may be used from any number
/// of threads and tasks; open each directory once in a process.
public final class Store: Sendable {
  /// What a store is opened for.
  public enum Access: Sendable {
    /// Asking only; nothing is created or changed.
    case readOnly
    /// Appending too; the store is created when it is not there.
    case readWrite
  }

  /// The store's directory, as an absolute path.
  public let directory: String
  /// What the store was opened for.
  public let access: Access
  /// How long an append waits while another process writes.
  public let patience: Duration

  let log: EventLog
  let files: GenerationFiles
  /// The thread on which the log and the projections are written.
  let writer: WriterThread
  let serving: Mutex<Generation?>
  let schemas = SchemaCache()
  let foldFailure = Mutex<CairnError?>(nil)
  let appendedCount = Atomic<UInt64>(0)
  /// Where projections of another version are folded anew in the background.
  let upgrade = Mutex<WriterThread?>(nil)
  let upgradeFailure = Mutex<CairnError?>(nil)
  let isClosing = Atomic(false)

  private init(
    directory: String, access: Access, patience: Duration, log: EventLog, writer: WriterThread
  ) {
    self.directory = directory
    self.access = access
    self.patience = patience
    self.log = log
    self.writer = writer
    files = GenerationFiles(directory: directory)
    serving = Mutex(nil)
  }

  /// Opens a store.
  ///
  /// What a crash left behind is put in order first: events that are in the log and not in the
  /// projections are folded, which takes some microseconds each, and a purge is completed. A store
  /// opened for reading waits for no other process meanwhile, unless there are no projections that
  /// could be asked: it answers as of the last event they know; see ``projectionFailure``.
  /// - Parameters:
  ///   - directory: The store's directory.
  ///   - access: `readWrite` creates the store when the directory is absent or empty.
  ///   - patience: How long an append may wait for another process that writes.
  /// - Returns: The open store.
  /// - Throws: `missing`, `notAStore`, `unsupportedFormat`, `readOnly`, `corrupt`, or what the
  ///   disk says.
  /// - Note: Blocks the calling thread.
  public static func open(
    at directory: String, access: Access = .readWrite, patience: Duration = .seconds(10)
  ) throws(CairnError) -> Store {
    try open(at: directory, access: access, patience: patience, given: nil)
  }

  static func open(
    at directory: String, access: Access, patience: Duration, given: EventUpcasters?
  ) throws(CairnError) -> Store {
    try StoreDirectory.check(directory, mayCreate: access == .readWrite)
    let store = try opened(directory, access, patience, given)
    do throws(CairnError) {
      try store.settle(given)
      if access == .readWrite, given == nil { try store.repair(wait: patience) }
    } catch {
      store.closeFiles()
      throw error
    }
    if access == .readWrite { return store }
    let condition = try store.condition()
    if condition == .whole { return store }
    store.closeFiles()
    return try repaired(directory, patience, condition, given)
  }

  /// Opens a store for reading as an older version left it: what has to be made anew stays so.
  ///
  /// For what tells of that; items and searches may have no projections to be answered from.
  package static func openAsIs(at directory: String) throws(CairnError) -> Store {
    try StoreDirectory.check(directory, mayCreate: false)
    return try opened(directory, .readOnly, .zero, nil)
  }

  /// Opens a store with a small damaged log for a program that guards its reads: what is sound can
  /// be asked, and nothing is written.
  package static func openDamaged(at directory: String) throws(CairnError) -> Store {
    try StoreDirectory.check(directory, mayCreate: false)
    return try opened(directory, .readOnly, .zero, nil, unchecked: true)
  }

  /// Opens a store that is to be read and has to be repaired first.
  private static func repaired(
    _ directory: String, _ patience: Duration, _ condition: Condition, _ given: EventUpcasters?
  ) throws(CairnError) -> Store {
    let failure: CairnError
    do throws(CairnError) {
      let writable = try opened(directory, .readWrite, patience, given)
      do throws(CairnError) {
        try writable.repair(wait: condition == .behind ? .zero : patience)
        return writable
      } catch {
        writable.closeFiles()
        throw error
      }
    } catch {
      // What a device refuses to write does not keep from reading, where there is something to ask.
      let isTold = error.code == .io && condition == .behind
      guard isTold || [.readOnly, .busy, .diskFull].contains(error.code) else { throw error }
      failure = error
    }
    let store = try opened(directory, .readOnly, patience, given)
    // Whoever keeps others from writing is folding, and events being folded are missed by nobody.
    if failure.code != .busy || condition != .behind, try store.lacksEvents() {
      store.foldFailure.withLock { $0 = failure }
    }
    return store
  }

  /// Whether the projections do not know all events; a purge may be incomplete while they do.
  private func lacksEvents() throws(CairnError) -> Bool {
    switch try condition() {
    case .whole: false
    case .behind: try visibleHead() < log.head().sequence
    case .unusable: true
    }
  }

  private static func opened(
    _ directory: String, _ access: Access, _ patience: Duration, _ given: EventUpcasters?,
    unchecked: Bool = false
  ) throws(CairnError) -> Store {
    let directory = RealPath.absolute(directory)
    let writer = WriterThread(name: "cairn-writer")
    let log = try EventLog.open(
      directory: directory, access: access == .readOnly ? .readOnly : .readWrite,
      create: access == .readWrite, writer: writer, upcasters: Migrations.chain, given: given,
      unchecked: unchecked)
    let store = Store(
      directory: directory, access: access, patience: patience, log: log, writer: writer)
    // Where projections cannot be asked, what a purge blocks stays out.
    log.presence = { [weak store] item in (try? store?.isPresent(item)) == true }
    if access == .readWrite {
      log.afterCommit = { [weak store] range, events in store?.project(range, events) }
      log.beforeCommit = { [weak store] () throws(CairnError) in try store?.admission() }
    }
    return store
  }

  /// Closes the store; nothing may be asked of it afterwards, and a second call does nothing.
  ///
  /// Waits for reads of this process to end, so that it must not be called inside one.
  /// A large change of the projections is flushed, so that a power cut does not cost a rebuild.
  public func close() {
    stopUpgrade()
    if access == .readWrite, appendedCount.load(ordering: .relaxed) >= Self.flushCount {
      // A missed flush costs a rebuild after a power cut, never data: closing goes on without it.
      try? flush()
    }
    closeFiles()
  }

  private static let flushCount: UInt64 = 1_000

  private func closeFiles() {
    serving.withLock { generation in
      generation?.environment.close()
      generation = nil
    }
    log.close()
  }

  /// The serving generation, which another process may have switched meanwhile; nil when none
  /// was made yet.
  /// - Complexity: one look at a small file beside the cached environment, some 2 µs.
  /// - Throws: `.corrupt` for one that cannot serve.
  func generation() throws(CairnError) -> Generation? {
    switch try serve() {
    case .none:
      // No projections for want of events are fine; for want of room they would be a wrong answer.
      if let failure = foldFailure.withLock({ $0 }) { throw failure }
      return nil
    case .generation(let generation): return generation
    case .unfit(let error):
      // In one that can be written this may be the very failure that is noted.
      guard access == .readOnly, let failure = foldFailure.withLock({ $0 }),
        failure.code == .readOnly
      else { throw error }
      throw CairnError(
        failure.code, "\(error.message), and cannot be made anew: \(failure)", place: error.place)
    }
  }

  private enum Serving {
    case none
    case generation(Generation)
    /// What `CURRENT` names, and is missing, another version's or made of another log.
    case unfit(CairnError)
  }

  private func serve() throws(CairnError) -> Serving {
    var attempt = 1
    while true {
      let cached = serving.withLock { $0 }
      guard let number = try servingNumber() else {
        // Who deletes `CURRENT` leaves what is open as it was, until the next write makes all anew.
        guard let cached, try cached.isMade(of: log, at: try cached.checkpoint()) else {
          return .none
        }
        return .generation(cached)
      }
      if let cached, cached.serves(as: number) { return .generation(cached) }
      let unfit: CairnError
      do throws(CairnError) {
        // A file that may be written is opened with the writer thread, which asks for it after each
        // commit, too: on another one, the two would wait for each other.
        let (served, isMade) =
          try access == .readOnly
          ? openServing(number)
          : writer.run { () throws(CairnError) in try self.openServing(number) }
        if isMade { return .generation(served) }
        unfit = served.isOfAnotherLog
      } catch  where [.missing, .notAStore, .unsupportedFormat].contains(error.code) {
        unfit = CairnError(
          .corrupt,
          "is the projections that CURRENT names, and is missing, damaged or another version's",
          place: "view-\(number).mdb", remedy: .rebuild)
      }
      // Another process may have switched, and removed it, since its number was read.
      attempt += 1
      guard attempt > 3, try servingNumber() == number else { continue }
      return .unfit(unfit)
    }
  }

  /// Opens the generation that is to be asked, unless another thread has; false stands beside one
  /// that was made of another log, and is closed.
  private func openServing(_ number: UInt64) throws(CairnError) -> (Generation, Bool) {
    try serving.withLock { (cached) throws(CairnError) -> (Generation, Bool) in
      if let cached, cached.serves(as: number) { return (cached, true) }
      let opened = try Generation(
        number, files: files, writer: access == .readWrite ? writer : nil, create: false)
      do throws(CairnError) {
        guard try opened.isMade(of: log, at: try opened.checkpoint()) else {
          opened.environment.close()
          return (opened, false)
        }
        try opened.environment.read { (txn) throws(CairnError) in
          try opened.text.checkFormat(in: txn)
        }
      } catch  where error.code == .unsupportedFormat {
        opened.environment.close()
        throw error
      }
      cached = opened
      return (opened, true)
    }
  }

  /// The serving generation's number: the one that `CURRENT` names, or the one built for a purge
  /// from the very commit of that purge on.
  func servingNumber() throws(CairnError) -> UInt64? {
    while let serving = try files.serving() {
      guard let candidate = serving.candidate else { return serving.current }
      if try pendingPurge()?.generation == candidate { return candidate }
      if try pendingSchema()?.generation == candidate { return candidate }
      // A purge that was completed meanwhile had `CURRENT` replaced before its note went.
      if let now = try files.serving(), now == serving { return serving.current }
    }
    return nil
  }

  /// What can be said of a store before anything is done.
  private enum Condition {
    /// The projections know all events.
    case whole
    /// They can be asked, and lack events; or a purge is not complete.
    case behind
    /// There are none, or they are lost, another version's or made of another log.
    case unusable
  }

  private func condition() throws(CairnError) -> Condition {
    do throws(CairnError) {
      let head = try log.head().sequence
      guard let number = try files.current() else { return head > 0 ? .unusable : .whole }
      guard try files.trust(in: number) != .lost,
        case .generation(let generation) = try serve()
      else {
        return .unusable
      }
      if try needsToFinishPurge() { return .behind }
      if try !generation.isCut(as: log) { return .behind }
      return try generation.checkpoint().applied < head ? .behind : .whole
    } catch  where Self.isDamageOfProjections(error) {
      // The log can be read; what needs the projections says itself what is wrong with them.
      return .whole
    }
  }

  /// Makes the projections whole: a generation that is there, trusted and caught up.
  ///
  /// Damaged projections are put aside and folded anew: the log has everything.
  func repair(wait: Duration) throws(CairnError) {
    do throws(CairnError) { return try repairUndamaged(wait: wait) } catch
      where Self.isDamageOfProjections(error)
    {
      // Who purges or rebuilds is at these files, and may leave them whole.
      let lock = try heldRebuildLock(wait: wait)
      defer { lock.unlock() }
      try repairAlone(wait: wait)
    }
    // What was left whole may be another version's, which is replaced under that lock.
    try repairUndamaged(wait: wait)
  }

  /// The same under the lock of who builds.
  private func repairAlone(wait: Duration) throws(CairnError) {
    do throws(CairnError) { try repairUndamaged(wait: wait, holdsRebuildLock: true) } catch
      where Self.isDamageOfProjections(error)
    {
      try log.withWriterLock(wait: wait) { () throws(CairnError) in
        self.serving.withLock { $0 = nil }
        try self.files.forgetCurrent()
        try self.catchUp(through: try self.log.head().sequence)
      }
    }
  }

  /// Whether an error tells of a damaged file other than the log.
  static func isDamageOfProjections(_ error: CairnError) -> Bool {
    let isDamage: Bool =
      switch error.code {
      case .corrupt, .unsupportedFormat, .notAStore: true
      default: false
      }
    return isDamage && error.place?.hasPrefix("log.mdb") != true
  }

  private func repairUndamaged(wait: Duration, holdsRebuildLock: Bool = false)
    throws(CairnError)
  {
    try finishPurge(
      patience: min(wait, Self.resumePatience), holdsRebuildLock: holdsRebuildLock)
    let head = try log.head().sequence
    if let number = try files.current(), try files.trust(in: number) != .lost,
      let generation = try generation()
    {
      let checkpoint = try generation.checkpoint()
      let isOutdated = checkpoint.isOutdated(by: try schemas.lens(of: log))
      if isOutdated, !holdsRebuildLock { try replaceOutdated(checkpoint) }
      if checkpoint.applied == head { return try finishCut(wait: wait) }
    }
    try log.withWriterLock(wait: wait) { () throws(CairnError) in
      try self.catchUp(through: try self.log.head().sequence)
    }
    try finishCut(wait: wait)
  }

  /// How long opening a store waits for others before it leaves an unfinished purge to the next.
  private static let resumePatience = Duration.milliseconds(500)

  func removeGenerations(before number: UInt64) throws(CairnError) {
    for old in try files.all() where old < number { try files.remove(old) }
  }

  /// Makes the projections survive a power cut.
  /// - Complexity: one flush of the file.
  /// - Throws: `diskFull`, `io`.
  /// - Note: Blocks the calling thread.
  public func flush() throws(CairnError) {
    try log.withWriterLock(wait: patience) { () throws(CairnError) in
      guard let generation = try self.generation() else { return }
      try generation.environment.sync()
      try self.files.markClean(generation.number)
    }
  }
}
