import Synchronization

/// Words in links that let a browser in: each works once, for two minutes.
package final class LoginLinks: Sendable {
  /// When each ends, by the hash of its word.
  private let ends = Mutex<[[UInt8]: ContinuousClock.Instant]>([:])
  private static let life = Duration.seconds(120)

  package init() {}

  /// A word that was never used.
  package func make(now: ContinuousClock.Instant = .now) -> String {
    let word = AccessToken.random()
    ends.withLock { ends in
      ends = ends.filter { $0.value > now }
      ends[AccessToken.hash(word)] = now + Self.life
    }
    return word
  }

  /// Uses a word up; false for one that is unknown, used or too old.
  package func use(_ word: String, now: ContinuousClock.Instant = .now) -> Bool {
    ends.withLock { $0.removeValue(forKey: AccessToken.hash(word)).map { $0 > now } ?? false }
  }
}
