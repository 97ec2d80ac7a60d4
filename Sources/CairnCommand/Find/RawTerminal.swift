import Glibc
import Synchronization

/// A terminal that gives every key at once and shows lines where they are put.
///
/// It is given back when this goes away, and by every signal that ends the process.
final class RawTerminal {
  /// What there is to react to.
  enum Input {
    case key(Key)
    /// Somebody called `wake`, or the terminal has another size.
    case woken
  }

  private let descriptor: Int32
  private let pipeEnds: [Int32]
  private var keys = KeyReader()

  /// How long after an escape byte the rest of a key's sequence may come, in milliseconds.
  private static let sequenceWait: Int32 = 50

  private init(_ descriptor: Int32, _ pipeEnds: [Int32]) {
    self.descriptor = descriptor
    self.pipeEnds = pipeEnds
  }

  /// Takes over the terminal that the process was started from; nil where there is none that
  /// shows lines where they are put.
  static func open() throws(Failure) -> RawTerminal? {
    guard Terminal.errorsAreTerminal, !Terminal.isDumb else { return nil }
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    let descriptor = unsafe Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var ends: [Int32] = [-1, -1]
    // SAFETY: the call fills the two numbers it is given.
    guard unsafe pipe(&ends) == 0 else {
      close(descriptor)
      throw Failure(.disk, "cannot be made: \(Failure.systemMessage())", place: "a pipe")
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let terminal = RawTerminal(descriptor, ends)
    guard TerminalModes.makeRaw(descriptor, resized: ends[1]) else {
      throw Failure(.disk, "cannot be taken over: \(Failure.systemMessage())", place: "/dev/tty")
    }
    return terminal
  }

  deinit {
    TerminalModes.restore()
    for end in pipeEnds + [descriptor] { close(end) }
  }

  /// What makes `next()` return from any thread.
  var wake: @Sendable () -> Void {
    let end = pipeEnds[1]
    return { TerminalModes.wake(end) }
  }

  var size: (lines: Int, columns: Int) {
    guard let size = Terminal.size(of: descriptor), size.lines > 0, size.columns > 0 else {
      return (24, 80)
    }
    return size
  }

  /// Writes bytes with one call, however long that takes.
  func write(_ bytes: [UInt8]) throws(Failure) {
    guard !bytes.isEmpty else { return }
    try Output.write(bytes, to: descriptor, name: "the terminal")
  }

  /// A key that came already; nil for none.
  func pendingKey() -> Key? { keys.next(isQuiet: false) }

  /// Waits for the next key or call.
  func next() throws(Failure) -> Input {
    while true {
      if let key = keys.next(isQuiet: false) { return .key(key) }
      var entries = [descriptor, pipeEnds[0]].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      // SAFETY: two entries, as the count says.
      let count = unsafe poll(&entries, 2, keys.isWaiting ? Self.sequenceWait : -1)
      if count < 0 {
        guard errno == EINTR else { throw gone() }
      } else if count == 0 {
        if let key = keys.next(isQuiet: true) { return .key(key) }
      } else if entries[0].revents != 0 {
        try readKeys()
      } else {
        drain()
        return .woken
      }
    }
  }

  private func readKeys() throws(Failure) {
    var bytes = [UInt8](repeating: 0, count: 1 << 12)
    // SAFETY: reads at most what the buffer holds.
    let count = unsafe read(descriptor, &bytes, bytes.count)
    guard count > 0 else {
      if count < 0, errno == EINTR { return }
      throw gone()
    }
    keys.feed(bytes[..<count])
  }

  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    // SAFETY: reads at most what the buffer holds; the pipe does not block.
    while unsafe read(pipeEnds[0], &bytes, bytes.count) == bytes.count {}
  }

  private func gone() -> Failure { Failure(.interrupted, "is gone", place: "the terminal") }
}

/// The modes that a terminal had before, where a signal handler can reach them.
enum TerminalModes {
  private static let taken = Atomic<Int32>(-1)
  private static let resized = Atomic<Int32>(-1)
  /// Allocated once and never freed, so that a handler may read it at any time.
  nonisolated(unsafe) private static let saved: UnsafeMutablePointer<termios> = {
    let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    unsafe saved.initialize(to: termios())
    return unsafe saved
  }()

  /// The alternate screen, and pasted text between marks.
  private static let entering = "\u{1B}[?1049h\u{1B}[?2004h"
  private static let leaving: StaticString = "\u{1B}[?2004l\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l"

  /// Takes over a terminal; a byte goes to `resized` when its size changes.
  static func makeRaw(_ descriptor: Int32, resized end: Int32) -> Bool {
    // SAFETY: the calls fill and read the one structure they are given.
    guard unsafe tcgetattr(descriptor, saved) == 0 else { return false }
    // Made before a handler needs it.
    _ = leaving
    var modes = unsafe saved.pointee
    unsafe cfmakeraw(&modes)
    resized.store(end, ordering: .releasing)
    taken.store(descriptor, ordering: .releasing)
    _ = signal(SIGWINCH) { _ in
      TerminalModes.wake(TerminalModes.resized.load(ordering: .acquiring))
    }
    // Whoever started the program may have kept the signal from it.
    var sizes = sigset_t()
    // SAFETY: each call fills or reads the one set it is given.
    unsafe sigemptyset(&sizes)
    unsafe sigaddset(&sizes, SIGWINCH)
    unsafe pthread_sigmask(SIG_UNBLOCK, &sizes, nil)
    // A defect must not leave the terminal as it is now.
    for number in [SIGILL, SIGTRAP, SIGQUIT] {
      _ = signal(number) { number in
        TerminalModes.restore()
        _ = signal(number, SIG_DFL)
        raise(number)
      }
    }
    guard unsafe tcsetattr(descriptor, TCSADRAIN, &modes) == 0 else { return false }
    // A terminal that is gone is noticed with the first key.
    try? Output.write(Array(entering.utf8), to: descriptor, name: "")
    return true
  }

  /// Gives the terminal back as it was; safe in a signal handler, and without effect a second time.
  static func restore() {
    let descriptor = taken.exchange(-1, ordering: .acquiringAndReleasing)
    guard descriptor >= 0 else { return }
    // SAFETY: a literal's bytes are constant, `saved` lives for ever; both calls may be made here.
    unsafe _ = write(descriptor, leaving.utf8Start, leaving.utf8CodeUnitCount)
    unsafe _ = tcsetattr(descriptor, TCSADRAIN, saved)
  }

  /// Writes a byte into a pipe that somebody waits at; safe in a signal handler.
  static func wake(_ end: Int32) {
    var byte: UInt8 = 0
    // SAFETY: one byte; that the pipe is full means that it was told already.
    unsafe _ = write(end, &byte, 1)
  }
}
