import Synchronization
import Testing

@testable import CairnServer

/// Long work that goes on without the client that asked for it (§3 and §7 of the contract).
@Suite struct JobTests {
  @Test func `a server that ends has its jobs stop before the store is closed`() throws {
    let server = try TestServer()
    let stopped = Mutex(false)
    let job = try server.server.service.jobs.begin("verify", writes: false) { progress in
      // Without an order to stop it would go on for minutes.
      for _ in 0..<60_000 {
        guard progress.isWanted(0, of: nil) else {
          stopped.withLock { $0 = true }
          return nil
        }
        ShortPause.take()
      }
      return []
    }
    server.server.stop()
    #expect(stopped.withLock { $0 })
    #expect(server.server.service.jobs.job(job.id)?.state == .cancelled)
  }
}
