import ArgumentParser
import Assistant
import CairnServer
import Glibc

struct MCP: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Let an assistant search the history, over stdin and stdout.",
    discussion: """
      Speaks the Model Context Protocol, revisions 2026-07-28, 2025-11-25 and 2025-06-18: one JSON \
      message a line. An assistant may search, rank and look back, and change nothing. Nothing \
      leaves this machine but what the assistant itself passes on. Each call is told on standard \
      error by name, without its words.

      Example, in the settings of an assistant:
        {"mcpServers": {"history": {
          "command": "cairn", "args": ["mcp", "--store", "/home/me/.cairn"]}}}
      """)

  @OptionGroup var options: StoreOptions

  /// Longer messages are no questions.
  private static let byteMax = 4 << 20

  func run() throws(Failure) {
    let store = try options.openForReading()
    let assistant = Assistant(store, version: ProgramVersion.number)
    var reader = try LineReader("-")
    var output = Output()
    let log = RequestLog(level: .info, descriptor: STDERR_FILENO)
    defer { log.flush() }
    while true {
      let message: [UInt8]
      switch try reader.next() {
      case .line(let line):
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { continue }
        message = line.count > Self.byteMax ? [] : Array(line)
      case .tooLong: message = []
      case .pause: continue
      case .end: return
      }
      var entry = RequestLog.Entry()
      let reply = assistant.answer(message)
      if let body = reply.body {
        try output.bytes { $0 += body + [UInt8(ascii: "\n")] }
        try output.flush()
      }
      entry.finish(reply.status, reply.body?.count ?? 0, called: reply.called)
      log.write(entry)
    }
  }
}
