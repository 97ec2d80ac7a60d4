import Synchronization

/// Decides whether folding may wait until after an append is answered.
///
/// It may while one append follows another and nobody asks: many events folded at a time touch each
/// page once, and cost a third of as many folded one by one. Who asks is given what was appended
/// before: see ``EventLog/foldDeferred(wait:)``.
package final class Haste: Sendable {
  /// After how long one append no longer follows another.
  private let burst: Int64
  /// For how long a question is followed by more.
  private let question: Int64
  private let start = ContinuousClock.now
  private let lastCommit = Atomic<Int64>(.min / 2)
  private let lastQuestion = Atomic<Int64>(.min / 2)
  private let allowed = Atomic(false)

  /// Decides by how long ago the last append and the last question were.
  ///
  /// - Parameters:
  ///   - burst: After how long one append no longer follows another.
  ///   - question: For how long a question is followed by more.
  package init(burst: Duration = .milliseconds(20), question: Duration = .milliseconds(20)) {
    self.burst = Self.nanoseconds(burst)
    self.question = Self.nanoseconds(question)
  }

  private var now: Int64 { Self.nanoseconds(start.duration(to: .now)) }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
  }

  /// Notes that somebody asks.
  func noteQuestion() { lastQuestion.store(now, ordering: .relaxed) }

  /// Notes a commit, and tells whether those before and after it are made in haste.
  func noteCommit() -> Bool {
    let now = now
    let isBurst = now - lastCommit.exchange(now, ordering: .relaxed) < burst
    return isBurst && now - lastQuestion.load(ordering: .relaxed) >= question
  }

  /// Whether nothing was committed for a while.
  var isOver: Bool { now - lastCommit.load(ordering: .relaxed) >= burst }

  /// How long to wait before asking that again: nobody but a crash is waited for, and each look costs
  /// as much as a part of a fold.
  static let pause = Duration.milliseconds(100)

  /// Whether the last commit was to be folded later.
  var isOn: Bool {
    get { allowed.load(ordering: .relaxed) }
    set { allowed.store(newValue, ordering: .relaxed) }
  }
}
