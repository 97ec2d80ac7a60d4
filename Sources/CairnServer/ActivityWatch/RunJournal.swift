import Cairn
import Files
import Glibc
import LMDB

/// How long runs have become since the log was told: a file of lines, each on disk before it is
/// answered.
///
/// The form is that of `RunLines`. A run that the log knows to be as long makes its lines void.
/// Lines of several watchers share a flush of the disk.
final class RunJournal: Sendable {
  private struct State {
    var written: UInt64 = 0
    var flushed: UInt64 = 0
    var isFlushing = false
    var file: Handle
    /// Where the next line goes: what a crash or a full disk cut off is written over.
    var byteCount: Int
  }

  /// The file as it is now; another one after it was rewritten.
  private final class Handle: Sendable {
    let file: OpenFile

    init(_ path: String) throws(CairnError) {
      file = try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
    }
  }

  /// The greatest length of each run when the file was opened.
  let found: [UInt64: Int64]
  private let path: String
  private let state: Monitor<State>

  /// A file of more bytes is rewritten with the runs that are open.
  private let byteCountMax: Int

  init(path: String, byteCountMax: Int = 1 << 20) throws(CairnError) {
    self.path = path
    self.byteCountMax = byteCountMax
    let lines = try RunLines.read(path)
    found = RunLines.lengths(in: lines)
    state = Monitor(State(file: try Handle(path), byteCount: lines.count))
  }

  /// Notes how long a run is; on disk when it returns.
  func note(_ sequence: UInt64, length: Int64) throws(CairnError) {
    let line = Array("\(sequence) \(length)\n".utf8)
    let outcome = state.withLock { state in
      Result { () throws(CairnError) in
        try state.file.file.write(line.rawSpan, at: state.byteCount)
        state.written += 1
        state.byteCount += line.count
        return state.written
      }
    }
    try flush(through: try outcome.get())
  }

  /// Waits until a line is on disk: one of those who wait flushes for all.
  private func flush(through number: UInt64) throws(CairnError) {
    while true {
      let turn = state.wait { state -> (target: UInt64, handle: Handle?)? in
        if state.flushed >= number { return (0, nil) }
        guard !state.isFlushing else { return nil }
        state.isFlushing = true
        return (state.written, state.file)
      }
      guard let (target, handle) = turn, let handle else { return }
      let outcome = Result { () throws(CairnError) in try handle.file.flush() }
      state.withLock { state in
        state.isFlushing = false
        if case .success = outcome { state.flushed = max(state.flushed, target) }
      }
      try outcome.get()
    }
  }

  var isLarge: Bool { state.withLock { $0.byteCount > byteCountMax } }

  /// The length of each run that the file tells of now.
  func lengths() throws(CairnError) -> [UInt64: Int64] { try RunLines.lengths(path) }

  /// Rewrites the file without what the log is known to know, by the lengths that it has, nil for
  /// an event that is not there; to be called while no purge ends.
  func compact(_ logged: [UInt64: Int64?]) throws(CairnError) {
    let outcome = state.withLock { state in
      Result { () throws(CairnError) in
        let kept = try RunLines.lengths(path).filter { sequence, length in
          // Of what came meanwhile nothing is known.
          guard let known = logged[sequence] else { return true }
          return known.map { $0 < length } ?? false
        }
        try RunLines.write(kept, to: path)
        state.file = try Handle(path)
        state.byteCount = try SmallFile.byteCount(path) ?? 0
        state.flushed = state.written
      }
    }
    try outcome.get()
  }

  /// Takes the lines of some runs back.
  func forget(where isGone: (UInt64) -> Bool) throws(CairnError) {
    let outcome = state.withLock { _ in
      Result { () throws(CairnError) in try RunLines.forget(path, where: isGone) }
    }
    _ = try outcome.get()
  }
}
