import Glibc
import Synchronization

/// A write transaction of an environment that stays open from one change to the next.
///
/// LMDB's writer lock belongs to the thread that began it, so one thread, the keeper, makes all
/// changes and commits. Anybody may look into it: one thread at a time is in it.
@safe final class OpenWrite: Sendable {
  @safe private struct Work {
    var raw: OpaquePointer?
    /// Changes since the last commit, as the callers count them.
    var changeCount = 0
    /// When the transaction was begun.
    var begin: ContinuousClock.Instant?
    /// Called when it has ended.
    var onEnd: (@Sendable (StorageError?) -> Void)?
  }

  // SAFETY: touched by the thread that is in the transaction; while there is none, by the keeper.
  nonisolated(unsafe) private var work = Work()
  private let gate = Semaphore()
  /// The thread that is in the transaction, 0 when none is.
  private let holder = Atomic<UInt>(0)
  private let owner = Mutex<WriterThread?>(nil)
  private let hasOwner = Atomic(false)
  private let isAsked = Atomic(false)
  private let start = ContinuousClock.now
  /// How long after the start the crowd is over.
  private let crowdEnd = Mutex(Duration.zero)

  init() { gate.signal() }

  /// The thread that keeps the transaction; nil while none is open.
  ///
  /// - Complexity: while none is open, one atomic load.
  var keeper: WriterThread? { hasOwner.load(ordering: .acquiring) ? owner.withLock { $0 } : nil }

  /// Notes that others may look into the transaction, or that it ended.
  func setKeeper(_ keeper: WriterThread?) {
    owner.withLock { $0 = keeper }
    hasOwner.store(keeper != nil, ordering: .releasing)
  }

  /// Notes a transaction that was begun; for the keeper, while there is none.
  func begin(_ raw: OpaquePointer, onEnd: @escaping @Sendable (StorageError?) -> Void) {
    unsafe work = Work(raw: raw, begin: .now, onEnd: onEnd)
  }

  /// Waits until no other thread is in the transaction, and enters it; nil when there is none.
  func enter() -> OpaquePointer? {
    gate.wait()
    if let raw = unsafe work.raw {
      holder.store(UInt(pthread_self()), ordering: .relaxed)
      return unsafe raw
    }
    gate.signal()
    return nil
  }

  /// Leaves what was entered.
  func leave() {
    holder.store(0, ordering: .relaxed)
    gate.signal()
  }

  /// Leaves what was entered for good, and gives what is to be called then.
  func end() -> (@Sendable (StorageError?) -> Void)? {
    let onEnd = unsafe work.onEnd
    unsafe work = Work()
    leave()
    return onEnd
  }

  /// Whether the calling thread is in the transaction.
  var isMine: Bool { holder.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Counts changes; for who is in the transaction.
  func noteChanges(_ count: Int) { unsafe work.changeCount += count }

  /// Whether it is time for a commit; for who is in the transaction.
  var isDue: Bool {
    let work = unsafe work
    guard let begin = work.begin else { return false }
    return work.changeCount >= Limits.uncommittedChangeCountMax
      || begin.duration(to: .now) >= Self.longestOpen
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
  var isCrowded: Bool { start.duration(to: .now) < crowdEnd.withLock { $0 } }

  private func noteCrowd(for duration: Duration) {
    let new = start.duration(to: .now) + duration
    crowdEnd.withLock { $0 = max($0, new) }
  }

  /// How long the transaction may stay open while changes come.
  private static let longestOpen = Limits.uncommittedPause * 2
  private static let longQuestion = Duration.milliseconds(5)
  private static let crowd = Duration.seconds(1)
}
