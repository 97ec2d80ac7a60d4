import Cairn
import CairnServer
import Foundation
import Glibc
import TestSupport
import Testing

/// A disk without room for the projections.
@Suite(.enabled(if: SmallDisk.isAllowed, "needs the right to mount"), .serialized)
struct FullDiskTests {
  private static func events(_ count: Int) -> String {
    let text = String(repeating: "word ", count: 200)
    let events = (0..<count).map { _ in
      let item = UInt32.random(in: 0 ... .max)
      return #"{"kind":"index","item":"i\#(item)","attributes":{"textContent":"\#(text)\#(item)"}}"#
    }
    return #"{"events":[\#(events.joined(separator: ","))]}"#
  }

  @Test func `reads go on with what is acknowledged, and nothing is told wrong`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    let disk = folder + "/disk"
    #expect(SmallDisk.mount(disk, byteCount: 64 << 20))
    defer {
      #expect(SmallDisk.unmount(disk))
      try? FileManager.default.removeItem(atPath: folder)
    }
    let path = folder + "/store"
    let server = try TestServer(at: path) { _ in
      // The projections alone are on the small disk.
      try? FileManager.default.moveItem(
        atPath: path + "/view-1.mdb", toPath: disk + "/view-1.mdb")
      try? FileManager.default.createSymbolicLink(
        atPath: path + "/view-1.mdb", withDestinationPath: disk + "/view-1.mdb")
    } filledBy: { store in
      try store.appendBlocking([Event(kind: .index, item: "early", domain: .value("d"))])
    }
    var status = statvfs()
    let result = unsafe statvfs(disk, &status)
    #expect(result == 0)
    let used = Int((status.f_blocks - status.f_bfree) * status.f_frsize)
    #expect(SmallDisk.resize(disk, byteCount: used + 65_536))
    let store = server.server.store
    for _ in 0..<100 where store.projectionFailure == nil {
      #expect(try server.ask("POST", "/api/v1/events", body: Self.events(200)).status == 200)
    }
    #expect(store.projectionFailure?.code == .diskFull)
    let late = #"{"kind":"index","item":"late","domain":"d.e","attributes":{"title":"Late"}}"#
    let answer = try server.object(try server.ask("POST", "/api/v1/events", body: late))
    let head = try #require(answer["lastSequence"] as? Int)
    #expect((answer["projectionFailure"] as? String)?.contains("view-1.mdb") == true)
    _ = try server.ask("POST", "/api/v1/events", body: #"{"kind":"view","item":"late"}"#)

    func rows(_ query: String) throws -> [Int] {
      let answer = try server.ask("GET", "/api/v1/events?\(query)")
      #expect(answer.status == 200, "\(query)")
      let rows = try server.object(answer)["rows"] as? [[String: Any]] ?? []
      return rows.compactMap { $0["sequence"] as? Int }
    }
    #expect(try server.object(try server.ask("GET", "/api/v1/info"))["head"] as? Int == head + 1)
    #expect(try rows("item=late") == [head, head + 1])
    #expect(try rows("item=late&reverse=true&limit=1") == [head + 1])
    #expect(try rows("kind=view") == [head + 1])
    #expect(try rows("domain=d") == [1, head, head + 1])
    #expect(try rows("domain=d.e&reverse=true") == [head + 1, head])
    #expect(try rows("item=early") == [1])
    #expect(try server.ask("GET", "/api/v1/events/\(head)").status == 200)
    #expect(try server.ask("GET", "/api/v1/checkpoint").text.contains("\n\(head + 1)\n"))
    #expect(try server.ask("GET", "/api/v1/item?id=early").status == 200)
    #expect(try server.ask("GET", "/api/v1/item?id=nothing").status == 404)
    let unknown = try server.ask("GET", "/api/v1/item?id=late")
    #expect(unknown.status == 507)
    #expect(try server.code(unknown) == "diskFull")
    let named = try server.ask("POST", "/api/v1/snapshots", body: #"{"name":"s"}"#)
    #expect(named.status == 507)
    #expect(try server.ask("GET", "/api/v1/snapshots/s").status == 404)

    #expect(SmallDisk.resize(disk, byteCount: 64 << 20))
    #expect(
      try server.ask("POST", "/api/v1/snapshots", body: #"{"name":"s"}"#).text
        .contains("\"sequence\":\(head + 1),"))
    #expect(try server.ask("GET", "/api/v1/item?id=late").status == 200)
    #expect(try rows("domain=d") == [1, head, head + 1])
    #expect(store.projectionFailure == nil)
    let found = try server.object(try server.ask("POST", "/api/v1/events", body: late))
    #expect(found["projectionFailure"] == nil)
  }
}
