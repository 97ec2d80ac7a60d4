import LMDB
import Projections

extension Store {
  /// Compacts the projections where much of their file is free, or a quarter of all events is new.
  ///
  /// Pages are half full then, since rows came in no order of their keys. `appendedCount` events
  /// came since this was last asked.
  /// - Throws: `diskFull` and the like; nothing has changed then.
  /// - Complexity: O(1) where it is not worth it; else as ``compact()``.
  /// - Note: Blocks the calling thread.
  @discardableResult package func compactIfWasteful(
    worthwhile least: Int = Store.worthwhileByteCount, after appendedCount: Int = 0
  ) throws(CairnError) -> Bool {
    guard let environment = try generation()?.environment, environment.byteCount >= least else {
      return false
    }
    let used = try environment.tableSizes().reduce(0) { $0 + $1.byteCount }
    let unused = environment.byteCount - used
    let isFree = unused >= least && unused >= environment.byteCount / 5
    let isNew = try visibleHead() < 4 * UInt64(clamping: appendedCount)
    guard isFree || isNew else { return false }
    return try compact()
  }

  /// Fewer free bytes are not worth a copy of all others.
  package static let worthwhileByteCount = 32 << 20

  /// Writes the projections anew into a file without gaps.
  ///
  /// Readers and writers go on meanwhile, and nobody's answers change.
  /// - Returns: Whether it did; not while another process rebuilds or purges, nor where an earlier
  ///   state is kept for going back.
  /// - Throws: `diskFull` and the like; nothing has changed then.
  /// - Complexity: O(rows), some 0.3 µs each.
  /// - Note: Blocks the calling thread.
  package func compact() throws(CairnError) -> Bool {
    let lock = try rebuildLock()
    guard try lock.tryLock() else { return false }
    defer { lock.unlock() }
    try finishPurge(patience: patience, holdsRebuildLock: true)
    return try compactAlone()
  }

  /// Compacts what a rebuild made, while its lock is held: rows that came in no order of their keys
  /// leave pages half full.
  ///
  /// A disk that has no room for it keeps the gaps: the rebuild is done all the same.
  func compactRebuilt(by plan: RebuildPlan, isWanted: () -> Bool) throws(CairnError) {
    guard !plan.keepsOld, let size = try generation()?.environment.byteCount,
      size >= plan.compactedByteCount, isWanted()
    else { return }
    do throws(CairnError) { _ = try compactAlone() } catch  where error.code == .diskFull {}
  }

  private func compactAlone() throws(CairnError) -> Bool {
    guard let old = try generation(), try !needsToFinishPurge() else { return false }
    // One that is kept for going back, or half a rebuild, is worth more.
    guard try files.all() == [old.number] else { return false }
    // Whoever appended much has let much go.
    Environment.releaseFreedMemory()
    let number = old.number + 1
    guard let new = try candidate(number, copying: old) else { return false }
    do throws(CairnError) {
      try new.environment.sync()
      _ = try switchOver(to: new, keepingOld: false)
    } catch {
      new.environment.close()
      if try files.current() == old.number { try files.remove(number) }
      throw error
    }
    try files.unmarkCandidate(number)
    return true
  }
}
