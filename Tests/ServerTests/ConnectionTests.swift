import Cairn
import CairnServer
import Foundation
import Synchronization
import Testing

/// Limits and hostile connections.
@Suite struct ConnectionTests {
  @Test(arguments: [
    "Content-Length: 1\r\nContent-Length: 2\r\n\r\nx",
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", "X: a\r\n b\r\n\r\n", "X: a\0b\r\n\r\n",
    "X : a\r\n\r\n", "Content-Length: +1\r\n\r\nx", "Transfer-Encoding: gzip, chunked\r\n\r\n",
    "Content-Length: 1, 1\r\n\r\nx", "X: a\nY: b\r\n\r\n",
  ])
  func `what two parsers could read in two ways is refused and closed`(rest: String) throws {
    let server = try TestServer()
    let client = try server.client()
    // With a token and a type, so that nothing else is refused before the body is read.
    client.send(
      "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(server.token)\r\n"
        + "Content-Type: application/json\r\n" + rest)
    let answer = try client.answer()
    #expect(answer.status == 400)
    #expect(answer["Connection"] == "close")
    #expect(client.isClosed())
  }

  @Test func `a method that HTTP does not know is a wrong one`() throws {
    let server = try TestServer()
    for (line, status) in [
      ("BREW /api/v1/items HTTP/1.1", 405), ("get / HTTP/1.1", 405), ("BREW / more", 400),
      ("BREW", 400), ("B\0REW / HTTP/1.1", 400), ("BREW / HTTP/1.1\nX: a", 400),
    ] {
      let client = try server.client()
      client.send("\(line)\r\nHost: localhost\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.status == status)
      #expect((answer["Allow"] != nil) == (status == 405))
      #expect(client.isClosed())
    }
  }

  @Test func `a client of HTTP 1 0 is sent no chunks and the close ends its answer`() throws {
    let server = try TestServer()
    _ = try server.ask(
      "POST", "/api/v1/events", body: #"{"kind":"view","item":"a","attributes":{"title":"A"}}"#)
    let client = try server.client()
    client.send(
      "GET /api/v1/items HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n"
        + "Accept: application/x-ndjson\r\nAuthorization: Bearer \(server.token)\r\n\r\n")
    let head = try client.head()
    #expect(head.status == 200)
    #expect(head["Transfer-Encoding"] == nil)
    #expect(head["Connection"] == "close")
    #expect(client.line()?.hasPrefix("{\"item\":\"a\"") == true)
    #expect(client.line() == nil)
  }

  @Test func `request lines and headers are held to their limits`() throws {
    let server = try TestServer()
    // `GET`, two blanks, `/` and `HTTP/1.1` are of 14 bytes.
    let longest = String(repeating: "a", count: 16 * 1_024 - 14)
    #expect(try server.ask("GET", "/\(longest)").status == 404)
    #expect(try server.ask("GET", "/\(longest)a").status == 414)
    let long = String(repeating: "a", count: 17_000)
    #expect(try server.ask("GET", "/\(long)").status == 414)
    let longer = String(repeating: "a", count: 100_000)
    #expect(try server.ask("GET", "/\(longer)").status == 414)
    #expect(try server.ask("GET", "/healthz", headers: ["X": longer]).status == 431)
    #expect(try server.ask("GET", "/healthz", headers: ["X": long + long]).status == 431)
    #expect(try server.ask("GET", "/\(longest)", headers: ["X": longer]).status == 431)
    var many: [String: String] = [:]
    for number in 0..<101 { many["X-\(number)"] = "1" }
    #expect(try server.ask("GET", "/healthz", headers: many).status == 431)
  }

  @Test func `blanks after a header are no part of it`() throws {
    let server = try TestServer()
    let headers = ["Host": "localhost \t ", "Authorization": "Bearer  \(server.token) "]
    #expect(try server.ask("GET", "/api/v1/info", headers: headers).status == 200)
  }

  @Test func `bodies that come slowly hold nobody up`() throws {
    let server = try TestServer()
    let body = #"{"kind":"view","item":"a"}"#
    let slow = try (0..<40).map { _ in
      let client = try server.client()
      client.send(String(server.request("POST", "/api/v1/events", body: body).dropLast()))
      return client
    }
    #expect(try server.ask("GET", "/api/v1/info").status == 200)
    // None of them was given up for it.
    for client in slow { client.send("}") }
    for client in slow { #expect(try client.answer().status == 200) }
  }

  @Test func `who has asked nothing goes first, then who never comes to the end of what it asks`() {
    let connections = ConnectionCount(countMax: 4)
    let closed = Mutex<[String]>([])
    func begin(_ name: String, isSending: Bool) -> UInt64 {
      connections.beginIdling(isSending: isSending) { closed.withLock { $0.append(name) } }
    }
    _ = begin("sending", isSending: true)
    _ = begin("idle", isSending: false)
    let ended = begin("ended", isSending: true)
    _ = begin("sending later", isSending: true)
    connections.endIdling(ended)
    for _ in 0..<4 { connections.closeIdlest() }
    #expect(closed.withLock { $0 } == ["idle", "sending", "sending later"])
  }

  @Test func `where few files may be open there are fewer connections`() {
    let files: [UInt64] = [0, 64, 100, 256, 320, 1_024, .max]
    let counts = files.map { Listener.connectionCount(ofFiles: $0) }
    #expect(counts == [16, 16, 36, 192, 256, 256, 256])
  }

  @Test func `answers that nobody reads hold nobody up`() throws {
    let server = try TestServer(filledBy: { store in
      var events: [Event] = []
      for number in 0..<2_000 {
        var event = Event(kind: .index, item: "item \(number)")
        event.attributes["textContent"] = .string(String(repeating: "word ", count: 1_000))
        events.append(event)
      }
      try store.appendBlocking(events)
    })
    let stalled = try (0..<60).map { _ in
      let client = try server.client()
      client.send(server.request("GET", "/api/v1/export"))
      #expect(try client.head().status == 200)
      return client
    }
    #expect(try server.ask("GET", "/api/v1/info").status == 200)
    #expect(stalled.count == 60)
  }

  @Test func `a feed is closed when the server ends, whatever else is under way`() throws {
    let server = try TestServer()
    let feed = try server.client()
    feed.send(server.request("GET", "/api/v1/feed"))
    #expect(try feed.head().status == 200)
    let slow = try server.client()
    let body = #"{"kind":"view","item":"a"}"#
    slow.send(String(server.request("POST", "/api/v1/events", body: body).dropLast()))
    while server.server.service.openCount < 2 {}
    let ending = server.server
    Thread { ending.stop() }.start()
    #expect(feed.isClosed())
    slow.send("}")
    let answer = try slow.answer()
    #expect(answer.status == 200)
    #expect(answer["Connection"] == "close")
  }

  @Test func `a request on its way when the server is told to end is answered`() throws {
    let server = try TestServer()
    let (silent, begun) = (try server.client(), try server.client())
    let request = server.request("GET", "/api/v1/info")
    begun.send(String(request.prefix(20)))
    // Who came before somebody that was answered is no longer in the system's queue.
    #expect(try server.ask("GET", "/healthz").status == 200)
    let ending = server.server
    Thread { ending.stop() }.start()
    usleep(200_000)
    silent.send(request)
    begun.send(String(request.dropFirst(20)))
    for client in [silent, begun] {
      let answer = try client.answer()
      #expect(answer.status == 200)
      #expect(answer["Connection"] == "close")
    }
  }

  @Test func `an answer is given whole though the server is told to end`() throws {
    let title = String(repeating: "a", count: 1_000)
    let server = try TestServer(filledBy: { store in
      try store.appendBlocking(
        (0..<2_000).map { number in
          Event(kind: .index, item: "item \(number)", attributes: ["title": .string(title)])
        })
    })
    let client = try server.client()
    // Some more than a client takes at once.
    client.send(server.request("GET", "/api/v1/items?limit=10000"))
    while server.server.service.openCount == 0 {}
    while server.server.service.openCount > 0 {}
    let ending = server.server
    Thread { ending.stop() }.start()
    usleep(200_000)
    #expect(try client.answer().body.count > 1_000_000)
  }

  @Test func `what was inserted is told whole though the server is told to end`() throws {
    let server = try TestServer { $0.service.watchMode = .open }
    let bucket = #"{"client":"c","type":"t","hostname":"h"}"#
    #expect(try server.ask("POST", "/api/0/buckets/b", body: bucket).status == 200)
    let text = String(repeating: "a", count: 100_000)
    let event = #"{"timestamp":"2024-01-01T00:00:00Z","data":{"x":"\#(text)"}}"#
    // More than the system holds for a client that does not read.
    let body = "[\(repeatElement(event, count: 150).joined(separator: ","))]"
    let client = try server.client()
    client.send(server.request("POST", "/api/0/buckets/b/events", body: body))
    while server.server.service.openCount > 0 {}
    let ending = server.server
    Thread { ending.stop() }.start()
    usleep(200_000)
    let answer = try client.answer()
    #expect(answer.status == 200 && answer.body.count > body.utf8.count)
  }

  @Test func `an answer whose connection is closed tells it nothing more`() throws {
    let partCount = Mutex(0)
    let answer = AnswerStream { _, sent in
      partCount.withLock { $0 += 1 }
      sent()
    }
    try answer.begin(AnswerHead(200, []))
    answer.close()
    answer.abort()
    answer.end()
    #expect(partCount.withLock { $0 } == 1)
  }

  @Test func `what there is no room for now is not taken`() throws {
    let taken = Mutex<[@Sendable () -> Void]>([])
    let answer = AnswerStream { part, sent in
      if case .bytes = part { taken.withLock { $0.append(sent) } }
    }
    try answer.begin(AnswerHead(200, []))
    #expect(answer.offer([UInt8](repeating: 0x61, count: AnswerStream.outstandingCountMax)))
    #expect(!answer.offer([0x61]))
    for sent in taken.withLock({ $0 }) { sent() }
    #expect(answer.offer([0x61]))
    answer.close()
    #expect(!answer.offer([0x61]))
  }

  @Test func `what is larger than the room for it goes in pieces that are not`() throws {
    let sizes = Mutex<[Int]>([])
    let answer = AnswerStream { part, sent in
      if case .bytes(let bytes) = part { sizes.withLock { $0.append(bytes.count) } }
      sent()
    }
    let most = AnswerStream.outstandingCountMax
    try answer.begin(AnswerHead(200, []))
    #expect(!answer.offer([UInt8](repeating: 0x61, count: most + 1)))
    try answer.write([UInt8](repeating: 0x61, count: 2 * most + 1))
    #expect(sizes.withLock { $0 } == [most, most, 1])
  }

  @Test func `a body too long is refused by its declared length, before it is sent`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(
      server.request(
        "POST", "/api/v1/purge",
        headers: ["Content-Type": "application/json", "Content-Length": "2000000"]))
    let answer = try client.answer()
    #expect(answer.status == 413)
    #expect(answer["Connection"] == "close")
  }

  @Test func `a body too long is refused at the first byte too many`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(
      server.request(
        "POST", "/api/v1/purge",
        headers: ["Content-Type": "application/json", "Transfer-Encoding": "chunked"]))
    let piece = String(repeating: " ", count: 0x10000)
    for _ in 0..<17 { client.send("10000\r\n\(piece)\r\n") }
    client.send("0\r\n\r\n")
    let answer = try client.answer()
    #expect(answer.status == 413)
    #expect(answer["Connection"] == "close")
    #expect(client.isClosed())
  }

  @Test(arguments: ["chunked", "Chunked", "CHUNKED"])
  func `a body in chunks may say so in any case`(name: String) throws {
    let server = try TestServer()
    let client = try server.client()
    let head = server.request(
      "POST", "/api/v1/events",
      headers: ["Content-Type": "application/json", "Transfer-Encoding": name])
    client.send(head + "1a\r\n" + #"{"kind":"view","item":"a"}"# + "\r\n0\r\n\r\n")
    #expect(try client.answer().status == 200)
  }

  @Test func `requests on one connection are answered in order`() throws {
    let server = try TestServer()
    let client = try server.client()
    let targets = ["/healthz", "/api/v1/info", "/nothing", "/healthz", "/readyz"]
    client.send(targets.map { server.request("GET", $0) }.joined())
    let statuses = try targets.map { _ in try client.answer().status }
    #expect(statuses == [200, 200, 404, 200, 200])
  }

  @Test(arguments: [
    "garbage\r\n\r\n", "GET / HTTP/1.1\r\nX : a\r\n\r\n",
    "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  ])
  func `requests that are whole are answered whatever follows them`(rest: String) throws {
    let server = try TestServer()
    let client = try server.client()
    let targets = ["/healthz", "/api/v1/info", "/nothing"]
    client.send(targets.map { server.request("GET", $0) }.joined() + rest)
    let statuses = try targets.map { _ in try client.answer().status }
    #expect(statuses == [200, 200, 404])
    let last = try client.answer()
    #expect(last.status == 400)
    #expect(last["Connection"] == "close")
    #expect(client.isClosed())
  }

  @Test func `who ends its side of a connection gets its answers, and holds nothing up`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(server.request("GET", "/healthz") + server.request("GET", "/api/v1/info"))
    client.endSending()
    #expect(try client.answer().status == 200)
    #expect(try client.answer().text.contains("\"head\":0"))
    #expect(client.isClosed())
    let feed = try server.client()
    feed.send(server.request("GET", "/api/v1/feed"))
    #expect(try feed.head().status == 200)
    let start = ContinuousClock.now
    feed.endSending()
    #expect(feed.isClosed())
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func `a connection closes after the answer to the request that asks for it`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(
      server.request("GET", "/healthz")
        + server.request("GET", "/nothing", headers: ["Connection": "close"])
        + server.request("GET", "/healthz"))
    #expect(try client.answer().status == 200)
    #expect(try client.answer().status == 404)
    #expect(client.line() == nil)
  }

  @Test func `who asks for another protocol is answered in this one, and told to connect anew`()
    throws
  {
    let server = try TestServer()
    // As curl and Java ask at first, with whatever they send.
    for target in ["/healthz", "/api/v1/feed", "/nothing"] {
      let client = try server.client()
      client.send(
        server.request(
          "GET", target,
          headers: [
            "Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c",
            "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA",
          ]))
      let answer = try client.head()
      #expect(answer.status == (target == "/nothing" ? 404 : 200))
      #expect(answer["Connection"] == "close")
    }
    let client = try server.client()
    client.send("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let answer = try client.answer()
    #expect(answer.status == 400)
    #expect(answer["Connection"] == "close")
  }

  @Test func `a client that says Expect is told to go on`() throws {
    let server = try TestServer()
    let client = try server.client()
    let body = #"{"kind":"view","item":"a"}"#
    client.send(
      server.request(
        "POST", "/api/v1/events",
        headers: [
          "Content-Type": "application/json", "Content-Length": String(body.utf8.count),
          "Expect": "100-continue",
        ]))
    #expect(try client.head().status == 100)
    client.send(body)
    #expect(try client.answer().status == 200)
  }

  @Test func `connections that ask nothing keep nobody out`() throws {
    let server = try TestServer()
    // One that is being answered stays, however many come.
    let feed = try server.client()
    feed.send(server.request("GET", "/api/v1/feed"))
    #expect(try feed.head().status == 200)
    var idle: [HTTPClient] = []
    for number in 0..<600 {
      let client = try server.client()
      if number % 2 == 0 { client.send("GET / HTTP/1.1\r\nHo") }
      idle.append(client)
    }
    #expect(try server.ask("GET", "/api/v1/info").status == 200)
    _ = try server.ask("POST", "/api/v1/events", body: #"{"kind":"view","item":"a"}"#)
    var isFed = false
    while !isFed, let line = feed.line() { isFed = line.hasPrefix("event: view") }
    #expect(isFed)
    // Who came last was not the one to go.
    idle[599].send(server.request("GET", "/healthz"))
    #expect(try idle[599].answer().status == 200)
  }
}
