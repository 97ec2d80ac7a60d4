import Cairn
import CairnServer
import Foundation
import TestSupport
import Testing

/// `POST /api/v1/import/FORMAT`.
@Suite struct ImportTests {
  private let history = "#1700000000\nls -la\n#1700000060\ngit status\n#1700000120\nls -la\n"

  private func take(
    _ server: TestServer, _ format: String, _ body: String,
    type: String = "application/octet-stream"
  ) throws -> HTTPClient.Answer {
    try server.ask("POST", "/api/v1/import/\(format)", body: body, type: type)
  }

  private func hasScratch(_ server: TestServer) -> Bool {
    let path = server.directory + "/serve.scratch"
    return (try? FileManager.default.contentsOfDirectory(atPath: path).isEmpty) == false
  }

  @Test func `a history comes in once, in the order of time`() throws {
    let server = try TestServer()
    let first = try server.object(try take(server, "bash?host=h&home=/home/u", history))
    #expect(first["accepted"] as? Int == 3)
    #expect(first["firstSequence"] as? Int == 1)
    #expect(first["lastSequence"] as? Int == 3)
    let again = try server.object(try take(server, "bash?host=h&home=/home/u", history))
    #expect(again["accepted"] as? Int == 0)
    #expect(again["duplicates"] as? Int == 3)
    #expect(try server.server.store.at().search("git status").count == 1)
    #expect(!hasScratch(server))
  }

  @Test func `what retention took does not come back with the next import`() throws {
    let server = try TestServer()
    #expect(try server.object(try take(server, "bash", history))["accepted"] as? Int == 3)
    let store = server.server.store
    try store.addRetentionRule(.init(keeping: .days(30)))
    _ = try store.applyRetention()
    let again = try server.object(try take(server, "bash", history))
    #expect(again["accepted"] as? Int == 0)
    #expect(try store.at().items().isEmpty)
  }

  @Test func `events of another store come back as they were, as lines and as a table`() throws {
    let server = try TestServer { $0.service.watchMode = .open }
    for number in 0..<30 {
      let title = #"title \#(number), \"quoted\" and, more"#
      let body =
        #"{"kind":"index","item":"i\#(number)","domain":"a.b","attributes":{"title":"\#(title)"}}"#
      #expect(try server.ask("POST", "/api/v1/events", body: body).status == 200)
    }
    let items = try server.ask("GET", "/api/v1/items").text
    for (format, type) in [("ndjson", "application/x-ndjson"), ("csv", "text/csv")] {
      let other = try TestServer()
      let export = try server.ask("GET", "/api/v1/export?format=\(format)").text
      for accepted in [30, 0] {
        let answer = try server.object(try take(other, format, export, type: type))
        #expect(answer["accepted"] as? Int == accepted)
        #expect(answer["duplicates"] as? Int == 30 - accepted)
      }
      #expect(try other.ask("GET", "/api/v1/items").text == items)
    }
  }

  @Test func `lines without ids are told again, and equal ones stay two events`() throws {
    let server = try TestServer()
    let line = #"{"kind":"view","item":"a","time":"2026-01-01T00:00:00Z"}"#
    let body = [line, line, "", "junk", line].joined(separator: "\n")
    let first = try server.object(try take(server, "ndjson", body))
    #expect(first["accepted"] as? Int == 3)
    let rejects = try #require(first["rejects"] as? [[String: Any]])
    #expect(rejects.map { $0["line"] as? Int } == [4])
    let again = try server.object(try take(server, "ndjson", body + "\n" + line))
    #expect(again["accepted"] as? Int == 1)
    #expect(again["duplicates"] as? Int == 3)
  }

  @Test func `rules hold for what other programs kept`() throws {
    let server = try TestServer()
    let rules = #"""
      {"rules":[{"field":"item","match":"status","action":"drop"},
        {"field":"title","match":"^ls","action":"redact","with":"listed"}]}
      """#
    #expect(try server.ask("PUT", "/api/v1/rules", body: rules).status == 200)
    for accepted in [3, 1] {
      let answer = try server.object(try take(server, "bash?host=h&home=/home/u", history))
      // What a rule drops is told as taken, each time.
      #expect(answer["accepted"] as? Int == accepted)
      #expect(answer["rejected"] as? Int == 0)
    }
    #expect(try server.server.store.at().sequence == 2)
    #expect(try server.server.store.at().search("status").isEmpty)
    #expect(try server.server.store.at().search("listed").count == 1)
    let times = try server.server.store.events().compactMap { $0.event.time?.seconds }
    #expect(times == [1_700_000_000, 1_700_000_120])
  }

  @Test func `what is no such history is refused, and why is said without its words`() throws {
    let server = try TestServer()
    for (format, body, status) in [
      ("nothing", "x", 404), ("chromium", "secret words", 400), ("git", "secret words", 400),
      ("csv", "secret,words\n1,2\n", 400), ("archive", "secret words", 400),
      ("bash?timezone=Nowhere", history, 400), ("bash?unknown=1", history, 400),
    ] {
      let answer = try take(server, format, body)
      #expect(answer.status == status, "\(format)")
      #expect(!answer.text.contains("secret"))
    }
    for type in [
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
    ] {
      #expect(try take(server, "bash", history, type: type).status == 415)
    }
    #expect(try server.server.store.at().sequence == 0)
    #expect(!hasScratch(server))
  }

  @Test func `events heed what is excluded, and a time that is none is refused`() throws {
    let lines = """
      {"kind":"view","item":"bank","domain":"web","time":"2026-01-01T00:00:00Z"}
      {"kind":"view","item":"note","domain":"notes","time":"2020-01-01T00:00:00Z"}
      """
    let table = """
      kind,item,domain,time
      view,bank,web,2026-01-01T00:00:00Z
      view,note,notes,2020-01-01T00:00:00Z
      """
    for (format, body) in [("ndjson", lines), ("cloudevents", lines), ("csv", table)] {
      for choice in ["except=ban", "only=notes"] {
        let server = try TestServer()
        let answer = try server.object(try take(server, "\(format)?\(choice)", body))
        #expect(answer["accepted"] as? Int == 1, "\(format) \(choice)")
        #expect(try server.ask("GET", "/api/v1/export").text.contains("\"note\""))
      }
      let server = try TestServer()
      let recent = try server.object(try take(server, "\(format)?since=2025-01-01", body))
      #expect(recent["accepted"] as? Int == 1, "\(format)")
      #expect(try take(server, "\(format)?since=gestern", body).status == 400)
      #expect(try take(server, "\(format)?host=other", body).status == 400)
    }
  }

  @Test func `a table with bytes that are no UTF-8 loses those rows alone`() throws {
    let server = try TestServer()
    let parts = ["kind,item,title\nindex,a,Foo", "\nindex,b,c\n"].map { Array($0.utf8) }
    let body = parts[0] + [0xE9] + parts[1]
    let client = try server.client()
    let head = server.request(
      "POST", "/api/v1/import/csv",
      headers: [
        "Content-Type": "application/octet-stream", "Content-Length": "\(body.count)",
      ])
    client.send(Array(head.utf8) + body)
    let answer = try server.object(try client.answer())
    #expect(answer["accepted"] as? Int == 1)
    let rejects = try #require(answer["rejects"] as? [[String: Any]])
    #expect(rejects.map { $0["line"] as? Int } == [2])
    #expect((rejects.first?["reason"] as? String)?.contains("UTF-8") == true)
  }

  @Test func `a body that is too large is refused before it is sent`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(
      server.request(
        "POST", "/api/v1/import/bash",
        headers: ["Content-Type": "application/octet-stream", "Content-Length": "10737418240"]))
    #expect(try client.answer().status == 413)
    #expect(client.isClosed())
  }

  @Test func `only one import runs at a time, and one that goes away frees the place`() throws {
    let server = try TestServer()
    var client: HTTPClient? = try server.client()
    client?.send(
      server.request(
        "POST", "/api/v1/import/bash",
        headers: [
          "Content-Type": "application/octet-stream", "Content-Length": "1000",
          "Expect": "100-continue",
        ]))
    // The body is wanted: the import has begun.
    #expect(try client?.head().status == 100)
    client?.send("#17000")
    func isTaken() throws -> Bool { try take(server, "bash", history).status == 503 }
    #expect(try isTaken())
    client = nil
    while try isTaken() {}
    #expect(try server.server.store.at().sequence == 3)
    #expect(!hasScratch(server))
  }

  @Test func `a server that ends answers nothing while it reads a history`() throws {
    let server = try TestServer()
    server.server.service.stop()
    let client = try server.client()
    client.send(
      server.request("POST", "/api/v1/import/bash", body: history, type: "application/octet-stream")
    )
    #expect(client.line() == nil)
    #expect(try server.server.store.at().sequence == 0)
  }

  @Test func `a token has to allow writing, and a server that only reads takes nothing`() throws {
    let server = try TestServer()
    let file = TokenFile(directory: server.directory)
    for (scope, status) in [(Scope.ingest, 403), (.read, 403), (.write, 200)] {
      let token = try file.add("t\(scope.rawValue)", scope)
      server.server.service.tokens.forget()
      let answer = try server.ask(
        "POST", "/api/v1/import/bash", body: history, type: "application/octet-stream",
        headers: ["Authorization": "Bearer \(token)"])
      #expect(answer.status == status)
    }
  }

  @Test(.enabled(if: SharedData.has("importers"), "needs ../shared/data/importers"))
  func `a database comes in`() throws {
    let folder = SharedData.folder.appending(path: "importers/chromium")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(names.filter { !$0.hasSuffix(".jsonl") }.sorted().first)
    let bytes = try Data(contentsOf: folder.appending(path: name))
    let server = try TestServer()
    let client = try server.client()
    client.send(
      server.request(
        "POST", "/api/v1/import/chromium",
        headers: [
          "Content-Type": "application/octet-stream", "Content-Length": String(bytes.count),
        ]))
    client.send(Array(bytes))
    let answer = try client.answer()
    #expect(answer.status == 200)
    #expect(try server.object(answer)["accepted"] as? Int ?? 0 > 0)
    #expect(!hasScratch(server))
  }
}
