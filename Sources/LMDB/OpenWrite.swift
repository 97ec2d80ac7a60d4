import Synchronization

/// A write transaction of an environment that stays open from one change to the next.
///
/// LMDB's writer lock belongs to the thread that began it, so one thread, the keeper, makes all
/// changes, answers all questions and commits.
@safe final class OpenWrite: Sendable {
  /// What only the keeper touches.
  @safe struct Work {
    var raw: OpaquePointer?
    /// Whether a change or a question is under way.
    var isInUse = false
    /// Whether somebody wanted the writer's turn meanwhile.
    var isWanted = false
    /// Changes since the last commit, as the callers count them.
    var changeCount = 0
    /// When the transaction was begun.
    var begin: ContinuousClock.Instant?
    /// Called when it has ended.
    var onEnd: (@Sendable (StorageError?) -> Void)?
  }

  // SAFETY: used on the keeper's thread only; before there is one, under the writer's turn.
  nonisolated(unsafe) var work = Work()
  private let owner = Mutex<WriterThread?>(nil)
  private let hasOwner = Atomic(false)
  private let isAsked = Atomic(false)
  private let start = ContinuousClock.now
  /// How long after the start the crowd is over.
  private let end = Mutex(Duration.zero)

  /// The thread that keeps the transaction; nil while none is open.
  ///
  /// - Complexity: while none is open, one atomic load.
  var keeper: WriterThread? {
    hasOwner.load(ordering: .acquiring) ? owner.withLock { $0 } : nil
  }

  /// Notes that a transaction is open, or that it ended.
  func setKeeper(_ keeper: WriterThread?) {
    owner.withLock { $0 = keeper }
    hasOwner.store(keeper != nil, ordering: .releasing)
  }

  /// Whether it is time for a commit; for the keeper.
  var isDue: Bool {
    let work = unsafe work
    guard let begin = work.begin else { return false }
    return work.isWanted || work.changeCount >= Limits.uncommittedChangeCountMax
      || begin.duration(to: .now) >= Limits.uncommittedPause * 2
  }

  /// Lets one thread ask at a time; false while another does.
  func beginQuestion() -> Bool {
    if isAsked.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {
      return true
    }
    noteCrowd(for: Self.crowd)
    return false
  }

  /// Ends what ``beginQuestion()`` began; questions that take long had better not hold up changes.
  func endQuestion(after duration: Duration) {
    isAsked.store(false, ordering: .releasing)
    if duration > Self.longQuestion { noteCrowd(for: duration * 4) }
  }

  /// Whether several asked at once, or one for long, a short while ago: then questions are better
  /// answered beside the changes.
  var isCrowded: Bool { start.duration(to: .now) < end.withLock { $0 } }

  private func noteCrowd(for duration: Duration) {
    let new = start.duration(to: .now) + duration
    end.withLock { $0 = max($0, new) }
  }

  private static let longQuestion = Duration.milliseconds(5)
  private static let crowd = Duration.seconds(1)
}
