import EventLog
import Files
import LMDB
import Projections
import TextIndex

/// Making a generation that nobody asks yet.
///
/// Unlike a fold into one that serves it may take its time with what is only needed in the end, and
/// counts its memory.
extension Generation {
  struct BuildMemory {
    /// Bytes of the whole process, about.
    let byteCount: Int

    /// As many bytes as asked for, but not fewer than any work needs.
    init(_ byteCount: Int) { self.byteCount = max(byteCount, Store.rebuildMemoryMin) }

    /// Of the bytes of a batch each comes to some sixteen more while it is folded, and an event to
    /// four thousand by itself; one that indexes nothing to ten thousand in a large store.
    ///
    /// Of a small log a batch is a sixteenth, so that a build that was killed has no more to do
    /// again, and one that goes on tells how far it is.
    func limit(through target: UInt64) -> BatchLimit {
      BatchLimit(
        eventCount: min(
          UInt64(min(max(byteCount / 8_192, 1_024), 65_536)), max(target / 16, 1_024)),
        byteCount: min(max(byteCount / 32, 1 << 20), 64 << 20),
        useCount: UInt64(max(byteCount / 32_768, 1_024)))
    }
  }

  /// Folds the log up to `target` into this generation, which is empty or was left so far by a
  /// build that was stopped or killed; else folds what it lacks in the ordinary way.
  /// - Returns: False when it was stopped; the generation can be gone on with then, and not be
  ///   asked.
  /// - Throws: `.diskFull` and the like; `.corrupt`.
  func build(
    _ log: EventLog, through target: UInt64, excluding excluded: Set<UInt64> = [],
    files: GenerationFiles, memory: BuildMemory, progress: (UInt64) -> Bool = { _ in true }
  ) throws(CairnError) -> Bool {
    let isBuilt = try environment.read { (txn) throws(CairnError) in
      guard !self.leftOut.contains(TextProjection.name) else { return true }
      guard try self.checkpoint(in: txn).applied > 0 else { return false }
      return try !self.text.isBeingBuilt(in: txn)
    }
    if !isBuilt {
      try unsafe text.beginBuild(
        in: environment, at: files.buildPath(of: number), context: textProjection.context)
    }
    var wantsMore = true
    try advance(log, through: target, excluding: excluded, limit: memory.limit(through: target)) {
      sequence in
      log.releaseMemory()
      environment.releaseMemory()
      wantsMore = progress(sequence)
      return wantsMore
    }
    guard wantsMore else { return false }
    if !isBuilt {
      try unsafe text.finishBuild(
        in: environment, memory: memory.byteCount, context: textProjection.context)
    }
    if !keepsPast { try cut(as: log) }
    return true
  }

  /// Whether a build that was stopped or killed can be gone on with: what it keeps for its end is
  /// there.
  func canGoOn(_ files: GenerationFiles) throws(CairnError) -> Bool {
    let kept = try environment.read { (txn) throws(CairnError) in
      try self.text.keptByteCount(in: txn)
    }
    guard let kept else { return true }
    return try SmallFile.byteCount(files.buildPath(of: number)) ?? -1 >= kept
  }
}
