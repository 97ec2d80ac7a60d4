import Glibc
import Importers

/// Standard error: one line at a time, never buffered.
enum Diagnostics {
  /// Writes one line, whatever a file in it is called; that it cannot be written changes nothing.
  static func line(_ text: String) {
    let line = Progress.takeAway() + DisplayText.harmless(text) + "\n"
    try? Output.write(Array(line.utf8), to: STDERR_FILENO, name: "")
  }

  /// Takes the numbers of standard streams that whoever started us has closed.
  ///
  /// Else a file of the store would get one, and what is printed would be written into it. Streams
  /// stay unusable: reading and writing fail as on a closed one (glibc's `stdopen` does the same).
  static func holdStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is given.
      // SAFETY: a NUL-ended literal.
      unsafe _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Ends the process without a word when the user interrupts it (130) or nobody reads on.
  ///
  /// Nothing is lost by that: what is acknowledged is on disk, whatever else is under way.
  static func endQuietlyOnSignals() {
    PrivateCopies.prepare()
    // Giving a terminal back, deleting files and _exit are what a signal handler may do.
    _ = signal(SIGINT) { _ in
      TerminalModes.restore()
      InterruptNote.say()
      PrivateCopies.deleteAll()
      _exit(130)
    }
    for number in [SIGTERM, SIGHUP] where !isIgnored(number) {
      _ = signal(number) { number in
        TerminalModes.restore()
        PrivateCopies.deleteAll()
        _ = signal(number, SIG_DFL)
        raise(number)
      }
    }
    endOnDamage()
    // Test runners and other parents start us with the signal blocked.
    var signals = sigset_t()
    // SAFETY: the calls read and write the one set they are given.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // Whoever started us may have had the signal ignored; then every write would fail instead.
    _ = signal(SIGPIPE, SIG_DFL)
    // A write past the limit of ulimit -f is to fail as on a full disk, not to end the process.
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Whether whoever started us has a signal ignored, as nohup does.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    // SAFETY: the call fills the one structure it is given; SIG_IGN is the address 1.
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Turns the signals by which LMDB dies of a damaged page into an error of ours.
  ///
  /// It maps the file and follows the numbers it finds there; `verify` looks before it follows.
  private static func endOnDamage() {
    // Where address space is short the runtime dies of it, too, also by a trap.
    for number in [SIGBUS, SIGSEGV, SIGABRT, SIGILL] where number != SIGILL || hasLimitedSpace() {
      _ = signal(number) { _ in
        TerminalModes.restore()
        // Nothing tells which of the two it was.
        let text: StaticString =
          hasLimitedSpace()
          ? "cairn: out of memory, or a damaged file: raise ulimit -v, then see: cairn verify\n"
          : "cairn: a file of the store is damaged; see which with: cairn verify\n"
        // SAFETY: a literal's bytes are constant; write and _exit may be called here.
        unsafe _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
        _exit(74)
      }
    }
  }
}

/// Whether whoever started us has limited our address space.
private func hasLimitedSpace() -> Bool {
  var space = rlimit()
  // SAFETY: the call fills the one structure it is given.
  return unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0
    && space.rlim_cur != rlim_t.max
}
