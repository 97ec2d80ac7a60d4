import Glibc

/// Standard error: one line at a time, never buffered.
enum Diagnostics {
  /// Writes a line; that it cannot be written changes nothing.
  static func line(_ text: String) {
    try? Output.write(Array(text.utf8) + [UInt8(ascii: "\n")], to: STDERR_FILENO, name: "")
  }

  /// Ends the process without a word when the user interrupts it (130) or nobody reads on.
  ///
  /// Nothing is lost by that: what is acknowledged is on disk, whatever else is under way.
  static func endQuietlyOnSignals() {
    // The handler calls nothing but _exit, which is safe in a signal handler.
    _ = signal(SIGINT) { _ in _exit(130) }
    endOnDamage()
    // Test runners and other parents start us with the signal blocked.
    var signals = sigset_t()
    // SAFETY: the calls read and write the one set they are given.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // Whoever started us may have had the signal ignored; then every write would fail instead.
    _ = signal(SIGPIPE, SIG_DFL)
  }

  /// Turns the signals by which LMDB dies of a damaged page into an error of ours.
  ///
  /// It maps the file and follows the numbers it finds there; `verify` looks before it follows.
  private static func endOnDamage() {
    for number in [SIGBUS, SIGSEGV, SIGABRT] {
      _ = signal(number) { _ in
        let text: StaticString =
          "cairn: a file of the store is damaged; see which with: cairn verify\n"
        // SAFETY: a literal's bytes are constant; write and _exit may be called here.
        unsafe _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
        _exit(74)
      }
    }
  }
}
