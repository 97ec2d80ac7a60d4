import Glibc
import Synchronization

/// Counts the forks between this process and the one that loaded the module.
///
/// A handler of `fork` does the counting, so the check costs no system call per transaction.
enum ForkGeneration {
  private static let count = Atomic(0)
  private static let isRegistered: Bool = pthread_atfork(nil, nil, countFork) == 0

  static var current: Int {
    _ = isRegistered
    return count.load(ordering: .relaxed)
  }

  fileprivate static func increment() { count.add(1, ordering: .relaxed) }
}

private func countFork() { ForkGeneration.increment() }
