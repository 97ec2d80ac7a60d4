import Cairn
import CairnServer
import Foundation
import Testing

/// The log of requests.
@Suite struct LogTests {
  /// A server whose log goes into a pipe that takes little.
  private final class PipedServer {
    let server: TestServer
    let reading: Int32
    private let writing: Int32
    /// `F_SETPIPE_SZ` of fcntl(2), which Swift does not show.
    private static let setPipeSize: Int32 = 1_031

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(unsafe pipe(&ends) == 0)
      let (reading, writing) = (ends[0], ends[1])
      try #require(fcntl(writing, Self.setPipeSize, 4_096) == 4_096)
      (self.reading, self.writing) = (reading, writing)
      server = try TestServer { plan in
        plan.service.hasAssistants = true
        plan.service.logLevel = .info
        plan.service.logDescriptor = writing
      }
    }

    deinit {
      close(reading)
      close(writing)
    }

    /// The lines that come until one satisfies a condition, those that came with it too; all of
    /// them where none does and no more come for half a minute.
    func lines(until isWanted: (String) -> Bool) -> [String] {
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 65_536)
      var lines: [String] = []
      while true {
        var wanted = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, 30_000) > 0 else { return lines }
        let count = unsafe read(reading, &piece, piece.count)
        guard count > 0 else { return lines }
        bytes += piece[..<count]
        guard bytes.last == UInt8(ascii: "\n") else { continue }
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        if lines.contains(where: isWanted) { return lines }
      }
    }
  }

  @Test func `what an assistant calls is in the log by its name, without its words`() throws {
    let piped = try PipedServer()
    for name in ["search_history", "canary"] {
      let body =
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(name)","#
        + #""arguments":{"query":"canary"}}}"#
      _ = try piped.server.ask("POST", "/mcp", body: body)
    }
    _ = try piped.server.ask("GET", "/healthz")
    let lines = piped.lines { $0.contains("/healthz") }
    #expect(lines.count == 3)
    #expect(lines.first?.contains(#""call":"search_history""#) == true)
    #expect(lines.dropFirst().first?.contains(#""call":"tools/call""#) == true)
    #expect(lines.last?.contains("call") == false)
    #expect(!lines.contains { $0.contains("canary") })
  }

  @Test(.timeLimit(.minutes(2))) func `a log that nobody reads holds nobody up`() throws {
    let piped = try PipedServer()
    let client = try piped.server.client()
    // More than the pipe and the room for lines that wait.
    var count = 0
    while try piped.server.ask("GET", "/metrics").text.contains("cairn_log_dropped_total 0\n") {
      for _ in 0..<200 {
        client.send(piped.server.request("GET", "/api/v1/info"))
        #expect(try client.answer().status == 200)
        count += 1
      }
      try #require(count < 100_000)
    }
    // Once somebody reads, it tells what is missing and goes on.
    let lines = piped.lines { $0.contains("lines were dropped here") }
    #expect(lines.count > 100)
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    _ = try piped.server.ask("GET", "/healthz")
    #expect(piped.lines { $0.contains("\"/healthz\"") }.count >= 1)
  }

  @Test(.timeLimit(.minutes(2))) func `a server whose log is stuck ends`() throws {
    let piped = try PipedServer()
    let client = try piped.server.client()
    for _ in 0..<100 {
      client.send(piped.server.request("GET", "/healthz"))
      #expect(try client.answer().status == 200)
    }
    piped.server.server.stop()
  }
}
