import Cairn
import CairnServer
import Foundation
import Synchronization
import Testing

/// The feed and its consumers.
@Suite struct FeedTests {
  /// One frame of a feed.
  struct Frame: Equatable {
    var id: UInt64?
    var event: String?
    var data: String?
  }

  /// Reads frames of a feed one after the other.
  final class Reader {
    private let client: HTTPClient
    private var text = ""

    init(_ server: TestServer, _ query: String, headers: [String: String] = [:]) throws {
      client = try server.client()
      client.send(server.request("GET", "/api/v1/feed\(query)", headers: headers))
      let head = try client.head()
      try #require(head.status == 200)
      #expect(head["Content-Type"] == "text/event-stream")
      #expect(try next() == Frame())
    }

    /// The next frame; nil at the end.
    func next() throws -> Frame? {
      while !text.contains("\n\n") {
        guard let count = client.chunk(), count > 0 else { return nil }
        var left = count
        while left > 0, let line = client.line() {
          text += line + "\n"
          left -= line.utf8.count + 1
        }
        _ = client.line()
      }
      let end = try #require(text.range(of: "\n\n"))
      var frame = Frame()
      for line in text[..<end.lowerBound].split(separator: "\n") {
        if line.hasPrefix("id: ") { frame.id = UInt64(line.dropFirst(4)) }
        if line.hasPrefix("event: ") { frame.event = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { frame.data = String(line.dropFirst(6)) }
      }
      text.removeSubrange(..<end.upperBound)
      return frame
    }

    /// Frames until the head was reached.
    func untilCaughtUp() throws -> [Frame] {
      var frames: [Frame] = []
      while let frame = try next(), frame.event != "caught-up" { frames.append(frame) }
      return frames
    }
  }

  private func append(_ server: TestServer, _ items: [String], domain: String = "a.b") throws {
    try server.server.store.appendBlocking(
      items.map { item in
        var event = Event(kind: .view)
        event.item = item
        event.domain = .value(domain)
        return event
      })
  }

  @Test func `each event comes once, in order, past and present`() throws {
    let server = try TestServer()
    try append(server, (0..<300).map { "old-\($0)" })
    let reader = try Reader(server, "?after=100")
    #expect(try reader.untilCaughtUp().compactMap(\.id) == Array(101...300))
    try append(server, (0..<50).map { "new-\($0)" })
    var ids: [UInt64] = []
    while ids.count < 50, let frame = try reader.next() {
      if let id = frame.id { ids.append(id) }
    }
    #expect(ids == Array(301...350))
  }

  @Test func `a reader that takes nothing for a while misses nothing of what is large`() throws {
    let server = try TestServer()
    let note = String(repeating: "harbour ", count: 1_000)
    try server.server.store.appendBlocking(
      (1...1_500).map { number in
        var event = Event(kind: .view, item: "item \(number)")
        event.extras["note"] = .string(note)
        return event
      })
    for filter in ["", "&kind=view"] {
      // Some more than sockets and the server hold.
      let reader = try Reader(server, "?after=0\(filter)")
      usleep(300_000)
      #expect(try reader.untilCaughtUp().compactMap(\.id) == Array(1...1_500))
    }
  }

  @Test func `a large event comes whole to who takes it late, or breaks off once purged`() throws {
    let server = try TestServer()
    // More than sockets hold, each piece of it another one.
    let numbers = (0..<2_500_000).map { String($0) }.joined(separator: " ")
    var event = Event(kind: .view, item: "large")
    event.extras["note"] = .string(numbers)
    try server.server.store.appendBlocking([Event(kind: .view, item: "small"), event])
    func begin() throws -> HTTPClient {
      let client = try server.client()
      client.send(server.request("GET", "/api/v1/feed?after=0"))
      try #require(try client.head().status == 200)
      // Longer than the server holds the event for it.
      usleep(1_500_000)
      return client
    }
    func text(_ client: HTTPClient) -> String {
      var bytes: [UInt8] = []
      // A connection that breaks off may do so within a piece.
      while let piece = try? client.piece() {
        bytes += piece
        if bytes.suffix(64).contains(Array("event: caught-up".utf8)) { break }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    let late = text(try begin())
    #expect(late.contains("\"note\":\"\(numbers)\""))
    #expect(late.contains("id: 2\n") && late.contains("\n\nevent: caught-up\n"))
    let cut = try begin()
    _ = try server.server.store.purge(.item("large"))
    let rest = text(cut)
    #expect(late.hasPrefix(rest) || rest.contains("event: purge"))
    #expect(try Reader(server, "?after=1").untilCaughtUp().map(\.event) == ["purge"])
  }

  @Test func `a reader resumes by the last id it saw`() throws {
    let server = try TestServer()
    try append(server, ["a", "b", "c"])
    let reader = try Reader(server, "?after=0", headers: ["Last-Event-ID": "2"])
    let frames = try reader.untilCaughtUp()
    #expect(frames.map(\.id) == [3])
    #expect(frames[0].event == "view")
    #expect(frames[0].data?.contains("\"item\":\"c\"") == true)
    let unnamed = try Reader(server, "?after=1", headers: ["Last-Event-ID": " "])
    #expect(try unnamed.untilCaughtUp().map(\.id) == [2, 3])
    let beyond = try server.ask("GET", "/api/v1/feed?after=4")
    #expect(beyond.status == 404)
    #expect(try server.code(beyond) == "noSuchPoint")
    // More digits than a number of the machine has are a sequence all the same.
    let long = String(repeating: "9", count: 30)
    for path in ["feed?after=\(long)", "events/\(long)", "proofs/inclusion?sequence=\(long)"] {
      #expect(try server.code(server.ask("GET", "/api/v1/" + path)) == "noSuchPoint", "\(path)")
    }
    #expect(try server.code(server.ask("GET", "/api/v1/events/+1")) == "badArgument")
    // One that comes twice does not stand for the head.
    let twice = try server.client()
    let headers = ["Last-Event-ID": "1", "last-event-id": "2"]
    twice.send(server.request("GET", "/api/v1/feed", headers: headers))
    #expect(try twice.head().status == 400)
  }

  @Test func `a reader from now on knows where to resume before anything comes`() throws {
    let server = try TestServer()
    try append(server, ["a", "b"])
    let first = try #require(try Reader(server, "").next())
    #expect(first.event == "checkpoint" && first.id == 2)
    #expect(try Reader(server, "?after=2").next()?.event == "caught-up")
  }

  @Test func `filters pass what they name, and records of purges`() throws {
    let server = try TestServer()
    try append(server, ["a"], domain: "x.y")
    try append(server, ["b"], domain: "x.yz")
    try append(server, ["c"], domain: "x.y.z")
    _ = try server.server.store.purge(.item("b"))
    func ids(_ query: String) throws -> [UInt64] {
      try Reader(server, query).untilCaughtUp().compactMap(\.id)
    }
    #expect(try ids("?after=0&domain=x.y") == [1, 3, 4])
    #expect(try ids("?after=0&item=a&item=c") == [1, 3, 4])
    #expect(try ids("?after=0&kind=view") == [1, 3])
    #expect(try ids("?after=0&actor=nobody") == [4])
    #expect(try server.ask("GET", "/api/v1/feed?kind=nothing").status == 400)
  }

  @Test func `a consumer's place is kept, goes on and never back`() throws {
    let server = try TestServer()
    try append(server, ["a", "b", "c"])
    let made = try server.ask("PUT", "/api/v1/consumers/me", body: #"{"after":1}"#)
    #expect(made.status == 201)
    #expect(try server.ask("GET", "/api/v1/feed?consumer=you").status == 404)
    #expect(try Reader(server, "?consumer=me").untilCaughtUp().compactMap(\.id) == [2, 3])
    func advance(_ body: String) throws -> Int {
      try server.ask("POST", "/api/v1/consumers/me", body: body).status
    }
    #expect(try advance(#"{"through":1.5}"#) == 400)
    // As clients write it that keep every number as a double.
    #expect(try advance(#"{"through":15e-1}"#) == 400)
    #expect(try advance(#"{"through":2.0}"#) == 200)
    #expect(try advance(#"{"through":0.2e1}"#) == 200)
    #expect(try advance(#"{"through":1}"#) == 409)
    #expect(try advance(#"{"through":9}"#) == 404)
    let consumer = try server.object(try server.ask("GET", "/api/v1/consumers/me"))
    #expect(consumer["through"] as? Int == 2)
    #expect(consumer["lag"] as? Int == 1)
    #expect(try advance(#"{"through":0,"reset":"true"}"#) == 400)
    #expect(try advance(#"{"through":0,"reset":true}"#) == 200)
    let again = try ConsumerTable(directory: server.directory)
    #expect(again.list().map(\.through) == [0])
    #expect(try server.ask("DELETE", "/api/v1/consumers/me").status == 204)
  }

  @Test func `a consumer is not taken back by who changes its filter meanwhile`() throws {
    let server = try TestServer()
    let places = UInt64(1)...30
    try append(server, places.map { "item \($0)" })
    let path = "/api/v1/consumers/me"
    #expect(try server.ask("PUT", path, body: #"{"after":0}"#).status == 201)
    let isOver = Mutex(false)
    let ended = DispatchSemaphore(value: 0)
    let (port, change) = (server.port, server.request("PUT", path, body: #"{"kind":"view"}"#))
    for _ in 0..<4 {
      Thread.detachNewThread {
        while !isOver.withLock({ $0 }), let client = try? HTTPClient(port: port) {
          client.send(change)
          _ = client.line()
        }
        ended.signal()
      }
    }
    for place in places {
      #expect(try server.ask("POST", path, body: "{\"through\":\(place)}").status == 200)
      #expect(try server.object(try server.ask("GET", path))["through"] as? UInt64 == place)
    }
    isOver.withLock { $0 = true }
    for _ in 0..<4 { ended.wait() }
    #expect(try server.ask("DELETE", path).status == 204)
  }

  @Test func `a consumer tells each of its names once, and has its own to itself`() throws {
    let server = try TestServer()
    let filter = #"{"actor":["b","a","b"],"item":["e\u0301","\u00e9"]}"#
    for name in ["e%CC%81", "%C3%A9"] {
      #expect(try server.ask("PUT", "/api/v1/consumers/\(name)", body: filter).status == 201)
    }
    let consumer = try server.object(try server.ask("GET", "/api/v1/consumers/%C3%A9"))
    #expect(consumer["actor"] as? [String] == ["a", "b"])
    #expect((consumer["item"] as? [String])?.map(\.utf8.count) == [3, 2])
    #expect(try ConsumerTable(directory: server.directory).list().count == 2)
  }

  @Test func `more feeds than there is room for are told to come back`() throws {
    let server = try TestServer()
    let readers = try (0..<64).map { _ in try Reader(server, "") }
    let refused = try server.ask("GET", "/api/v1/feed")
    #expect(refused.status == 503)
    #expect(try server.code(refused) == "tooMany")
    #expect(refused["Retry-After"] != nil)
    #expect(refused.text.contains("too many feeds are open"))
    #expect(readers.count == 64)
  }

  @Test func `a token that is taken back ends its feeds and waits, whoever has its name next`()
    throws
  {
    let server = try TestServer()
    let file = TokenFile(directory: server.directory)
    let headers = ["Authorization": "Bearer \(try file.add("guest", .read))"]
    server.server.service.tokens.forget()
    let reader = try Reader(server, "", headers: headers)
    _ = try reader.untilCaughtUp()
    let waiting = try server.client()
    waiting.send(server.request("GET", "/api/v1/events?from=1&wait=60", headers: headers))
    while server.server.service.openCount < 2 {}
    #expect(try file.remove("guest"))
    _ = try file.add("guest", .read)
    #expect(try reader.next()?.event == "bye")
    #expect(try waiting.answer().status == 401)
  }

  @Test func `a token that is taken back ends the lists that are under way`() throws {
    let text = String(repeating: "x", count: 1 << 20)
    let server = try TestServer(filledBy: { store in
      for number in 0..<48 {
        try store.appendBlocking([.index("i\(number)", attributes: ["textContent": .string(text)])])
      }
    })
    let file = TokenFile(directory: server.directory)
    let lines = ["Accept": "application/x-ndjson"]
    let token = ["Authorization": "Bearer \(try file.add("guest", .read))"]
    server.server.service.tokens.forget()
    let client = try server.client()
    client.send(server.request("GET", "/api/v1/events", headers: lines.merging(token) { $1 }))
    #expect(try client.head().status == 200)
    #expect(try file.remove("guest"))
    server.server.service.tokens.forget()
    var byteCount = 0
    while let count = client.chunk(), count > 0 {
      byteCount += count
      for _ in 0..<2 { _ = client.line() }
    }
    #expect(byteCount < 48 << 20)
    let whole = try server.ask("GET", "/api/v1/events", headers: lines)
    #expect(whole.body.count > 48 << 20)
  }

  @Test func `what would be too much to be read again is not kept`() throws {
    let server = try TestServer()
    let text = String(repeating: "x", count: 1_000_000)
    let statuses = try (0..<20).map { number in
      try server.ask("PUT", "/api/v1/consumers/\(number)", body: "{\"item\":\"\(text)\"}").status
    }
    #expect(statuses.first == 201 && statuses.last == 400)
    _ = try ConsumerTable(directory: server.directory)
  }

  @Test func `a server that ends says goodbye`() throws {
    let server = try TestServer()
    let reader = try Reader(server, "")
    _ = try reader.untilCaughtUp()
    server.server.service.stop()
    #expect(try reader.next()?.event == "bye")
  }
}
