import Cairn
import CairnServer
import Foundation
import TestSupport
import Testing

/// Starting, addresses and health.
@Suite struct OperationTests {
  @Test(arguments: [
    "127.0.0.1:0", "[::1]:22476", "localhost:1", "unix:/tmp/a.sock",
  ]) func `addresses of this machine are taken`(text: String) throws {
    #expect(try #require(ListenAddress(text)).isLocal)
  }

  @Test(arguments: ["127.0.0.2:0", "0.0.0.0:0", "[::]:0", "example:1"])
  func `addresses by whose names nobody is answered need one`(text: String) throws {
    #expect(try !#require(ListenAddress(text)).isLocal)
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

  @Test func `names and origins that nobody calls are refused before anything is made`() throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "server-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    func refuses(_ change: (inout Server.Plan) -> Void) {
      var plan = Server.Plan(directory: directory)
      plan.addresses = [.ip(host: "127.0.0.1", port: 0)]
      change(&plan)
      let asked = plan
      let error = #expect(throws: CairnError.self) { _ = try Server(asked) }
      #expect(error?.code == .badArgument)
    }
    for name in ["", "history.example:443", "a:b", "::1", "a b", "history.example/", "*", "*.b"] {
      refuses { $0.service.allowedHosts = ["good.example", name] }
    }
    for origin in ["", "page.example", "https://page.example/", "HTTPS://page.example:443", "*"] {
      refuses { $0.service.allowedOrigins = ["https://good.example:8443", origin] }
    }
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test func `a token that cannot be written is told by the file that was named`() throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "server-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let file = TokenFile(directory: directory, path: directory + "/none/token")
    let error = #expect(throws: CairnError.self) { _ = try file.owner() }
    #expect(error?.place == directory + "/none/token")
    // Nor is a store made for it.
    var plan = Server.Plan(directory: directory)
    plan.tokenPath = file.path
    #expect(throws: CairnError.self) { _ = try Server(plan) }
    #expect(!FileManager.default.fileExists(atPath: directory))
    // One that goes into the store is made with it.
    plan.directory = directory + "/./"
    plan.tokenPath = directory + "/token"
    plan.addresses = [.ip(host: "127.0.0.1", port: 0)]
    try Server(plan).stop()
    #expect(FileManager.default.fileExists(atPath: directory + "/token"))
  }

  @Test func `tokens that cannot be read keep out just those who need them, until they can be`()
    throws
  {
    let server = try TestServer()
    let reader = try TokenFile(directory: server.directory).add("reader", .read)
    server.server.service.tokens.forget()
    let path = server.directory + "/serve.tokens"
    let whole = try Data(contentsOf: URL(filePath: path))
    func write(_ data: Data) throws {
      try data.write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      server.server.service.tokens.forget()
    }
    func status(_ target: String, _ token: String) throws -> Int {
      try server.ask("GET", target, headers: ["Authorization": "Bearer \(token)"]).status
    }
    #expect(try status("/api/v1/info", reader) == 200)
    try write(whole + Data("no token\n".utf8))
    var told: [String] = []
    for _ in 0..<2 {
      #expect(try status("/api/v1/info", reader) == 500)
      for target in ["/api/v1/info", "/settings"] {
        #expect(try status(target, server.token) == 200)
      }
      #expect(try status("/healthz", "") == 200)
      #expect(try server.post("token=wrong", to: "/login").status == 500)
      let ready = try server.ask("GET", "/readyz", headers: ["Authorization": ""])
      #expect(ready.status == 503)
      told.append(ready.text)
    }
    #expect(told[0] == told[1])
    try write(whole)
    #expect(try status("/api/v1/info", reader) == 200)
    #expect(try status("/readyz", "") == 200)
  }

  @Test func `damage is told in the same words however often it is asked for`() throws {
    let server = try TestServer()
    server.server.service.health.note(Refusal(500, "corrupt", "a page is damaged"))
    let first = try server.ask("GET", "/readyz")
    #expect(first.status == 503)
    #expect(first.text.contains("the store is damaged: a page is damaged"))
    #expect(try server.ask("GET", "/readyz").text == first.text)
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
    // A request is counted after its answer is sent.
    var page = try server.ask("GET", "/metrics")
    let isWhole = {
      ["none", "/api/v1/search"].allSatisfy { page.text.contains("route=\"\($0)\"") }
    }
    for _ in 0..<1_000 where !isWhole() {
      page = try server.ask("GET", "/metrics")
    }
    #expect(page["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    #expect(page.text.contains("cairn_appended_events_total 1\n"))
    #expect(page.text.contains("{route=\"/api/v1/search\",method=\"GET\",status=\"200\"} 1\n"))
    #expect(page.text.contains("{route=\"none\",method=\"GET\",status=\"404\"} 1\n"))
    #expect(!page.text.contains("canary"))
    #expect(try server.ask("GET", "/metrics", headers: ["Authorization": ""]).status == 401)
    #expect(try server.ask("GET", "/readyz", headers: ["Authorization": ""]).status == 200)
  }

  @Test func `a request that found every thread taken is counted, too`() throws {
    let server = try TestServer()
    let waiting = try (0..<128).map { _ in
      let client = try server.client()
      client.send(server.request("GET", "/api/v1/events?wait=60"))
      return client
    }
    while server.server.service.openCount < waiting.count {}
    #expect(try server.ask("GET", "/api/v1/events?wait=1").status == 503)
    let page = try server.ask("GET", "/metrics").text
    #expect(page.contains("{route=\"/api/v1/events\",method=\"GET\",status=\"503\"} 1\n"))
  }

  @Test func `metrics tell of latencies, drops, consumers and the last verification`() throws {
    let server = try TestServer { $0.service.watchMode = .open }
    _ = try server.ask("PUT", "/api/v1/consumers/canary", body: #"{"after":0}"#)
    let hidden = #"{"kind":"view","item":"a","attributes":{"incognito":true}}"#
    _ = try server.ask("POST", "/api/v1/events", body: hidden)
    _ = try server.ask("POST", "/api/v1/events", body: #"{"kind":"view","item":"a"}"#)
    let job = try server.object(try server.ask("POST", "/api/v1/verify", body: "{}"))
    let path = "/api/v1/jobs/\(try #require(job["job"] as? String))"
    while try server.object(try server.ask("GET", path))["state"] as? String == "running" {}
    let page = try server.ask("GET", "/metrics").text
    for line in [
      "cairn_dropped_events_total 1\n", "cairn_appended_events_total 1\n",
      "cairn_consumer_lag{consumer=\"1\"} 1\n", "cairn_queued_requests 0\n", "cairn_head 1\n",
      "cairn_request_seconds_count{route=\"/api/v1/events\"} 2\n", "cairn_last_verify_seconds ",
      "cairn_projection_lag{projection=", "cairn_disk_free_bytes ", "cairn_jobs_running 0\n",
      "cairn_feed_drops_total 0\n", "cairn_store_bytes ", "cairn_connections ",
    ] { #expect(page.contains(line), "\(line)") }
    #expect(!page.contains("canary"))
  }

  @Test func `a link lets one browser in, once`() throws {
    let server = try TestServer()
    let link = try #require(server.server.loginLink())
    let base = "http://127.0.0.1:\(server.port)"
    #expect(link.hasPrefix(base + "/login?key="))
    let path = String(link.dropFirst(base.count))
    func ask(_ method: String) throws -> HTTPClient.Answer {
      try server.ask(method, path, headers: ["Authorization": ""])
    }
    // Who only looks does not use it up.
    #expect(try ask("HEAD").status == 401)
    let first = try ask("GET")
    #expect(first.status == 303)
    #expect(first["Location"] == "/")
    let cookie = try #require(first["Set-Cookie"]?.split(separator: ";").first)
    #expect(first["Set-Cookie"]?.contains("HttpOnly; SameSite=Strict") == true)
    let inside = try server.ask(
      "GET", "/",
      headers: ["Authorization": "", "Cookie": String(cookie), "Sec-Fetch-Site": "none"])
    #expect(inside.status == 200)
    let again = try ask("GET")
    #expect(again.status == 401)
    #expect(again["Set-Cookie"] == nil)
    #expect(try server.ask("GET", "/login?key=x", headers: ["Authorization": ""]).status == 401)
  }

  @Test func `a link is good for two minutes`() {
    let links = LoginLinks()
    let start = ContinuousClock.now
    let (first, second) = (links.make(now: start), links.make(now: start))
    #expect(links.use(first, now: start + .seconds(119)))
    #expect(!links.use(first, now: start + .seconds(119)))
    #expect(!links.use(second, now: start + .seconds(120)))
  }

  @Test func `health tells of a stuck writer, damage and a full disk, until they are over`() {
    let health = StoreHealth()
    let start = ContinuousClock.now
    func problem(_ seconds: Int, free: UInt64 = 1 << 30) -> String? {
      health.problem(freeByteCount: free, now: start + .seconds(seconds))?.code
    }
    health.noteWriter(isBusy: true, head: 5, now: start)
    health.noteWriter(isBusy: true, head: 5, now: start + .seconds(20))
    #expect(problem(30) == nil)
    #expect(problem(31) == "busy")
    // Somebody writes: that is no harm.
    health.noteWriter(isBusy: true, head: 6, now: start + .seconds(32))
    #expect(problem(60) == nil)
    health.noteWriter(isBusy: false, head: 6, now: start + .seconds(61))
    #expect(problem(600) == nil)
    health.note(Refusal(507, "diskFull", "full"))
    #expect(problem(0, free: 4_096) == "diskFull")
    health.noteAppended()
    #expect(problem(0, free: 4_096) == nil)
    health.note(Refusal(507, "diskFull", "full"))
    #expect(problem(0) == nil)
    health.note(Refusal(500, "corrupt", "page 7 is damaged"))
    health.note(Refusal(400, "badArgument", "no"))
    #expect(problem(0) == "corrupt")
    health.noteSound()
    #expect(problem(0) == nil)
  }

  @Test func `where nobody can listen is told in the system's words`() throws {
    let listener = Listener { _ in .request }
    defer { listener.shutDown() }
    let path = "/tmp/cairn-none-\(UUID().uuidString.prefix(8))/s"
    let error = #expect(throws: CairnError.self) { _ = try listener.listen(at: .unix(path: path)) }
    #expect(error?.message == "cannot be listened at: No such file or directory")
    #expect(error?.place == "unix:\(path)")
  }

  @Test func `a store that was removed or replaced gets and gives nothing`() throws {
    let server = try TestServer { $0.service.watchMode = .open }
    let event = #"{"kind":"view","item":"a"}"#
    #expect(try server.ask("POST", "/api/v1/events", body: event).status == 200)
    let moved = server.directory + "-moved"
    defer { try? FileManager.default.removeItem(atPath: moved) }
    try FileManager.default.moveItem(atPath: server.directory, toPath: moved)
    func expectMissing() throws {
      for (method, path, body) in [
        ("POST", "/api/v1/events", event), ("GET", "/api/v1/info", nil), ("GET", "/", nil),
        ("GET", "/metrics", nil),
        ("POST", "/api/0/buckets/w", #"{"client":"t","type":"x","hostname":"h"}"#),
      ] as [(String, String, String?)] {
        let answer = try server.ask(method, path, body: body)
        #expect(answer.status == 500)
        #expect(answer.text.contains("removed or replaced"))
      }
      #expect(try server.ask("GET", "/readyz").status == 503)
      #expect(try server.ask("GET", "/healthz").status == 200)
    }
    try expectMissing()
    let other = try Store.open(at: server.directory)
    try expectMissing()
    server.server.stop()
    #expect(try other.at().sequence == 0)
    other.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: server.directory)
    #expect(!names.contains { $0.hasPrefix("serve.") })
  }

  /// What stood on the page is refused, the rest is answered, and nothing crashes: LMDB would.
  @Test(arguments: ["log.mdb", "view-1.mdb"])
  func `a page that is overwritten beneath it ends no server`(name: String) throws {
    let server = try TestServer(filledBy: { store in
      try store.appendBlocking(
        (0..<400).map { number in
          let text = String(repeating: "sea \(number) ", count: number)
          return .index(
            "note:\(number)",
            attributes: ["title": .string("harbour \(number)"), "textContent": .string(text)])
        })
    })
    let file = try FileHandle(forUpdating: URL(filePath: server.directory + "/" + name))
    var random = SeededGenerator(seed: 25)
    let targets = [
      "events?limit=1000", "events/7", "items?limit=1000", "item?id=note:9", "search?q=harbour",
      "top", "timeline", "stats", "domains?sizes=true", "diff?from=1&to=head", "checkpoint",
    ]
    var refusedCount = 0
    for page in 2..<(try file.seekToEnd() / 4_096) {
      try file.seek(toOffset: page * 4_096)
      let sound = try #require(try file.read(upToCount: 4_096))
      try file.seek(toOffset: page * 4_096)
      try file.write(contentsOf: Data(random.bytes(4_096)))
      for target in targets {
        let answer = try server.ask("GET", "/api/v1/\(target)")
        guard answer.status != 200 else { continue }
        #expect(try server.code(answer) == "corrupt", "page \(page), \(target)")
        refusedCount += 1
      }
      try file.seek(toOffset: page * 4_096)
      try file.write(contentsOf: sound)
    }
    #expect(refusedCount > 0)
    #expect(try server.ask("GET", "/readyz").status == 503)
    #expect(try server.ask("GET", "/api/v1/events?limit=1000").status == 200)
  }

  /// The command refuses a small log that is damaged; a server that was started anew says so as one
  /// that runs does, and serves the rest.
  @Test func `a store of which a page was overwritten is served but for that`() throws {
    let name = "server-\(UUID().uuidString)"
    let directory = FileManager.default.temporaryDirectory.appending(path: name).path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let store = try Store.open(at: directory)
    try store.appendBlocking(
      (0..<400).map { number in
        let text = String(repeating: "sea \(number) ", count: number)
        return .index("note:\(number)", attributes: ["textContent": .string(text)])
      })
    store.close()
    let file = try FileHandle(forUpdating: URL(filePath: directory + "/log.mdb"))
    var random = SeededGenerator(seed: 26)
    var (startedCount, refusedCount) = (0, 0)
    let lastPage = try file.seekToEnd() / 4_096
    for page in stride(from: 2, to: lastPage, by: 5) {
      try file.seek(toOffset: page * 4_096)
      let sound = try #require(try file.read(upToCount: 4_096))
      try file.seek(toOffset: page * 4_096)
      // A page of another place has a sound form: a list of free pages may then name some in use.
      try file.seek(toOffset: (page + 64) % lastPage * 4_096)
      let other = try #require(try file.read(upToCount: 4_096))
      try file.seek(toOffset: page * 4_096)
      try file.write(contentsOf: page % 2 == 0 ? Data(random.bytes(4_096)) : other)
      let damaged = try Data(contentsOf: URL(filePath: directory + "/log.mdb"))
      var plan = Server.Plan(directory: directory)
      plan.addresses = [.ip(host: "127.0.0.1", port: 0)]
      plan.service.logLevel = .off
      // Where nothing can be found any more there is nothing to serve.
      if let server = try? Server(plan) {
        defer { server.stop() }
        startedCount += 1
        guard case .ip(_, let port)? = server.addresses.first else { continue }
        let token = try TokenFile(directory: directory).owner()
        func ask(_ target: String, posting body: String? = nil) throws -> HTTPClient.Answer {
          let client = try HTTPClient(port: port)
          let method = body == nil ? "GET" : "POST"
          client.send(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
              + "Content-Type: application/json\r\nContent-Length: \(body?.utf8.count ?? 0)\r\n\r\n"
              + (body ?? ""))
          return try client.answer()
        }
        if try ask("/readyz").status == 503 {
          refusedCount += 1
          let posted = try ask("/api/v1/events", posting: #"{"kind":"view","item":"note:1"}"#)
          #expect(posted.status == 500 && posted.text.contains("corrupt"))
          #expect(try Data(contentsOf: URL(filePath: directory + "/log.mdb")) == damaged)
        }
        #expect(try ask("/healthz").status == 200)
        let found = try ask("/api/v1/items?limit=1000")
        #expect(found.status == 200 || found.text.contains("corrupt"))
      }
      try file.seek(toOffset: page * 4_096)
      try file.write(contentsOf: sound)
    }
    #expect(startedCount > 0 && refusedCount > 0)
  }

  @Test func `damage that a request meets is told by readyz`() throws {
    let server = try TestServer()
    #expect(try server.ask("GET", "/readyz").status == 200)
    server.server.service.health.note(Refusal(500, "corrupt", "page 7 is damaged"))
    let answer = try server.ask("GET", "/readyz")
    #expect(answer.status == 503)
    #expect(try server.code(answer) == "corrupt")
    #expect(try server.ask("GET", "/healthz").status == 200)
  }
}
