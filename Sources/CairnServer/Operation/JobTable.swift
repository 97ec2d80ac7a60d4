import Cairn
package import Rows
import Synchronization

/// Long work that goes on without the client that asked for it.
package final class JobTable: Sendable {
  package struct Job: Sendable {
    package enum State: String, Sendable { case running, done, failed, cancelled }

    package var id: String
    package var kind: String
    package var state = State.running
    package var done: UInt64 = 0
    package var total: UInt64?
    /// A JSON value.
    package var result: [UInt8]?
    package var error: Refusal?
    var mustStop = false
    var ended: ContinuousClock.Instant?
  }

  /// What a job tells of itself while it runs.
  package struct Progress: Sendable {
    fileprivate let table: JobTable
    fileprivate let id: String

    /// Notes how far the job is; false when it is to stop.
    package func isWanted(_ done: UInt64, of total: UInt64?) -> Bool {
      table.state.withLock { jobs in
        jobs[id]?.done = done
        jobs[id]?.total = total
        return jobs[id].map { !$0.mustStop } ?? false
      }
    }
  }

  private let state = Mutex<[String: Job]>([:])
  private let threads = BlockingThreads(countMax: 2)
  private let count = Atomic<UInt64>(0)
  private static let kept = Duration.seconds(86_400)

  private let health: StoreHealth

  package init(_ health: StoreHealth) { self.health = health }

  /// Begins a job.
  /// - Parameters:
  ///   - kind: What it does, in a word.
  ///   - writes: Whether it changes the store, which one job at a time may.
  ///   - work: Gives the result as JSON, or nil when it was stopped.
  /// - Returns: The job as it begins.
  /// - Throws: 409 while another one changes the store.
  func begin(
    _ kind: String, writes: Bool,
    _ work: @escaping @Sendable (Progress) throws(CairnError) -> [UInt8]?
  ) throws(Refusal) -> Job {
    let id = "\(RequestID.next())-\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
    let job = Job(id: id, kind: kind)
    let busy = state.withLock { jobs in
      Self.forget(&jobs)
      if writes,
        let other = jobs.values.first(where: { $0.state == .running && $0.kind != "verify" })
      {
        return Optional(other.id)
      }
      jobs[id] = job
      return nil
    }
    if let busy {
      throw Refusal(409, "conflict", "another job changes the store; see /api/v1/jobs/\(busy)")
    }
    let progress = Progress(table: self, id: id)
    _ = threads.submit(waitingMax: .max) { [self] in
      do throws(CairnError) {
        let result = try work(progress)
        end(id) { job in
          job.state = result == nil ? .cancelled : .done
          job.result = result
          // The last steps are told by nobody.
          if let total = job.total, result != nil { job.done = total }
        }
      } catch {
        end(id) { job in
          job.state = error.code == .aborted ? .cancelled : .failed
          job.error = Refusal(error)
        }
        if error.code != .aborted { health.note(Refusal(error)) }
      }
    }
    return job
  }

  private func end(_ id: String, _ change: (inout Job) -> Void) {
    state.withLock { jobs in
      guard var job = jobs[id] else { return }
      change(&job)
      job.ended = .now
      jobs[id] = job
    }
  }

  private static func forget(_ jobs: inout [String: Job]) {
    let now = ContinuousClock.now
    jobs = jobs.filter { $0.value.ended.map { now - $0 < kept } ?? true }
  }

  /// Every job that is known, by its name.
  package func list() -> [Job] {
    state.withLock { jobs in
      Self.forget(&jobs)
      return jobs.values.sorted { $0.id < $1.id }
    }
  }

  package func job(_ id: String) -> Job? { list().first { $0.id == id } }

  /// Asks a job to stop; what is past the point of no return goes on.
  package func cancel(_ id: String) -> Job? {
    state.withLock { jobs in
      jobs[id]?.mustStop = true
      return jobs[id]
    }
  }
}

extension JobTable {
  var isBusy: Bool { state.withLock { jobs in jobs.values.contains { $0.state == .running } } }

  /// Asks every job to stop: what reads the store would keep it from being closed.
  func cancelAll() { state.withLock { jobs in for id in jobs.keys { jobs[id]?.mustStop = true } } }
}

extension JSONLine {
  package mutating func fields(of job: JobTable.Job) {
    field("job", job.id)
    field("kind", job.kind)
    field("state", job.state.rawValue)
    field("done", job.done)
    field("total", optional: job.total)
    if let result = job.result { field("result", json: result) }
    if let error = job.error { object("error", error.fields) }
  }
}
