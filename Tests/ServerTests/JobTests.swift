import Cairn
import Foundation
import Synchronization
import Testing

@testable import CairnServer

/// Long work that goes on without the client that asked for it.
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

  @Test func `a rebuild that another process cancels was cancelled and did not fail`() throws {
    let server = try TestServer()
    let jobs = server.server.service.jobs
    let job = try jobs.begin("rebuild", writes: true) { (_) throws(CairnError) in
      throw CairnError(.aborted, "another process cancelled the rebuild; nothing changed")
    }
    while jobs.isBusy { ShortPause.take() }
    #expect(jobs.job(job.id)?.state == .cancelled)
    #expect(try server.ask("GET", "/readyz").status == 200)
  }

  @Test(arguments: ["settings", "rules", "consumers", "buckets"])
  func `a verification reads what the server was told`(name: String) throws {
    let server = try TestServer()
    let path = server.directory + "/serve.\(name)"
    #expect(!FileManager.default.fileExists(atPath: path))
    try Data("1\n".utf8).write(to: URL(filePath: path))
    let begun = try server.object(try server.ask("POST", "/api/v1/verify", body: "{}"))
    while server.server.service.jobs.isBusy { ShortPause.take() }
    let id = try #require(begun["job"] as? String)
    let result = try server.ask("GET", "/api/v1/jobs/\(id)").text
    #expect(result.contains("serve.\(name)") && result.contains("\"ok\":false"))
    #expect(try server.ask("GET", "/readyz").status == 503)
  }

  @Test func `a verification that was stopped tells nothing of the store`() throws {
    let server = try TestServer()
    let event = #"{"kind":"view","item":"a"}"#
    #expect(try server.ask("POST", "/api/v1/events", body: event).status == 200)
    let service = server.server.service
    service.health.note(Refusal(500, "corrupt", "page 7 is damaged"))
    // Both threads for jobs are taken, so that it is told to stop before it begins.
    let mayEnd = Mutex(false)
    for _ in 0..<2 {
      _ = try service.jobs.begin("verify", writes: false) { progress in
        while !mayEnd.withLock({ $0 }), progress.isWanted(1, of: 3) { ShortPause.take() }
        return progress.isWanted(1, of: 3) ? [] : nil
      }
    }
    let begun = try server.object(try server.ask("POST", "/api/v1/verify", body: "{}"))
    let id = try #require(begun["job"] as? String)
    #expect(try server.ask("DELETE", "/api/v1/jobs/\(id)").status == 200)
    mayEnd.withLock { $0 = true }
    while service.jobs.isBusy { ShortPause.take() }
    let job = try #require(service.jobs.job(id))
    #expect(job.state == .cancelled && job.result == nil)
    #expect(service.metrics.verified == nil)
    #expect(try server.ask("GET", "/readyz").status == 503)
    // One that is done has done all.
    #expect(service.jobs.list().filter { $0.state == .done }.map(\.done) == [3, 3])
  }
}
