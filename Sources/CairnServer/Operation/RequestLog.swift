import Cairn
import Rows

package enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case debug, info, warning, error, off

  package static func < (one: LogLevel, other: LogLevel) -> Bool {
    allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
  }
}

/// One JSON object a line on standard error for each request: never what somebody wrote.
package final class RequestLog: Sendable {
  /// What is said of one request.
  package struct Entry {
    var id: String
    var method: String
    /// As a pattern; nil where no route was found.
    var route: String?
    var token: String?
    /// What an assistant called.
    var called: String?
    var status = 0
    var byteCount = 0
    var micros: Int64 = 0
    private let start: ContinuousClock.Instant

    init(_ request: Request) {
      id = request.id
      method = Self.methods.contains(request.method) ? request.method : "OTHER"
      start = request.arrived
    }

    /// A message that came over standard input.
    package init() {
      id = RequestID.next()
      method = "STDIN"
      start = .now
    }

    package mutating func finish(_ status: Int, _ byteCount: Int, called: String? = nil) {
      self.status = status
      self.byteCount = byteCount
      if let called { self.called = called }
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      micros = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
  }

  private let level: LogLevel
  let writer: LogWriter

  package init(level: LogLevel, descriptor: Int32) {
    self.level = level
    writer = LogWriter(descriptor: descriptor)
  }

  package func write(_ entry: Entry) {
    let level: LogLevel = entry.status >= 500 ? .error : entry.status >= 400 ? .warning : .info
    guard self.level <= level else { return }
    writer.put(
      JSONLine.line { line in
        line.field("time", Timestamp.now().rfc3339)
        line.field("level", level.rawValue)
        line.field("request", entry.id)
        line.field("method", entry.method)
        line.field("route", optional: entry.route)
        line.field("status", entry.status)
        line.field("bytes", entry.byteCount)
        line.field("micros", entry.micros)
        line.field("token", optional: entry.token)
        if let called = entry.called { line.field("call", called) }
      })
  }

  /// Waits until all is written; not for long where nobody takes it.
  package func flush() { writer.flush() }

  /// Says something that is about no request.
  package func note(_ level: LogLevel, _ message: String) {
    if self.level <= level { writer.put(Self.line(level, message)) }
  }

  /// A line that is about no request.
  static func line(_ level: LogLevel, _ message: String) -> [UInt8] {
    JSONLine.line { line in
      line.field("time", Timestamp.now().rfc3339)
      line.field("level", level.rawValue)
      line.field("message", message)
    }
  }
}
