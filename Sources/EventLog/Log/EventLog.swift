package import Events
import Files
package import LMDB
import Synchronization

/// Holds the hook in a field of its own.
///
/// A function kept directly in a generic container is wrapped anew at each access, and would be
/// called through one more layer after every commit.
struct CommitHookBox: Sendable {
  var call: EventLog.CommitHook?
  var admission: EventLog.AdmissionHook?
  var presence: EventLog.PresenceHook?
}

/// The truth: an append-only, gap-free, durable sequence of events under a hash tree.
///
/// Any number of processes read and append; appends interleave by commit. Thread-safe. Events are
/// numbered 1, 2, 3 …; `recorded` never goes back along them.
package final class EventLog: Sendable {
  package typealias Access = Environment.Configuration.Access

  /// Where the log ends.
  package struct Head: Sendable, Equatable {
    /// The last sequence; 0 = empty.
    package var sequence: UInt64
    /// When the last event was recorded.
    package var recorded: Timestamp?
    package var root: Hash32
  }

  /// The folder that holds the store.
  package let directory: String
  package let access: Access

  let environment: Environment
  let tables: Tables
  let reader: EventReader
  let writer: WriterThread
  let lock: WriterLock?
  let entropy: Entropy
  let upcasters: UpcasterChain
  /// The application's upcasters; nil where it gave none and may lack those that are recorded.
  package let givenUpcasters: EventUpcasters?
  let queue = AppendQueue()
  let watchers = HeadWatchers()
  /// The last sequence that this process committed.
  let committed = Monitor<UInt64>(0)
  /// Gets the sequences of a commit and its events; tells why it could not do its work, if so.
  package typealias CommitHook = @Sendable (ClosedRange<UInt64>, [StoredEvent]) -> CairnError?
  /// Gives what decides about the events of a transaction; nil: all are taken.
  package typealias AdmissionHook = @Sendable () throws(CairnError) -> (any EventAdmission)?
  /// Tells whether an item is there, as far as is known.
  package typealias PresenceHook = @Sendable ([UInt8]) -> Bool
  let commitHook = Mutex(CommitHookBox())
  let refusedItems = RefusedItems()
  /// The thread inside ``withWriterLock(wait:_:)`` or a commit, 0 when there is none.
  let lockHolder = Atomic<UInt>(0)
  /// The erasure after which this process opened the file, 0 = none.
  let knownErasure = Atomic<UInt64>(0)
  private let isClosed = Atomic(false)

  private init(
    directory: String, access: Access, environment: Environment, writer: WriterThread,
    lock: WriterLock?, entropy: Entropy, upcasters: UpcasterChain, given: EventUpcasters?
  ) {
    givenUpcasters = given
    self.directory = directory
    self.access = access
    self.environment = environment
    self.tables = Tables(environment)
    self.reader = EventReader(tables: tables)
    self.writer = writer
    self.lock = lock
    self.entropy = entropy
    self.upcasters = upcasters
  }

  /// Opens the log of a store; one that is not there is made, with its folder, if so told.
  ///
  /// `upcasters` bring payloads to the current schema on reading; folds apply those of the
  /// application, which are `given`. Who guards its reads and goes on with what is sound opens a
  /// small file unchecked.
  /// - Throws: `.missing`, `.notAStore`, `.unsupportedFormat`, or what the disk says.
  package static func open(
    directory: String, access: Access, create: Bool, writer: WriterThread,
    upcasters: UpcasterChain = UpcasterChain([]), given: EventUpcasters? = nil,
    entropy: Entropy = .system, unchecked: Bool = false
  ) throws(CairnError) -> EventLog {
    let create = create && access == .readWrite
    // Who may list it sees how much happens here, and when.
    if create { try FileBytes.makeDirectory(directory, isPrivate: true) }
    let environment = try Environment.open(
      "\(directory)/log.mdb",
      Environment.Configuration(
        access: access, durability: .synchronous, tables: Tables.names, writer: writer,
        create: create))
    let log = EventLog(
      directory: directory, access: access, environment: environment, writer: writer,
      lock: access == .readWrite ? try WriterLock(directory: directory) : nil, entropy: entropy,
      upcasters: upcasters, given: given)
    if !unchecked { try environment.checkStructureIfSmall() }
    try log.checkFormat()
    log.knownErasure.store(try log.lastErasure(), ordering: .relaxed)
    return log
  }

  /// Where the log ends, all processes' commits included.
  /// - Complexity: one read transaction and one row, about a microsecond.
  package func head() throws(CairnError) -> Head { Head(try headRow()) }

  /// The bytes of `log.mdb` in use.
  package var byteCount: Int { environment.byteCount }

  /// What each of its tables takes; see `Environment.tableSizes()`.
  package func tableSizes() throws(CairnError) -> [TableSize] { try environment.tableSizes() }

  /// Gives back the memory in which the file is mapped; see `Environment.releaseMemory()`.
  package func releaseMemory() { environment.releaseMemory() }

  /// Closes the file.
  ///
  /// Nothing may use the log afterwards. A second call does nothing: what is open is counted, and
  /// it would close the file of another store of this process.
  package func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    environment.close()
    watchers.end()
  }

  func headRow() throws(CairnError) -> HeadRow {
    try environment.read { (txn) throws(CairnError) in try self.reader.head(in: txn) }
  }
}
