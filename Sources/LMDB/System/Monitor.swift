import Glibc

/// State that threads share, and whose changes they can wait for (`pthread_cond_wait(3)`).
///
/// Costs what a mutex does while nobody waits.
@safe package final class Monitor<State: Sendable>: @unchecked Sendable {
  // Sendable by hand: everything below is touched under the mutex only.
  private var state: State
  private var waiterCount = 0
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  package init(_ state: State) {
    self.state = state
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Looks at the state, or changes it; who waits looks anew.
  package func withLock<R>(_ body: (inout State) -> R) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unlock() }
    return body(&state)
  }

  /// Waits until `body`, which may change the state, gives something, looking anew at each change.
  /// - Returns: What it gave, or nil after the deadline.
  package func wait<R>(
    until deadline: ContinuousClock.Instant? = nil, _ body: (inout State) -> R?
  ) -> R? {
    unsafe pthread_mutex_lock(mutex)
    defer { unlock() }
    while true {
      if let result = body(&state) { return result }
      waiterCount += 1
      defer { waiterCount -= 1 }
      guard let deadline else {
        unsafe pthread_cond_wait(changed, mutex)
        continue
      }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return nil }
      var time = Self.time(in: left)
      unsafe pthread_cond_timedwait(changed, mutex, &time)
    }
  }

  private func unlock() {
    if waiterCount > 0 { unsafe pthread_cond_broadcast(changed) }
    unsafe pthread_mutex_unlock(mutex)
  }

  private static func time(in duration: Duration) -> timespec {
    var time = timespec()
    // SAFETY: fills what it is lent.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    // Longer than anybody waits, and short enough to add to a point in time.
    let (seconds, attoseconds) = min(duration, .seconds(1_000_000_000)).components
    let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
    time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }
}
