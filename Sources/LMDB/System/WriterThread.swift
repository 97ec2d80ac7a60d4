import Glibc
import Synchronization

/// The one thread on which write transactions run, in the order they were asked for.
///
/// LMDB's writer lock belongs to a thread: a transaction committed from another one reports
/// success and leaves the lock held for ever. Running every write here makes that impossible.
/// To hand over a job and take its result back costs 7 µs on an idle machine, nearly all of it to
/// wake a sleeping thread. Waiting awake would not help: a durable commit sleeps for milliseconds
/// in between. A job that is already on the thread runs others at once, so projections folded after
/// a commit pay nothing. The thread ends, after the work already queued, when the last reference goes.
package final class WriterThread: Sendable {
  private let name: String
  private let queue: JobQueue
  private let thread = Mutex<ThreadHandle?>(nil)

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: The system shows its first 15 bytes.
  ///   - lendsTurn: Whether ``run(_:)`` runs its body on the calling thread when nothing else runs
  ///     or waits, one body at a time all the same. Then the thread starts with the first job that
  ///     needs it.
  package init(name: String, lendsTurn: Bool = false) {
    self.name = name
    queue = JobQueue(lendsTurn: lendsTurn)
    if !lendsTurn { start() }
  }

  deinit {
    queue.stop()
    thread.withLock { $0 }?.join()
  }

  private func start() {
    thread.withLock { [queue, name] thread in
      if thread == nil { thread = ThreadHandle(name: name) { queue.drain() } }
    }
  }

  /// Whether the caller is on this thread, or has its turn.
  package var isCurrent: Bool { queue.isCurrent }

  /// Whether jobs wait behind the one that runs.
  package var isAwaited: Bool { queue.isAwaited }

  /// Runs `body` on the thread and waits for its result; at once when already there.
  package func run<R>(_ body: () throws(StorageError) -> R) throws(StorageError) -> R {
    if isCurrent { return try body() }
    if queue.takeTurn() {
      defer { queue.giveTurnBack() }
      return try body()
    }
    start()
    var result: Result<R, StorageError>?
    withoutActuallyEscaping(body) { body in
      queue.pushAndWait {
        do throws(StorageError) { result = .success(try body()) } catch { result = .failure(error) }
      }
    }
    guard let result else { throw StorageError(.internal, "a queued write did not run") }
    return try result.get()
  }

  /// Queues `job` and returns at once.
  package func submit(_ job: @escaping @Sendable () -> Void) {
    start()
    queue.push(job)
  }

  /// Has `job` run on the thread, once, as soon as nothing was queued for a while.
  ///
  /// Replaces a job that was given so before and has not run.
  func submitWhenIdle(after pause: Duration, _ job: @escaping @Sendable () -> Void) {
    queue.setIdleJob(after: pause, job)
  }

  /// Takes the turn for the calling thread beyond the end of a job, when nothing else runs or waits.
  ///
  /// - Parameter giveBack: Called on any thread as soon as somebody else wants the turn: it is to see
  ///   to it that ``giveTurnBack()`` is called where the turn was taken.
  /// - Returns: Whether the turn is kept.
  func keepTurn(giveBack: @escaping @Sendable () -> Void) -> Bool {
    guard queue.takeTurn() else { return false }
    if queue.keepTurn(giveBack) { return true }
    queue.giveTurnBack()
    return false
  }

  /// Gives back a turn that was kept.
  func giveTurnBack() { queue.giveTurnBack() }
}

/// Jobs in order of arrival, and the loop that runs them.
private final class JobQueue: Sendable {
  private struct State {
    var jobs: [Job] = []
    /// Jobs that the thread has taken and not begun.
    var takenCount = 0
    var isStopped = false
    var idleJob: IdleJob?
    /// Asks for a turn that is kept.
    var giveBack: (@Sendable () -> Void)?
  }

  private struct IdleJob {
    var pause: Duration
    var run: @Sendable () -> Void
  }

  private let state = Mutex(State())
  private let arrivals = Semaphore()
  /// Given to one job at a time where others than the thread may run one.
  private let turn: Semaphore?
  /// The thread that runs a job, 0 when none does.
  private let holder = Atomic<UInt>(0)

  init(lendsTurn: Bool) {
    turn = lendsTurn ? Semaphore() : nil
    turn?.signal()
  }

  var isCurrent: Bool { holder.load(ordering: .relaxed) == UInt(pthread_self()) }

  var isAwaited: Bool { state.withLock { !$0.jobs.isEmpty } }

  /// Takes the turn for the calling thread when nobody has it or waits for it.
  func takeTurn() -> Bool {
    guard let turn, !isAwaited, turn.tryWait() else { return false }
    holder.store(UInt(pthread_self()), ordering: .relaxed)
    return true
  }

  /// Keeps the turn that the caller took, unless somebody waits for it already.
  func keepTurn(_ giveBack: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard state.jobs.isEmpty, state.takenCount == 0 else { return false }
      state.giveBack = giveBack
      return true
    }
  }

  func setIdleJob(after pause: Duration, _ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.idleJob = IdleJob(pause: pause, run: job) }
    arrivals.signal()
  }

  func giveTurnBack() {
    guard let turn else { return }
    state.withLock { $0.giveBack = nil }
    holder.store(0, ordering: .relaxed)
    turn.signal()
  }

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
    if turn == nil { holder.store(UInt(pthread_self()), ordering: .relaxed) }
    while true {
      let (batch, isStopped) = state.withLock { state in
        let batch = state.jobs
        state.jobs.removeAll()
        state.takenCount = batch.count
        return (batch, state.isStopped)
      }
      for job in batch { perform(job) }
      guard batch.isEmpty else { continue }
      if waitForArrival(isStopped: isStopped) { continue }
      if isStopped { return }
    }
  }

  /// Waits until something is queued, or runs the job for idle times; whether there may be more to do.
  private func waitForArrival(isStopped: Bool) -> Bool {
    guard let idle = state.withLock({ $0.idleJob }) else {
      if !isStopped { arrivals.wait() }
      return !isStopped
    }
    if !isStopped, arrivals.wait(atMost: idle.pause) { return true }
    let job: IdleJob? = state.withLock { state in
      guard state.jobs.isEmpty else { return nil }
      defer { state.idleJob = nil }
      return state.idleJob
    }
    job?.run()
    return true
  }

  private func perform(_ job: Job) {
    guard let turn else { return job.run() }
    turn.wait()
    state.withLock { $0.takenCount -= 1 }
    holder.store(UInt(pthread_self()), ordering: .relaxed)
    job.run()
    giveTurnBack()
  }

  private func enqueue(_ job: Job) {
    let giveBack = state.withLock { state in
      state.jobs.append(job)
      return state.giveBack
    }
    arrivals.signal()
    giveBack?()
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
