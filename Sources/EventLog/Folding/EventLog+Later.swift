package import LMDB
import Synchronization

/// Folding after the append is answered. Runs on the writer thread, but for what is asked.
extension EventLog {
  /// Whether the last commit was left to be folded later.
  var isHasty: Bool { haste?.isOn ?? false }

  /// Whether the events of commits may be folded after their appends are answered.
  ///
  /// Nobody else may have the log open: they would see a log ahead of the projections and could not
  /// ask for more.
  func mayFoldLater(_ commits: [Committed]) -> Bool {
    guard let haste else { return false }
    let isFollowed = haste.noteCommit()
    haste.isOn = isFollowed && folder != nil && areFewEnough(commits) && !isShared
    return haste.isOn
  }

  private func areFewEnough(_ commits: [Committed]) -> Bool {
    guard commits.count == 1, let commit = commits.first, commit.appended != nil, commit.isAtHand
    else { return false }
    return commit.events.count <= LogLimits.laterGroupEventCount && folds.hasRoom(for: commit)
  }

  /// Leaves commits to be folded later and answers their appends.
  ///
  /// - Returns: Whether the lock can be given back before that: nothing is due, and nobody waits.
  func foldLater(_ commits: [Committed]) -> Bool {
    for commit in commits where folds.addForLater(commit) { folder?.submit { self.foldWaiting() } }
    notifyWatchers()
    if queue.count == 0, !folds.isRunning { return true }
    for commit in commits { commit.answer() }
    return false
  }

  /// Folds what was left for later; under the writer lock, while the other thread folds nothing.
  func foldDeferred() {
    while let commit = folds.nextForLater() {
      fold(commit)
      folds.noteDone(commit)
    }
  }

  /// Folds what was left for later when nothing more comes.
  func foldWhenIdle() {
    guard !isWaitingForIdle.exchange(true, ordering: .relaxed) else { return }
    Task { [weak self] in
      repeat { try? await Task.sleep(for: Haste.pause) } while self?.haste?.isOver == false
      guard let self else { return }
      self.writer.submit { self.foldIdle() }
    }
  }

  private func foldIdle() {
    isWaitingForIdle.store(false, ordering: .relaxed)
    guard folds.isBehind else { return }
    do throws(StorageError) {
      try withHeldLock(wait: .zero) { () throws(StorageError) in self.foldDeferred() }
    } catch {
      // Another process writes, and folds what it finds; else the next try does.
      foldWhenIdle()
    }
  }

  /// Has all events folded whose appends were answered: call before asking for what the hook makes of
  /// them.
  ///
  /// For a while afterwards events are folded before their appends are answered, so that questions
  /// among appends do not wait here.
  /// - Parameter wait: How long to wait for another process's commit.
  /// - Throws: `.busy` when another process holds the writer lock longer.
  /// - Complexity: O(1) where nothing was left for later; else a commit that is under way and O(events).
  package func foldDeferred(wait: Duration) throws(StorageError) {
    haste?.noteQuestion()
    guard folds.isBehind, !holdsWriterLock else { return }
    try writer.run { () throws(StorageError) in
      try self.withHeldLock(wait: wait) { () throws(StorageError) in self.foldDeferred() }
    }
  }
}
