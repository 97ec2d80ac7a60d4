import Glibc
import LMDB
import Synchronization

/// Threads for calls that block: a task that waits for one holds up no thread of the cooperative
/// pool.
///
/// There are at most as many as processors, and at least two, so that a long call lets short ones
/// by. Calls that find all of them busy are run in order of arrival.
package final class BlockingThreads: Sendable {
  static let shared = BlockingThreads(countMax: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  private typealias Job = @Sendable () -> Void

  private struct State {
    var threads: [WriterThread] = []
    var idle: [Int] = []
    /// Jobs that wait; those before `next` were taken.
    var jobs: [Job] = []
    var next = 0
    /// Jobs that wait for something beside work, each of which another one may run in place of.
    var apartCount = 0
    /// Whether a thread was woken that did not take a job yet.
    var isWaking = false

    /// With the one that was woken.
    var runningCount: Int { threads.count - idle.count }
    var waitingCount: Int { jobs.count - next }
    var hasJob: Bool { next < jobs.count }

    mutating func takeJob() -> Job? {
      guard hasJob else {
        jobs.removeAll(keepingCapacity: true)
        next = 0
        return nil
      }
      // Under a load that never ends, those that are done would stay for ever.
      if next == 1_024 {
        jobs.removeFirst(next)
        next = 0
      }
      defer { next += 1 }
      return jobs[next]
    }
  }

  private let countMax: Int
  private let state = Mutex(State())

  /// No thread is started before it is needed.
  package init(countMax: Int) { self.countMax = max(2, countMax) }

  /// Runs a body on one of the threads; the calling task waits for it without a thread.
  /// - Throws: What the body throws.
  func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      _ = submit(waitingMax: .max) { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Runs a job as soon as a thread is free; false, and nothing is done, when all are busy and so
  /// many jobs wait already.
  package func submit(waitingMax: Int, _ job: @escaping @Sendable () -> Void) -> Bool {
    change { state in
      let takenSoon = countMax + state.apartCount - state.runningCount + (state.isWaking ? 1 : 0)
      guard state.waitingCount - max(0, takenSoon) < waitingMax else { return false }
      state.jobs.append(job)
      return true
    }
  }

  package var waitingCount: Int { state.withLock { $0.waitingCount } }

  /// Runs a body that waits for something beside work, such as a client: so long another job may
  /// run in place of the calling one.
  package func apart<R>(_ body: () -> R) -> R {
    change { $0.apartCount += 1 }
    defer { state.withLock { $0.apartCount -= 1 } }
    return body()
  }

  /// Changes the state, and wakes a thread for the first job that waits, unless one is on its way
  /// already.
  ///
  /// That one wakes the next, where jobs are left: of short ones that come together several are
  /// done by a thread that runs, and to wake one for each takes longer than they do.
  private func change<R: Sendable>(_ body: (inout State) -> R) -> R {
    let (result, woken) = state.withLock { state in
      let result = body(&state)
      let woken = state.isWaking || !state.hasJob ? nil : free(&state)
      if woken != nil { state.isWaking = true }
      return (result, woken.map { ($0, state.threads[$0]) })
    }
    // Others would wait for the lock as long.
    if let (number, thread) = woken { thread.submit { [self] in work(number) } }
    return result
  }

  private func free(_ state: inout State) -> Int? {
    guard state.runningCount < countMax + state.apartCount else { return nil }
    if let number = state.idle.popLast() { return number }
    state.threads.append(WriterThread(name: "cairn-read"))
    return state.threads.count - 1
  }

  private func work(_ number: Int) {
    var job = nextJob(number, isFirst: true)
    while let current = job {
      current()
      job = nextJob(number, isFirst: false)
    }
  }

  private func nextJob(_ number: Int, isFirst: Bool) -> Job? {
    change { state in
      if isFirst { state.isWaking = false }
      // Who waited apart has come back: there are too many now.
      let isOver = state.runningCount > countMax + state.apartCount
      let job = isOver ? nil : state.takeJob()
      if job == nil { state.idle.append(number) }
      return job
    }
  }
}
