import ArgumentParser
import Cairn
import Files
import Glibc

/// Where the store is and how answers are written: what every command takes.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store's directory (default: $CAIRN_STORE, else $XDG_DATA_HOME/cairn, else ~/.local/share/cairn).",
      valueName: "dir"), completion: .directory) var store: String?

  @Flag(help: .json) var json = false

  @Flag(help: "Read and show times in UTC, not in the local zone; --json always is in UTC.")
  var utc = false

  var directory: String { get throws(Failure) { try Self.directory(store) } }

  /// The directory meant by a line that names this one, or none.
  static func directory(_ named: String?) throws(Failure) -> String {
    if let named {
      // A variable of a script that is not set, most likely.
      guard !named.isEmpty else { throw Failure(.usage, "--store is empty: give a directory") }
      return try plain(named)
    }
    if let store = Variables.get("CAIRN_STORE") { return try plain(store) }
    guard let data = Variables.dataHome else {
      throw Failure(.usage, "no store is named and $HOME is not set: give --store DIR")
    }
    return data + "/cairn"
  }

  /// A path as it is, but for one whose `~` no shell read, as behind `--store=` or in a unit of
  /// systemd: a folder of that name would be made wherever one stands.
  private static func plain(_ path: String) throws(Failure) -> String {
    guard path != "~", !path.hasPrefix("~/") else {
      throw Failure(.usage, "the store's ~ was not read by a shell; give the whole path")
    }
    return path
  }

  /// Refuses a place in a store's folder, and a file of a store under another name: whoever wrote
  /// to it would lose the history.
  func refuseStoreFile(_ path: String?) throws(Failure) {
    guard let path else { return }
    let isInStore = [path, RealPath.of(path) ?? path].contains {
      FileStatus(SmallFile.directory(of: $0) + "/log.mdb") != nil
    }
    let isOther = try isStoreFile(path)
    guard !isInStore, !isOther else {
      throw Failure(.usage, "is a place in a store's folder; name another file", place: path)
    }
  }

  /// Whether a file is one of LMDB, or another name of one of the store.
  private func isStoreFile(_ path: String) throws(Failure) -> Bool {
    guard let there = FileStatus(path), there.isFile else { return false }
    let directory = try directory
    // No store, no file of it.
    let names = (try? SmallFile.names(in: directory)) ?? []
    return names.contains { FileStatus("\(directory)/\($0)")?.isSame(as: there) ?? false }
      || isDatabase(path)
  }

  /// Whether a file begins as LMDB's do (`MDB_MAGIC`, behind the page's header).
  private func isDatabase(_ path: String) -> Bool {
    // What cannot be read is not written to either.
    guard let file = try? OpenFile(reading: path, O_NONBLOCK) else { return false }
    var head = [UInt8](repeating: 0, count: 20)
    guard (try? file.read(into: &head, 0..<20)) == 20 else { return false }
    return head[16...] == [0xDE, 0xC0, 0xEF, 0xBE]
  }

  func openForReading() throws(Failure) -> Store {
    let directory = try directory
    do throws(CairnError) {
      let store = try Store.open(at: directory, access: .readOnly)
      store.warnOfProjections()
      return store
    } catch { throw failure(of: error) }
  }

  private func failure(of error: CairnError) -> Failure {
    var failure = Failure(error)
    // Who named none has recorded nothing yet.
    if error.code == .missing, store == nil {
      failure.message =
        "no store here; begin with: cairn import auto, or: cairn index ITEM --title TEXT"
    }
    return failure
  }

  /// The store without what reading it would make anew first.
  func openAsIs() throws(Failure) -> Store {
    let directory = try directory
    do throws(CairnError) { return try Store.openAsIs(at: directory) } catch {
      throw failure(of: error)
    }
  }

  /// Whether there is a store.
  func isThere() throws(Failure) -> Bool {
    let store = try openIfThere()
    defer { store?.close() }
    return store != nil
  }

  /// The store as it is, when there is one.
  func openIfThere() throws(Failure) -> Store? {
    do { return try openForReading() } catch {
      guard error.status == .noInput else { throw error }
      return nil
    }
  }
}

/// The store of a command that writes, and how long it waits for another that does.
struct WriterOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Seconds to wait while another process writes.", valueName: "seconds"))
  var wait: Double = 10
  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard wait >= 0, wait.isFinite else {
      throw ValidationError("--wait takes a number of seconds from 0.")
    }
  }

  /// Opens the store to change it; makes it where there is none.
  func open() throws(Failure) -> Store {
    try Self.open(
      try options.directory, patience: .seconds(min(wait, 86_400 * 365)),
      isNamed: options.store != nil)
  }

  /// Opens a store to change it; tells people at a terminal that theirs is new where they named it,
  /// by a slip perhaps.
  static func open(_ directory: String, patience: Duration = .seconds(10), isNamed: Bool)
    throws(Failure) -> Store
  {
    let isNew = unsafe isNamed && Terminal.errorsAreTerminal && access(directory, F_OK) != 0
    let store = try answering(Store.open(at: directory, access: .readWrite, patience: patience))
    if isNew { Diagnostics.line("cairn: a new store: \(DisplayText.harmless(directory))") }
    return store
  }
}
