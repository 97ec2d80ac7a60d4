import Cairn
import Files
import Glibc
import LMDB

/// How long runs have become since the log was told: a file of lines, each on disk before it is
/// answered.
///
/// A line is the sequence of the run's event and its length in microseconds; it names nothing. A
/// run that the log knows to be as long makes its lines void. Lines of several watchers share a
/// flush of the disk.
final class RunJournal: Sendable {
  private struct State {
    var written: UInt64 = 0
    var flushed: UInt64 = 0
    var isFlushing = false
    /// Where the next line goes: what a crash or a full disk cut off is written over.
    var byteCount: Int
  }

  /// The greatest length of each run when the file was opened.
  let found: [UInt64: Int64]
  private let file: OpenFile
  private let state: Monitor<State>

  /// More is rewritten with the runs that are open.
  private static let byteCountMax = 1 << 20

  init(path: String) throws(CairnError) {
    file = try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
    let bytes = try FileBytes.read(path, limit: 64 << 20) ?? []
    let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[...$0] } ?? []
    found = Self.lengths(whole)
    state = Monitor(State(byteCount: whole.count))
  }

  private static func lengths(_ lines: ArraySlice<UInt8>) -> [UInt64: Int64] {
    var lengths: [UInt64: Int64] = [:]
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard parts.count == 2, let sequence = UInt64(parts[0]), let length = Int64(parts[1]) else {
        continue
      }
      lengths[sequence] = max(lengths[sequence] ?? length, length)
    }
    return lengths
  }

  /// Notes how long a run is; on disk when it returns.
  func note(_ sequence: UInt64, length: Int64) throws(CairnError) {
    let line = Array("\(sequence) \(length)\n".utf8)
    let outcome = state.withLock { state in
      Result { () throws(CairnError) in
        try file.write(line.rawSpan, at: state.byteCount)
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
      let target = state.wait { state -> UInt64? in
        if state.flushed >= number { return 0 }
        guard !state.isFlushing else { return nil }
        state.isFlushing = true
        return state.written
      }
      guard let target, target > 0 else { return }
      let outcome = Result { () throws(CairnError) in try file.flush() }
      state.withLock { state in
        state.isFlushing = false
        if case .success = outcome { state.flushed = max(state.flushed, target) }
      }
      try outcome.get()
    }
  }

  var isLarge: Bool { state.withLock { $0.byteCount > Self.byteCountMax } }

  /// Forgets every line; the log knows what they said.
  func clear() throws(CairnError) {
    let outcome = state.withLock { state in
      Result { () throws(CairnError) in
        try file.truncate()
        try file.flush()
        state.byteCount = 0
      }
    }
    try outcome.get()
  }
}
