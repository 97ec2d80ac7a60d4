import EventLog
import LMDB

/// Asking while another process purges.
///
/// One commit takes content from the log and lets other projections serve. Who looked at one of the
/// two before it and at the other after it misses what is gone, which is no damage: it is asked
/// again. Whatever fails though no purge came in between is damaged.
extension Store {
  /// Runs a read of projections and log, again when a purge may have come in between.
  /// - Complexity: Nothing beside the read, unless that fails.
  /// - Throws: What the read throws; `.busy` when purges keep coming.
  func readUntorn<R>(_ read: () throws(CairnError) -> R) throws(CairnError) -> R {
    do throws(CairnError) { return try read() } catch  where error.code == .corrupt {
      // Nobody noted which purge was the last before: with the next attempt somebody does.
    }
    for _ in 0..<Self.readAttemptCount {
      if let answer = try attempt({ _ in true }, read) { return answer }
    }
    throw Self.keptPurging
  }

  /// Asks what takes several reads, again when a purge came in between; at last while none can
  /// come.
  ///
  /// What is fine is right whatever came in between.
  /// - Returns: An answer of one state of the store.
  /// - Throws: What `ask` throws, but `corrupt` only when no purge came in between; `busy` when
  ///   purges keep coming.
  func askBetweenPurges<R>(
    accepting isFine: (R) -> Bool = { _ in false }, _ ask: () throws(CairnError) -> R
  ) throws(CairnError) -> R {
    for _ in 0..<Self.freeAttemptCount {
      if let answer = try attempt(isFine, ask) { return answer }
    }
    let lock = try holdOffPurges()
    defer { lock?.unlock() }
    for _ in 0..<Self.freeAttemptCount {
      if let answer = try attempt(isFine, ask) { return answer }
    }
    throw Self.keptPurging
  }

  /// Each takes another purge, of some milliseconds at least, in the time of one short read.
  private static let readAttemptCount = 16
  private static let freeAttemptCount = 4

  private static let keptPurging = CairnError(
    .busy, "purges keep coming in between; try again when they are done")

  /// The answer, or nil when a purge came in between and it may be wrong for that.
  private func attempt<R>(_ isFine: (R) -> Bool, _ ask: () throws(CairnError) -> R)
    throws(CairnError) -> R?
  {
    let last = lastErasure
    do throws(CairnError) {
      let answer = try ask()
      return isFine(answer) || lastErasure == last ? answer : nil
    } catch  where error.code == .corrupt {
      guard lastErasure != last else { throw error }
      return nil
    }
  }

  /// The purge event that erased last; nil where that cannot be read, and what was asked fails by
  /// itself.
  private var lastErasure: UInt64? {
    do throws(CairnError) { return try log.lastErasure() } catch { return nil }
  }

  /// Keeps purges from beginning; nil where that cannot be, as in a store that may not be written.
  private func holdOffPurges() throws(CairnError) -> FileLock? {
    do throws(CairnError) {
      return try heldRebuildLock(wait: patience)
    } catch  where error.code == .readOnly || error.code == .busy {
      // Who holds it for so long rebuilds, and no purge begins meanwhile either.
      return nil
    }
  }
}
