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
  private let name: String
  private let queue = JobQueue()
  /// Nil before the first job: who only reads needs none.
  private let thread = Mutex<ThreadHandle?>(nil)

  /// A thread that is started with its first job.
  /// - Parameter name: The system shows its first 15 bytes.
  package init(name: String) { self.name = name }

  deinit {
    queue.stop()
    thread.withLock { $0 }?.join()
  }

  package var isCurrent: Bool { thread.withLock { $0?.isCurrent ?? false } }

  /// Runs `body` on the thread and waits for its result; at once when already there.
  /// - Throws: What the body throws; `.io` where the system has no room for the thread.
  package func run<R>(_ body: () throws(CairnError) -> R) throws(CairnError) -> R {
    if isCurrent { return try body() }
    guard start() else { throw CairnError(.io, Self.noRoom) }
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
  ///
  /// Where the system has no room for the thread, the process ends with a word (exit code 74): a
  /// job that somebody waits for must not be lost, and what was acknowledged is on disk.
  package func submit(_ job: @escaping @Sendable () -> Void) {
    guard start() else {
      let text = Array("cairn: \(Self.noRoom)\n".utf8)
      // SAFETY: the bytes live for the call.
      unsafe _ = write(STDERR_FILENO, text, text.count)
      exit(74)
    }
    queue.push(job)
  }

  /// Waits until every job queued so far has run.
  package func wait() {
    let idle = Semaphore()
    submit { idle.signal() }
    idle.wait()
  }

  private static let noRoom =
    "the system has no room for one more thread; raise the limits of this process (ulimit -v, -u)"

  /// Starts the thread if it does not run; false where the system has no room for it.
  private func start() -> Bool {
    thread.withLock { thread in
      if thread == nil {
        thread = ThreadHandle(name: name) { [queue] in
          LongWork.isUnderWay = true
          queue.drain()
        }
      }
      return thread != nil
    }
  }
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
