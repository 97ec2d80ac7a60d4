import Synchronization

/// What is wrong with the store, as requests and looks at its writer have shown.
package final class StoreHealth: Sendable {
  private struct State {
    var damage: Refusal?
    var isFull = false
    /// Since when nobody could write, and where the log ended then.
    var stuck: (since: ContinuousClock.Instant, head: UInt64)?
  }

  private let state = Mutex(State())

  /// A writer may take so long.
  private static let patience = Duration.seconds(30)
  /// With so much room, a disk that was full is tried again.
  private static let room: UInt64 = 32 << 20

  package init() {}

  /// Notes why a request or a job failed.
  package func note(_ refusal: Refusal) {
    state.withLock { state in
      if refusal.code == "corrupt" { state.damage = refusal }
      if refusal.code == "diskFull" { state.isFull = true }
    }
  }

  /// Notes that events came to the disk.
  package func noteAppended() { state.withLock { $0.isFull = false } }

  /// Notes that all was looked at, or made anew, and is well.
  package func noteSound() { state.withLock { $0.damage = nil } }

  /// Notes what a look at the writer showed: somebody may write and write, which is no harm.
  package func noteWriter(isBusy: Bool, head: UInt64, now: ContinuousClock.Instant = .now) {
    state.withLock { state in
      guard isBusy else { return state.stuck = nil }
      if let stuck = state.stuck, stuck.head == head { return }
      state.stuck = (now, head)
    }
  }

  /// Why not everything can be answered, by the room on the store's disk as well; nil when it can.
  package func problem(freeByteCount: UInt64?, now: ContinuousClock.Instant = .now) -> Refusal? {
    state.withLock { state in
      if let damage = state.damage {
        return Refusal(503, "corrupt", "the store is damaged: \(damage.message)")
      }
      if state.isFull, let freeByteCount, freeByteCount >= Self.room { state.isFull = false }
      if state.isFull || freeByteCount == 0 {
        return Refusal(503, "diskFull", "the disk is full: free some space; reading goes on")
      }
      if let stuck = state.stuck, now - stuck.since > Self.patience {
        return Refusal(
          503, "busy", "another process has held the writer for over 30 s; see: cairn doctor")
      }
      return nil
    }
  }
}
