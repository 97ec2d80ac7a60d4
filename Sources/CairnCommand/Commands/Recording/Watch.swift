import ArgumentParser
import Cairn
import Files
import Glibc
import Importers
import Rows

struct Watch: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Keep taking in what other programs write, until interrupted.",
    discussion: """
      Imports what import auto finds, in the home or in the folders given, and again whenever a file \
      has changed: at most every half minute, and less often where that takes long. What is there \
      already is not added twice, so it goes on where it was after any kill. A last line without its \
      end is still being written, and waits. Archives are not looked into; --except and --only leave \
      things out as in import.
      """)

  @Argument(help: "Folders to look in (default: the home).", completion: .directory)
  var folders: [String] = []

  @Flag(help: "Look once and end.") var once = false

  @OptionGroup var choices: ImportChoices
  @OptionGroup var writer: WriterOptions

  func run() throws(Failure) {
    var watcher = SourceWatcher()
    var wanted = try choices.options()
    wanted.isFollowed = true
    var identity: StoreIdentity?
    var refused: [String: Int] = [:]
    var isAnnounced = false
    try checkStore()
    while true {
      let found = try ImportSources(["auto"] + folders, wanted, archives: false).found
      for source in watcher.due(found) {
        let start = ContinuousClock.now
        try identity?.check("watch")
        do throws(Failure) { try take(source, wanted, &identity, &refused) } catch {
          // A store that somebody else writes to is there again later; a disk that is full is not.
          guard error.status != .disk, error.status != .internal else { throw error }
          guard !once || error.status != .unavailable else { throw error }
          try checkStore()
          if let line = error.line { Diagnostics.line(line) }
          if error.status == .unavailable { continue }
        }
        watcher.note(source, took: ContinuousClock.now - start)
      }
      if once { return }
      if !isAnnounced {
        isAnnounced = true
        let sources = Readable.count(found.count, "history file")
        Diagnostics.line("cairn: watching \(sources); Ctrl-C ends it")
      }
      watcher.wait(for: found)
      try identity?.check("watch")
    }
  }

  /// - Throws: what is wrong with the store itself, and would be with every history.
  private func checkStore() throws(Failure) {
    let directory = try writer.options.directory
    do throws(CairnError) { try Store.open(at: directory, access: .readOnly).close() } catch {
      guard [.missing, .busy].contains(error.code) else { throw Failure(error) }
    }
  }

  /// Takes in what is new; notes which store it is with the first call.
  ///
  /// Records that are none mostly stay in a history: they are told with the first call for it, and
  /// are counted by its path.
  private func take(
    _ source: HistoryPlaces.Found, _ wanted: ImportOptions, _ identity: inout StoreIdentity?,
    _ refused: inout [String: Int]
  ) throws(Failure) {
    let sink = try EventSink(batchCount: AppendOptions.records, rejects: nil, inputs: []) {
      () throws(Failure) in try writer.open()
    }
    defer { sink.close() }
    sink.tellsRefused = refused[source.path] == nil
    let session = ImportSession(sink: sink, options: wanted, json: writer.options.json)
    session.isQuiet = true
    session.isAuto = true
    if identity == nil { session.makesStoreLater = try !writer.options.isThere() }
    try session.read([source], in: nil, isDryRun: false)
    try session.makeStore()
    if identity == nil {
      let place = StoreIdentity(directory: try writer.options.directory)
      if place.isThere { identity = place }
    }
    // Records that were refused end it as well, after all the others were taken.
    var failure: Failure?
    do throws(Failure) { try session.append() } catch { failure = error }
    try tell(of: source, sink, &refused)
    if let failure { throw failure }
  }

  private func tell(
    of source: HistoryPlaces.Found, _ sink: EventSink, _ refused: inout [String: Int]
  ) throws(Failure) {
    let path = DisplayText.harmless(source.path)
    if let before = refused.updateValue(sink.rejected, forKey: source.path), before < sink.rejected
    {
      let more = Readable.count(sink.rejected - before, "more record")
      Diagnostics.line("cairn: \(path): \(more) refused")
    }
    guard sink.accepted > 0 else { return }
    try Output.answer(
      "\(Readable.number(sink.accepted)) new of \(source.format.name)  " + path,
      json: writer.options.json
    ) { line in
      line.field("format", source.format.name)
      line.field("path", source.path)
      line.field("accepted", sink.accepted)
    }
  }
}

/// Which sources have changed, and when to look again.
struct SourceWatcher {
  private struct State: Equatable {
    private let file: FileStatus?
    /// Programs write it before their database.
    private let log: FileStatus?

    init(_ path: String) { (file, log) = (FileStatus(path), FileStatus(path + "-wal")) }
  }

  private struct Taken {
    var state: State
    var next: ContinuousClock.Instant
  }

  private var taken: [String: Taken] = [:]
  private var states: [String: State] = [:]
  /// How long nothing may change before the next look; grows while nothing does.
  private var pause = Self.pauseMin

  private static let pauseMin = 30
  private static let pauseMax = 900

  /// The sources that have changed since they were taken, as far as their turn has come.
  mutating func due(_ found: [HistoryPlaces.Found]) -> [HistoryPlaces.Found] {
    let now = ContinuousClock.now
    return found.filter { source in
      let state = State(source.path)
      guard let before = taken[source.path] else {
        states[source.path] = state
        return true
      }
      guard before.state != state, now >= before.next else { return false }
      states[source.path] = state
      return true
    }
  }

  /// Notes that a source was taken as it stood when it was found due.
  mutating func note(_ source: HistoryPlaces.Found, took duration: Duration) {
    guard let state = states[source.path] else { return }
    // A source that takes long is taken seldom: a twentieth of the time at most.
    let rest = max(.seconds(Self.pauseMin), duration * 20)
    taken[source.path] = Taken(state: state, next: .now + rest)
    pause = Self.pauseMin
  }

  /// Waits until a folder of these changes, or for a while where changes are not told.
  mutating func wait(for found: [HistoryPlaces.Found]) {
    let watcher = inotify_init1(Int32(IN_CLOEXEC))
    defer { if watcher >= 0 { close(watcher) } }
    for folder in Set(found.map { Self.folder(of: $0.path) }) where watcher >= 0 {
      // SAFETY: the path is a NUL-ended copy for the time of the call.
      unsafe inotify_add_watch(watcher, folder, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO))
    }
    var entry = pollfd(fd: watcher, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, as the count says.
    let hasChanged = unsafe poll(&entry, 1, Int32(pause) * 1000) > 0
    if hasChanged {
      // Programs write in bursts.
      sleep(2)
    } else {
      pause = min(pause * 2, Self.pauseMax)
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = SmallFile.lastSlash(of: path), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
