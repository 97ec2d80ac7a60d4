import Glibc
import Synchronization

/// The one thread on which write transactions run, in the order they were asked for.
///
/// LMDB's writer lock belongs to a thread: a transaction committed from another one reports
/// success and leaves the lock held for ever. Running every write here makes that impossible.
/// To hand over a job and take its result back costs 7 µs on an idle machine, nearly all of it to
/// wake a sleeping thread. Waiting awake would not help: a durable commit sleeps for milliseconds
/// in between. A job that is already on the thread runs others at once, so projections folded after
/// a commit pay nothing. The thread ends, after the work already queued, when the last reference
/// goes.
package final class WriterThread: Sendable {
  private let queue: JobQueue
  private let thread: ThreadHandle

  /// Starts a thread.
  ///
  /// - Parameter name: The system shows its first 15 bytes.
  package init(name: String) {
    let queue = JobQueue()
    self.queue = queue
    thread = ThreadHandle(name: name) { queue.drain() }
  }

  deinit {
    queue.stop()
    thread.join()
  }

  /// Whether the caller is on this thread.
  package var isCurrent: Bool { thread.isCurrent }

  /// Runs `body` on the thread and waits for its result; at once when already there.
  package func run<R>(_ body: () throws(CairnError) -> R) throws(CairnError) -> R {
    if isCurrent { return try body() }
    var result: Result<R, CairnError>?
    withoutActuallyEscaping(body) { body in
      queue.pushAndWait {
        do throws(CairnError) { result = .success(try body()) } catch { result = .failure(error) }
      }
    }
    guard let result else { throw CairnError(.internal, "a queued write did not run") }
    return try result.get()
  }

  /// Queues `job` and returns at once.
  package func submit(_ job: @escaping @Sendable () -> Void) { queue.push(job) }
}

/// Jobs in order of arrival, and the loop that runs them.
private final class JobQueue: Sendable {
  private struct State {
    var jobs: [Job] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let arrivals = Semaphore()

  func push(_ body: @escaping @Sendable () -> Void) { enqueue(.given(body)) }

  func pushAndWait(_ body: @escaping () -> Void) {
    let awaited = AwaitedJob(body: body)
    unsafe withUnsafePointer(to: awaited) { pointer in
      unsafe enqueue(.awaited(pointer))
      awaited.completion.wait()
    }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    arrivals.signal()
  }

  func drain() {
    while true {
      let (batch, isStopped) = state.withLock { state in
        let batch = state.jobs
        state.jobs.removeAll()
        return (batch, state.isStopped)
      }
      for job in batch { job.run() }
      guard batch.isEmpty else { continue }
      if isStopped { return }
      arrivals.wait()
    }
  }

  private func enqueue(_ job: Job) {
    state.withLock { $0.jobs.append(job) }
    arrivals.signal()
  }
}

/// A job on the stack of a thread that waits for it.
private struct AwaitedJob {
  let body: () -> Void
  let completion = Semaphore()
}

/// A job and who keeps it alive.
@safe private enum Job: @unchecked Sendable {
  // Sendable by hand: an awaited job belongs to the writer thread until it is signalled.
  case given(@Sendable () -> Void)
  case awaited(UnsafePointer<AwaitedJob>)

  func run() {
    switch self {
    case .given(let body): body()
    case .awaited(let pointer):
      // SAFETY: the submitter keeps the job alive until the signal, and nothing here touches it
      // afterwards: the semaphore is retained first, and the body is not.
      let completion = unsafe pointer.pointee.completion
      unsafe Self.call(pointer)
      completion.signal()
    }
  }

  /// Keeps any hold on the body inside one call: the submitter's stack owns it.
  @inline(never) private static func call(_ pointer: UnsafePointer<AwaitedJob>) {
    unsafe pointer.pointee.body()
  }
}
