import Cairn
import LMDB

/// Looks every few seconds whether the store can be written, on a thread of its own.
final class WriterWatch: Sendable {
  private struct State {
    var mustEnd = false
    var hasEnded = false
  }

  private let state = Monitor(State())
  private let thread = WriterThread(name: "cairn-watch")
  private static let interval = Duration.seconds(5)

  func begin(_ store: Store, _ health: StoreHealth) {
    thread.submit { [state] in
      while true {
        Self.look(store, health)
        let mustEnd: Bool? = state.wait(until: .now + Self.interval) { $0.mustEnd ? true : nil }
        if mustEnd == true { break }
      }
      state.withLock { $0.hasEnded = true }
    }
  }

  private static func look(_ store: Store, _ health: StoreHealth) {
    do throws(CairnError) {
      let head = try store.at().sequence
      // Should the look itself take long, the time counts from here.
      health.noteWriter(isBusy: true, head: head)
      health.noteWriter(isBusy: try store.isWriterBusy(), head: head)
    } catch { health.note(Refusal(error)) }
  }

  /// Ends looking; does not wait long for a look that hangs.
  func end() {
    state.withLock { $0.mustEnd = true }
    _ = state.wait(until: .now + .seconds(1)) { $0.hasEnded ? true : nil }
  }
}
