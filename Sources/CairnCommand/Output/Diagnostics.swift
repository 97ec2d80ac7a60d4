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
    // Test runners and other parents start us with the signal blocked.
    var signals = sigset_t()
    // SAFETY: the calls read and write the one set they are given.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // Whoever started us may have had the signal ignored; then every write would fail instead.
    _ = signal(SIGPIPE, SIG_DFL)
  }
}
