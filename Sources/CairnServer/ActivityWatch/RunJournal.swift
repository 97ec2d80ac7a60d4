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
    var byteCount = 0
    var failure: CairnError?
  }

  private let path: String
  private let state = Monitor(State())
  private let descriptor: Int32

  /// More is rewritten with the runs that are open.
  private static let byteCountMax = 1 << 20

  init(path: String) throws(CairnError) {
    self.path = path
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CairnError.system(errno, "cannot be opened", path: path)
    }
  }

  deinit { close(descriptor) }

  /// The greatest length of each run; a line that a crash cut off counts for nothing.
  func read() throws(CairnError) -> [UInt64: Int64] {
    guard let bytes = try FileBytes.read(path, limit: 64 << 20) else { return [:] }
    var lengths: [UInt64: Int64] = [:]
    let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[...$0] } ?? []
    for line in whole.split(separator: UInt8(ascii: "\n")) {
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
    let (number, problem) = state.withLock { state -> (UInt64, CairnError?) in
      // SAFETY: the bytes live through the call.
      let count = unsafe line.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      guard count == line.count else {
        return (0, CairnError.system(errno, "cannot be written", path: path))
      }
      state.written += 1
      state.byteCount += line.count
      return (state.written, nil)
    }
    if let problem { throw problem }
    try flush(through: number)
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
      let isFlushed = fdatasync(descriptor) == 0
      let problem = isFlushed ? nil : CairnError.system(errno, "cannot be flushed", path: path)
      state.withLock { state in
        state.isFlushing = false
        if isFlushed { state.flushed = max(state.flushed, target) }
      }
      if let problem { throw problem }
    }
  }

  var isLarge: Bool { state.withLock { $0.byteCount > Self.byteCountMax } }

  /// Forgets every line; the log knows what they said.
  func clear() throws(CairnError) {
    let problem = state.withLock { state -> CairnError? in
      guard ftruncate(descriptor, 0) == 0, fdatasync(descriptor) == 0 else {
        return CairnError.system(errno, "cannot be cut", path: path)
      }
      state.byteCount = 0
      return nil
    }
    if let problem { throw problem }
  }
}
