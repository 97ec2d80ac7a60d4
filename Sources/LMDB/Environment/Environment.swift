import CLMDB
import Files
import Synchronization

/// One open LMDB file: the way to its transactions.
///
/// A process has at most one environment per file: closing a second one would drop the file locks
/// of the first. `open` therefore gives the same object to everybody who asks for the same file,
/// and the file is closed when all of them have called `close` or let go.
package final class Environment: Sendable {
  /// The path it was first opened under.
  package let path: String
  /// How it was opened.
  package let configuration: Configuration
  let fileName: String
  let identity: FileIdentity
  let serial: UInt32
  let readers = ReaderGate()
  let writer: WriterThread
  let pointer: EnvironmentPointer
  private let tables: [TableName: Table]
  private let forkGeneration = ForkGeneration.current
  private let openCount = Mutex(1)
  private let isRegistered = Atomic(true)
  let writeState = Mutex(WriteState())

  /// What only the writer thread touches.
  struct WriteState {
    var isInWrite = false
    /// LMDB refuses everything until the file is opened anew.
    var isVoid = false
    var commitCount = 0
    /// Whether the list of free pages was looked at: who writes takes pages from it.
    var isFreeListChecked = false
  }

  init(_ opened: OpenedFile, configuration: Configuration) {
    path = opened.path
    fileName = opened.fileName
    identity = opened.identity
    writer = opened.writer
    pointer = opened.pointer
    self.configuration = configuration
    let serial = Self.nextSerial.add(1, ordering: .relaxed).newValue
    self.serial = serial
    tables = opened.handles.mapValues { Table(handle: $0, owner: serial) }
  }

  /// Bytes that cursors passed since the file's memory was last given back.
  let passedByteCount = Atomic(0)

  private static let nextSerial = Atomic<UInt32>(0)

  deinit {
    shutDown()
    leaveRegistry()
  }

  /// The table called `name`; traps on a name that is not in the configuration.
  package subscript(_ name: TableName) -> Table {
    guard let table = tables[name] else {
      preconditionFailure("table \(name.rawValue) is not in the configuration")
    }
    return table
  }

  /// Size of the file, in bytes. (`fstat`)
  package var byteCount: Int { FileStatus(descriptor: descriptor)?.byteCount ?? 0 }

  /// Whether another file lies at its path now: somebody deleted it, and it was made anew.
  package var isReplaced: Bool {
    guard let status = FileStatus(path) else { return false }
    return FileIdentity(device: status.device, inode: status.inode) != identity
  }

  /// Makes every commit so far durable; needed only with deferred durability. (`mdb_env_sync`)
  package func sync() throws(CairnError) {
    guard configuration.access == .readWrite else { return }
    try readers.enter()
    defer { readers.leave() }
    let status = unsafe mdb_env_sync(raw, 1)
    guard status == 0 else { throw error(status, doing: "reach the disk") }
  }

  /// Whether the caller is on the thread that writes this file.
  package var isOnWriter: Bool { writer.isCurrent }

  /// Asks the system to write out what was committed and does not wait: a later `sync` takes less
  /// time then.
  func beginWriteBack() {
    // A hint: whatever comes of it, `sync` says whether everything reached the disk.
    _ = cairn_begin_write_back(descriptor)
  }

  /// Takes back one `open`; the last one closes the file and voids all tables.
  ///
  /// Waits for reads of this process to end, and must not be called inside one.
  package func close() {
    let isLast = openCount.withLock { count in
      count -= 1
      return count == 0
    }
    guard isLast else { return }
    shutDown()
    leaveRegistry()
  }

  /// Once: a file that was deleted leaves its number to another one, which may be open by then.
  private func leaveRegistry() {
    guard isRegistered.exchange(false, ordering: .acquiringAndReleasing) else { return }
    EnvironmentRegistry.shared.remove(identity)
  }

  /// Counts one more `open`; false when the file is already closed.
  func retainOpen() -> Bool {
    openCount.withLock { count in
      guard count > 0 else { return false }
      count += 1
      return true
    }
  }

  private func shutDown() {
    // A child must not touch locks that belong to its parent.
    guard isOwnProcess else { return }
    readers.retire()
    readers.waitUntilUnused()
    guard pointer.take() else { return }
    unsafe mdb_env_close(pointer.raw)
  }
}

extension Environment {
  var raw: OpaquePointer { unsafe pointer.raw }

  /// LMDB's own descriptor of the file.
  var descriptor: CInt { unsafe Self.descriptor(of: raw) }

  /// Begins a transaction. (`mdb_txn_begin`)
  static func begin(_ raw: OpaquePointer, _ flags: UInt32, doing action: String, place: String)
    throws(CairnError) -> OpaquePointer
  {
    var begun: OpaquePointer?
    let status = unsafe mdb_txn_begin(raw, nil, flags, &begun)
    guard status == 0, let transaction = unsafe begun else {
      throw CairnError(status: status, doing: action, place: place)
    }
    return unsafe transaction
  }

  static func descriptor(of raw: OpaquePointer) -> CInt {
    var descriptor: CInt = -1
    // SAFETY: the call fills the one number, and fails only without a handle.
    unsafe mdb_env_get_fd(raw, &descriptor)
    return descriptor
  }

  /// Whether this is the process that opened the file, and not a child of it.
  var isOwnProcess: Bool { forkGeneration == ForkGeneration.current }

  /// Throws in a child of `fork`, where LMDB's locks do not hold.
  func checkProcess() throws(CairnError) {
    guard isOwnProcess else {
      throw CairnError(
        .badArgument, "a store opened before fork() cannot be used in the child; open it there",
        place: fileName)
    }
  }

  /// Traps when `table` is of another environment.
  func check(_ table: Table) {
    precondition(table.owner == serial, "a table can only be used with its own environment")
  }

  /// File and table for an error message.
  func place(of table: Table?) -> String {
    guard let table, let name = tables.first(where: { $0.value == table })?.key, name != .main
    else { return fileName }
    return "\(fileName), table \(name.rawValue)"
  }

  /// Whether the tables have the numbers they had.
  func hasHandles(_ handles: [TableName: UInt32]) -> Bool {
    handles.count == tables.count && handles.allSatisfy { tables[$0]?.handle == $1 }
  }

  func hasTables(_ names: [TableName]) -> Bool { names.allSatisfy { tables[$0] != nil } }

  func error(_ status: CInt, doing action: String, in table: Table? = nil) -> CairnError {
    CairnError(status: status, doing: action, place: place(of: table))
  }
}
