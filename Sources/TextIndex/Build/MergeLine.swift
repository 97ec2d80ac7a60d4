internal import LMDB
internal import Synchronization

/// Rows for the tables that the end of a build writes.
struct MergedRows: ~Copyable, Sendable {
  var terms = RowBatch()
  var postings = RowBatch()
  var positions = RowBatch()
  var documents = RowBatch()

  /// Has the rows stored, and empties the batches.
  mutating func store(_ writer: RowWriter, _ tables: IndexTables) throws(StorageError) {
    try writer.append(&terms, to: tables.terms)
    try writer.append(&postings, to: tables.postings)
    try writer.append(&positions, to: tables.positions)
    try writer.append(&documents, to: tables.documents)
  }
}

/// A part of what the end of a build has to do.
enum MergeJob: Sendable {
  /// The terms between two places of each run.
  case terms([RunMark], [RunMark])
  /// The documents of some runs, all of whose terms have their ids.
  case documents(Range<Int>)
  /// Nothing comes after it: the number of terms, or why there is none.
  case end(Result<UInt32, StorageError>)
}

/// Where the rows of one job at a time go through.
final class RowPipe: Sendable {
  /// What comes behind rows.
  enum Mark: Sendable {
    /// More rows of the same job.
    case more
    /// The rows of another job, in the next pipe.
    case last
    /// Nothing: the number of terms, or why there is none.
    case end(Result<UInt32, StorageError>)
  }

  private struct State: ~Copyable, Sendable {
    var rows = MergedRows()
    var mark = Mark.more
  }

  private let state = Mutex(State())
  private let room = Semaphore()
  private let ready = Semaphore()
  private let isCancelled = Atomic<Bool>(false)

  init() { room.signal() }

  /// Hands rows over and gets an empty set for them, as soon as those before are taken.
  ///
  /// - Throws: `.aborted` when nobody takes them any more.
  func put(_ rows: inout MergedRows, _ mark: Mark) throws(StorageError) {
    room.wait()
    guard !isCancelled.load(ordering: .relaxed) else {
      room.signal()
      throw StorageError(.aborted, "the build is not wanted any more")
    }
    state.withLock { state in
      swap(&state.rows, &rows)
      state.mark = mark
    }
    ready.signal()
  }

  /// Takes rows for an empty set.
  func take(_ rows: inout MergedRows) -> Mark {
    ready.wait()
    let mark = state.withLock { state in
      swap(&state.rows, &rows)
      return state.mark
    }
    room.signal()
    return mark
  }

  /// Has nothing more put.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    room.signal()
  }
}

/// Jobs that some threads do by turns, and the rows that come of them in the order of the jobs.
///
/// One thread adds jobs, others do them, and one stores the rows. No more than a few jobs are done
/// ahead of the one whose rows are stored.
final class MergeLine: Sendable {
  private struct State: Sendable {
    var jobs: [MergeJob] = []
    var takenCount = 0
  }

  /// Of every fourth job.
  private let pipes = (0..<4).map { _ in RowPipe() }
  private let state = Mutex(State())
  private let added = Semaphore()
  private let permits = Semaphore()
  private let cancelled = Atomic<Bool>(false)
  private let workerCount: Int

  init(workerCount: Int) {
    self.workerCount = workerCount
    for _ in pipes { permits.signal() }
  }

  /// Whether nobody wants the rows any more.
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Adds a job behind the others.
  func add(_ job: MergeJob) {
    state.withLock { $0.jobs.append(job) }
    added.signal()
  }

  /// The next job, and where its rows go; nil when there is none any more.
  func next() -> (job: MergeJob, pipe: RowPipe)? {
    permits.wait()
    added.wait()
    guard !isCancelled else { return nil }
    return state.withLock { state in
      defer { state.takenCount += 1 }
      return (state.jobs.removeFirst(), pipes[state.takenCount % pipes.count])
    }
  }

  /// Stores the rows of all jobs, and gives the number of terms.
  ///
  /// - Throws: What a job came to; `.diskFull` and the like.
  func store(_ writer: RowWriter, _ tables: IndexTables) throws(StorageError) -> UInt32 {
    defer { cancel() }
    var rows = MergedRows()
    var number = 0
    while true {
      let mark = pipes[number % pipes.count].take(&rows)
      try rows.store(writer, tables)
      switch mark {
      case .more: break
      case .last:
        number += 1
        permits.signal()
      case .end(let outcome): return try outcome.get()
      }
    }
  }

  private func cancel() {
    cancelled.store(true, ordering: .relaxed)
    for pipe in pipes { pipe.cancel() }
    for _ in 0..<workerCount {
      permits.signal()
      added.signal()
    }
  }
}
