#if Server
  import CairnServer
  import Glibc

  /// Waits for the signals that end a server, on the thread that makes it.
  ///
  /// Made before any other thread is: the signals are blocked in all of them.
  struct SignalWait {
    private let signals: sigset_t

    init() {
      var signals = sigset_t()
      // SAFETY: each call fills or reads the one set it is given.
      unsafe sigemptyset(&signals)
      for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
      unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
      // A client that goes away is told of by the call that writes.
      signal(SIGPIPE, SIG_IGN)
      self.signals = signals
    }

    /// Returns after the first signal that ends the server and what `stop` does then; a second
    /// one ends the process at once, with 130.
    ///
    /// Meanwhile it tells the watchdog that the process lives, and ends a server that has had
    /// nothing to do for long enough.
    func wait(
      watchdog: ServiceNotice, idleExit: Duration?, isIdle: () -> Bool, reload: () -> Void,
      stop: () -> Void
    ) {
      var signals = signals
      var lastBusy = ContinuousClock.now
      let pause = min(
        watchdog.watchdog ?? .seconds(3_600), idleExit.map { $0 / 2 } ?? .seconds(3_600))
      while true {
        let (seconds, attoseconds) = max(pause, .milliseconds(10)).components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        // SAFETY: both are read during the call only.
        let number = unsafe sigtimedwait(&signals, nil, &time)
        if number == SIGTERM || number == SIGINT { break }
        if number == SIGHUP { reload() }
        if watchdog.watchdog != nil { watchdog.send("WATCHDOG=1") }
        if !isIdle() { lastBusy = .now }
        if let idleExit, ContinuousClock.now - lastBusy >= idleExit { break }
      }
      signal(SIGTERM, { _ in _exit(130) })
      signal(SIGINT, { _ in _exit(130) })
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      stop()
    }
  }
#endif
