import Glibc
import LMDB

/// Writes lines to a descriptor from a thread of its own: who has a line to write never waits for
/// who reads them.
final class LogWriter: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var isWriting = false
    /// Lines that were dropped, and how many of them the log reports.
    var droppedCount = 0
    var reportedCount = 0
  }

  private let descriptor: Int32
  private let state = Monitor(State())
  private let thread = WriterThread(name: "cairn-log")

  /// Beyond so many bytes that wait, lines are dropped.
  private static let byteCountMax = 256 * 1_024
  private static let flushTime = Duration.milliseconds(500)

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // A thread whose reader is stuck is not waited for: it goes with the process.
    if state.withLock({ $0.isWriting }) { unsafe _ = Unmanaged.passRetained(thread) }
  }

  /// Lines that nobody took, and that are lost.
  var droppedCount: Int { state.withLock { $0.droppedCount } }

  func put(_ line: [UInt8]) {
    let begins = state.withLock { state in
      guard state.waiting.count + line.count <= Self.byteCountMax else {
        state.droppedCount += 1
        return false
      }
      state.waiting += line
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if begins { thread.submit { [state, descriptor] in Self.write(state, to: descriptor) } }
  }

  /// Waits until all lines are written; not for long where nobody takes them.
  func flush() { _ = state.wait(until: .now + Self.flushTime) { $0.isWriting ? nil : true } }

  private static func write(_ state: Monitor<State>, to descriptor: Int32) {
    ignoreLostReader()
    // What comes in the next moment goes along: to wake a thread for each line costs as much as a
    // tenth of an answer.
    ShortPause.take()
    while let lines = next(state) { write(lines, to: descriptor) }
  }

  /// Blocks SIGPIPE on this thread: the process goes on when the reader of the lines goes away.
  private static func ignoreLostReader() {
    var signals = sigset_t()
    // SAFETY: the calls read and write the one set they are given.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// What waits, and a word about what was dropped since the last one; nil where nothing waits.
  private static func next(_ state: Monitor<State>) -> [UInt8]? {
    let (lines, dropped) = state.withLock { state in
      let dropped = state.droppedCount - state.reportedCount
      state.reportedCount = state.droppedCount
      defer { state.waiting.removeAll() }
      state.isWriting = !state.waiting.isEmpty || dropped > 0
      return (state.waiting, dropped)
    }
    guard !lines.isEmpty || dropped > 0 else { return nil }
    guard dropped > 0 else { return lines }
    return lines
      + RequestLog.line(.warning, "nobody read this log: \(dropped) lines were dropped here")
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // SAFETY: the bytes live through the call.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another process set it so.
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // SAFETY: one entry, which lives through the call.
        _ = unsafe poll(&wanted, 1, -1)
      } else if errno != EINTR {
        // The reader is gone for good: nothing that is written gets anywhere.
        return
      }
    }
  }
}
