import Cairn
import CairnServer
import Foundation
import Testing

/// Starting, addresses and health (§1 and §7 of the contract).
@Suite struct OperationTests {
  @Test(arguments: [
    "127.0.0.1:0", "[::1]:22476", "localhost:1", "unix:/tmp/a.sock",
  ]) func `addresses of this machine are taken`(text: String) throws {
    #expect(try #require(ListenAddress(text)).isLocal)
  }

  @Test(arguments: ["", ":1", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", "::1:1", "unix:"])
  func `what is no address is refused`(text: String) { #expect(ListenAddress(text) == nil) }

  @Test func `an address that others can reach needs a name`() throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "server-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var plan = Server.Plan(directory: directory)
    plan.addresses = [.ip(host: "0.0.0.0", port: 0)]
    #expect(throws: CairnError.self) { _ = try Server(plan) }
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test func `a store has one server, and an address too`() throws {
    let server = try TestServer()
    var second = Server.Plan(directory: server.directory)
    second.addresses = [.ip(host: "127.0.0.1", port: 0)]
    let taken = #expect(throws: CairnError.self) { _ = try Server(second) }
    #expect(taken?.code == .busy)
    let other = try TestServer()
    var sameAddress = Server.Plan(directory: other.directory + "-x")
    sameAddress.addresses = server.server.addresses
    let busy = #expect(throws: CairnError.self) { _ = try Server(sameAddress) }
    #expect(busy?.code == .busy)
    try? FileManager.default.removeItem(atPath: other.directory + "-x")
  }

  @Test func `over a Unix socket the same user needs no token`() throws {
    let path = "/tmp/cairn-\(UUID().uuidString.prefix(8)).sock"
    let server = try TestServer { $0.addresses.append(.unix(path: path)) }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let client = try HTTPClient(path: path)
    client.send("GET /api/v1/info HTTP/1.1\r\nHost: anything\r\n\r\n")
    let answer = try client.answer()
    #expect(answer.status == 200)
    #expect(answer.text.contains("\"scope\":\"admin\""))
    // A socket that a living server holds is not taken from it.
    var second = Server.Plan(directory: server.directory + "-y")
    second.addresses = [.unix(path: path)]
    let busy = #expect(throws: CairnError.self) { _ = try Server(second) }
    #expect(busy?.code == .busy)
    try? FileManager.default.removeItem(atPath: server.directory + "-y")
    server.server.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `metrics count, and name nothing of the history`() throws {
    let server = try TestServer()
    let event =
      #"{"kind":"index","item":"canary","domain":"canary.x","attributes":{"title":"canary"}}"#
    _ = try server.ask("POST", "/api/v1/events", body: event)
    _ = try server.ask("GET", "/api/v1/search?q=canary")
    _ = try server.ask("GET", "/canary")
    let page = try server.ask("GET", "/metrics")
    #expect(page["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    #expect(page.text.contains("cairn_appended_events_total 1\n"))
    #expect(page.text.contains("{route=\"/api/v1/search\",method=\"GET\",status=\"200\"} 1\n"))
    #expect(page.text.contains("{route=\"none\",method=\"GET\",status=\"404\"} 1\n"))
    #expect(!page.text.contains("canary"))
    #expect(try server.ask("GET", "/metrics", headers: ["Authorization": ""]).status == 401)
    #expect(try server.ask("GET", "/readyz", headers: ["Authorization": ""]).status == 200)
  }

  @Test func `assistants are answered where that was asked for`() throws {
    let body = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    let server = try TestServer { $0.service.hasAssistants = true }
    let answer = try server.ask("POST", "/mcp", body: body)
    #expect(answer.status == 200)
    #expect(answer.text.contains("search_history"))
    #expect(
      try server.ask("POST", "/mcp", body: body, headers: ["Origin": "https://evil.example"]).status
        == 403)
    #expect(try TestServer().ask("POST", "/mcp", body: body).status == 404)
  }
}
