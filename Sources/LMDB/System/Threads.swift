import CLMDB
import Glibc

/// A counting semaphore (`sem_overview(7)`).
@safe package final class Semaphore: @unchecked Sendable {
  // Sendable by hand: the pointed-to semaphore is made for use from many threads.
  private let raw: UnsafeMutablePointer<sem_t>

  /// A semaphore at zero.
  package init() {
    unsafe raw = .allocate(capacity: 1)
    unsafe sem_init(raw, 0, 0)
  }

  deinit {
    unsafe sem_destroy(raw)
    unsafe raw.deallocate()
  }

  /// Adds one. (`sem_post`)
  package func signal() { unsafe sem_post(raw) }

  /// Takes one, as soon as there is one. (`sem_wait`)
  package func wait() { while unsafe sem_wait(raw) != 0 && errno == EINTR {} }
}

/// Lets other threads go first from now on: this one steps back, and so do those it starts.
///
/// Linux keeps a priority for each thread (`nice(2)`), and raises none again for an ordinary
/// user: nobody's own thread is lowered. A system that refuses it gives each its share, as before.
package func stepBackThread() { _ = nice(5) }

/// A running POSIX thread.
struct ThreadHandle: @unchecked Sendable {
  // Sendable by hand: a thread id is a number that any thread may hold.
  private let raw: pthread_t

  /// Starts a thread; nil where the system has no room for one.
  init?(name: String, _ body: @escaping @Sendable () -> Void) {
    let context = unsafe Unmanaged.passRetained(ThreadBody(name: name, run: body))
    var id = pthread_t()
    guard unsafe pthread_create(&id, nil, runThread, context.toOpaque()) == 0 else {
      unsafe context.release()
      return nil
    }
    raw = id
  }

  var isCurrent: Bool { pthread_equal(pthread_self(), raw) != 0 }

  /// Waits for the thread to end, or lets it end alone when called on it.
  func join() { if isCurrent { pthread_detach(raw) } else { pthread_join(raw, nil) } }
}

private final class ThreadBody: Sendable {
  let name: String
  let run: @Sendable () -> Void

  init(name: String, run: @escaping @Sendable () -> Void) {
    self.name = name
    self.run = run
  }
}

private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context else { return nil }
  // SAFETY: `ThreadHandle.init` passed one retained `ThreadBody`.
  let body = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
  unsafe cairn_set_thread_name(body.name)
  body.run()
  return nil
}
