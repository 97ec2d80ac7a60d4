import CairnServer
import Foundation
import Testing

/// Who may ask, from where, and in which form.
@Suite struct RuleTests {
  @Test func `a token is needed, and allows what its scope says`() throws {
    let server = try TestServer()
    let tokens = TokenFile(directory: server.directory)
    let reader = try tokens.add("reader", .read)
    let ingester = try tokens.add("watcher", .ingest)
    let writer = try tokens.add("writer", .write)
    server.server.service.tokens.forget()
    let event = #"{"kind":"view","item":"a","attributes":{"title":"A"}}"#
    func status(_ method: String, _ target: String, _ token: String) throws -> Int {
      try server.ask(
        method, target, body: method == "POST" ? event : nil,
        headers: ["Authorization": token.isEmpty ? "" : "Bearer \(token)"]
      ).status
    }
    let refused = try server.ask("GET", "/api/v1/info", headers: ["Authorization": ""])
    #expect(refused.status == 401)
    #expect(refused["WWW-Authenticate"] == "Bearer")
    #expect(try status("GET", "/api/v1/info", "wrong") == 401)
    #expect(try status("GET", "/api/v1/info", reader) == 200)
    #expect(try status("POST", "/api/v1/events", reader) == 403)
    #expect(try status("POST", "/api/v1/events", ingester) == 200)
    #expect(try status("GET", "/api/v1/info", ingester) == 403)
    // Whole readings of the log are for who may do all.
    for target in ["/api/v1/verify", "/api/v1/rules/preview"] {
      #expect(try status("POST", target, reader) == 403)
      #expect(try status("POST", target, writer) == 403)
    }
    let search = try server.ask(
      "POST", "/api/v1/search", body: #"{"queries":[{"query":"a"}]}"#,
      headers: ["Authorization": "Bearer \(reader)"])
    #expect(search.status == 200)
    #expect(try tokens.remove("reader"))
    server.server.service.tokens.forget()
    #expect(try status("GET", "/api/v1/info", reader) == 401)
    #expect(try server.ask("GET", "/healthz", headers: ["Authorization": ""]).status == 200)
  }

  @Test func `the token's file is its owner's alone`() throws {
    let server = try TestServer()
    let path = server.directory + "/serve.token"
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(server.token.utf8.count == 43)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(throws: (any Error).self) { try TokenFile(directory: server.directory).owner() }
  }

  @Test(arguments: ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil:80"])
  func `another name is refused before anything else`(host: String) throws {
    let server = try TestServer()
    let answer = try server.ask(
      "GET", "/nowhere", headers: ["Host": host, "Authorization": ""])
    #expect(answer.status == 400)
    #expect(try server.code(answer) == "host")
  }

  @Test func `two names are refused, and any port is fine`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n")
    #expect(try client.answer().status == 400)
    #expect(try server.ask("GET", "/healthz", headers: ["Host": "localhost:1"]).status == 200)
    #expect(try server.ask("GET", "/healthz", headers: ["Host": "[::1]"]).status == 200)
  }

  @Test func `pages of other origins are refused whatever they send`() throws {
    let server = try TestServer { $0.service.allowedOrigins = ["https://Friend.example"] }
    let own = "http://127.0.0.1:\(server.port)"
    for method in ["GET", "POST", "DELETE"] {
      let answer = try server.ask(
        method, "/api/v1/snapshots", headers: ["Origin": "https://evil.example"])
      #expect(answer.status == 403)
      #expect(try server.code(answer) == "origin")
    }
    #expect(
      try server.ask("GET", "/api/v1/info", headers: ["Sec-Fetch-Site": "cross-site"]).status == 403
    )
    let mine = try server.ask("GET", "/api/v1/info", headers: ["Origin": own])
    #expect(mine.status == 200)
    #expect(mine["Access-Control-Allow-Origin"] == nil)
    let friend = try server.ask(
      "GET", "/api/v1/info", headers: ["Origin": "https://friend.example"])
    #expect(friend["Access-Control-Allow-Origin"] == "https://friend.example")
    #expect(friend["Access-Control-Allow-Credentials"] == nil)
    // It may read why it is refused, too.
    for (target, token, status) in [
      ("/api/v1/nothing", server.token, 404), ("/api/v1/info", "", 401),
    ] {
      let refused = try server.ask(
        "GET", target,
        headers: ["Origin": "https://friend.example", "Authorization": "Bearer \(token)"])
      #expect(refused.status == status)
      #expect(refused["Access-Control-Allow-Origin"] == "https://friend.example")
    }
    let asked = try server.ask(
      "OPTIONS", "/api/v1/info", headers: ["Origin": "https://friend.example"])
    #expect(asked["Access-Control-Allow-Headers"]?.contains("MCP-Protocol-Version") == true)
    let policies = friend.headers.filter { $0.name == "Cross-Origin-Resource-Policy" }
    #expect(policies.map(\.value) == ["same-origin"])
  }

  @Test(arguments: [
    ("localhost:443", "https://localhost", 200), ("localhost:80", "http://localhost", 200),
    ("[::1]:443", "https://[::1]", 200), ("localhost:443", "https://localhost:443", 200),
    ("localhost:443", "http://localhost", 403), ("localhost:80", "https://localhost", 403),
    ("localhost:8443", "https://localhost", 403), ("localhost", "https://localhost:8443", 403),
  ])
  func `an origin does not name its scheme's usual port, and Host may`(
    host: String, origin: String, status: Int
  ) throws {
    let answer = try TestServer().ask(
      "GET", "/api/v1/info", headers: ["Host": host, "Origin": origin])
    #expect(answer.status == status)
  }

  @Test func `a cookie counts on our own pages only`() throws {
    let server = try TestServer()
    let tokens = server.server.service.tokens
    let cookie = tokens.cookie(for: tokens.owner)
    func status(_ headers: [String: String]) throws -> Int {
      try server.ask(
        "GET", "/api/v1/info",
        headers: headers.merging(["Authorization": "", "Cookie": "cairn=\(cookie)"]) { $1 }
      ).status
    }
    #expect(try status(["Sec-Fetch-Site": "same-origin"]) == 200)
    #expect(try status(["Origin": "http://127.0.0.1:\(server.port)"]) == 200)
    #expect(try status([:]) == 401)
    #expect(try status(["Sec-Fetch-Site": "same-site"]) == 401)
    #expect(!cookie.contains(server.token))
    let forged = String(cookie.dropLast()) + (cookie.last == "A" ? "B" : "A")
    let answer = try server.ask(
      "GET", "/api/v1/info",
      headers: [
        "Authorization": "", "Cookie": "cairn=\(forged)", "Sec-Fetch-Site": "same-origin",
      ])
    #expect(answer.status == 401)
  }

  @Test func `a cookie ends with its token, also where another one has its name`() throws {
    let server = try TestServer()
    let file = TokenFile(directory: server.directory)
    let table = server.server.service.tokens
    let token = try file.add("phone", .read)
    table.forget()
    let cookie = table.cookie(for: try #require(try table.identity(of: token)))
    #expect(try table.identity(ofCookie: cookie)?.name == "phone")
    #expect(try file.remove("phone"))
    _ = try file.add("phone", .read)
    table.forget()
    #expect(try table.identity(ofCookie: cookie) == nil)
  }

  @Test func `another token with all rights counts once tokens are read anew`() throws {
    let server = try TestServer()
    let table = server.server.service.tokens
    let cookie = table.cookie(for: table.owner)
    #expect(try table.identity(ofCookie: cookie)?.name == "owner")
    try FileManager.default.removeItem(atPath: server.directory + "/serve.token")
    let fresh = try TokenFile(directory: server.directory).owner()
    table.forget()
    #expect(try table.identity(of: fresh)?.scope == .admin)
    #expect(try table.identity(of: server.token) == nil)
    #expect(try table.identity(ofCookie: cookie) == nil)
  }

  @Test func `a logout ends the cookie wherever it was copied to, and no other`() throws {
    let server = try TestServer()
    let own = ["Authorization": "", "Origin": "http://127.0.0.1:\(server.port)"]
    func logIn() throws -> String {
      let answer = try server.post("token=\(server.token)", to: "/login", headers: own)
      return try String(#require(answer["Set-Cookie"]?.split(separator: ";").first))
    }
    func with(_ cookie: String) -> [String: String] { own.merging(["Cookie": cookie]) { $1 } }
    func status(_ cookie: String) throws -> Int {
      try server.ask("GET", "/api/v1/info", headers: with(cookie)).status
    }
    let (copied, other) = (try logIn(), try logIn())
    #expect(copied != other)
    let feed = try server.client()
    feed.send(server.request("GET", "/api/v1/feed", headers: with(copied)))
    #expect(try feed.head().status == 200)
    #expect(try status(copied) == 200)
    let out = try server.post("", to: "/logout", headers: with(copied))
    #expect(out.status == 303 && out["Set-Cookie"]?.contains("Max-Age=0") == true)
    #expect(try status(copied) == 401)
    #expect(try status(other) == 200)
    #expect(try status(logIn()) == 200)
    // What it opened ends, too.
    var isOver = false
    while !isOver, let line = feed.line() { isOver = line == "event: bye" }
    #expect(isOver)
  }

  @Test func `bodies come in the type that the route takes`() throws {
    let server = try TestServer()
    let event = #"{"kind":"view","item":"a"}"#
    for type in [
      "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1",
    ] {
      let answer = try server.ask("POST", "/api/v1/events", body: event, type: type)
      #expect(answer.status == 415)
      #expect(try server.code(answer) == "mediaType")
    }
    let packed = try server.ask(
      "POST", "/api/v1/events", body: event, headers: ["Content-Encoding": "gzip"])
    #expect(packed.status == 415)
    for body in ["{\"a\":1,\"a\":2}", "{} {}", "[", String(repeating: "[", count: 65)] {
      #expect(try server.ask("POST", "/api/v1/verify", body: body).status == 400)
    }
  }

  @Test func `a target may name the server, by one of its names`() throws {
    let server = try TestServer()
    let own = "http://127.0.0.1:\(server.port)"
    for target in [own + "/healthz", "HTTP://localhost/api/v1/info?"] {
      #expect(try server.ask("GET", target).status == 200)
    }
    for target in ["http://evil.example/healthz", "http://localhost@evil.example/healthz"] {
      let answer = try server.ask("GET", target)
      #expect(answer.status == 400)
      #expect(try server.code(answer) == "host")
    }
    // It stands for the name of the header, which has to be there.
    #expect(try server.ask("GET", own + "/healthz", headers: ["Host": ""]).status == 400)
    #expect(try server.ask("GET", own + "/healthz", headers: ["Host": "evil"]).status == 200)
  }

  @Test func `wrong methods and unknown paths are told apart`() throws {
    let server = try TestServer()
    let answer = try server.ask("DELETE", "/api/v1/items")
    #expect(answer.status == 405)
    #expect(answer["Allow"] == "GET, HEAD, OPTIONS")
    #expect(try server.ask("GET", "/api/v1/nothing").status == 404)
    #expect(try server.ask("HEAD", "/api/v1/info").status == 200)
    let unknown = try server.ask("GET", "/api/v1/items?colour=red")
    #expect(unknown.status == 400)
  }

  @Test func `a refusal too says where the log ends, to who may ask`() throws {
    let server = try TestServer()
    for item in ["a", "b"] {
      _ = try server.ask("POST", "/api/v1/events", body: "{\"kind\":\"view\",\"item\":\"\(item)\"}")
    }
    for (target, status) in [
      ("/api/v1/items?colour=red", 400), ("/api/v1/events/3", 404), ("/api/v1/item?id=c", 404),
    ] {
      let answer = try server.ask("GET", target)
      #expect(answer.status == status)
      #expect(answer["Cairn-Sequence"] == "2")
    }
    let stranger = try server.ask("GET", "/api/v1/info", headers: ["Authorization": ""])
    #expect(stranger.status == 401)
    #expect(stranger["Cairn-Sequence"] == nil)
  }

  @Test func `every answer carries the headers that browsers need`() throws {
    let server = try TestServer()
    for target in ["/api/v1/info", "/api/v1/nothing", "/healthz"] {
      let answer = try server.ask("GET", target)
      #expect(answer["Cache-Control"] == "no-store")
      #expect(answer["X-Content-Type-Options"] == "nosniff")
      #expect(answer["Referrer-Policy"] == "no-referrer")
      #expect(answer["Cross-Origin-Resource-Policy"] == "same-origin")
      #expect(answer["Server"] == "cairn")
      #expect(answer["X-Request-Id"] != nil)
      // Of 29 characters in the one form that is to be sent (RFC 9110 §5.6.7).
      let dates = answer.headers.filter { $0.name == "Date" }.map(\.value)
      #expect(dates.count == 1 && dates.allSatisfy { $0.count == 29 && $0.hasSuffix(" GMT") })
    }
  }
}
