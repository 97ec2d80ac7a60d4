import Cairn

/// Collects a web server's log and writes its views as events, oldest first.
///
/// A log is not in the order of its times (a line is written when the answer ends), and events
/// are recorded in order: so everything is read before the first event is written. Holds the
/// lines that are views in memory.
struct AccessLogEvents {
  private struct Position {
    var time: Int64
    var line: Range<Int>
  }

  private var text: [UInt8] = []
  private var views: [Position] = []

  /// Lines that are in order but no views: other methods, errors, redirects.
  private(set) var skipped = 0

  /// Whether any line was a view.
  var hasViews: Bool { !views.isEmpty }

  /// Takes one line, without its newline.
  mutating func add(_ line: ArraySlice<UInt8>) throws(AccessLogLine.Malformed) {
    let parsed = try AccessLogLine(line)
    guard parsed.isView else {
      skipped += 1
      return
    }
    try Self.checkLengths(parsed)
    let start = text.count
    text.append(contentsOf: line)
    views.append(Position(time: parsed.time, line: start..<text.count))
  }

  /// Refuses here, where the line is known, what the log of events would refuse.
  private static func checkLengths(_ view: AccessLogLine) throws(AccessLogLine.Malformed) {
    guard view.target.utf8.count <= EventLimits.itemByteCount,
      (domain(of: view)?.utf8.count ?? 0) <= EventLimits.domainByteCount
    else {
      let most = EventLimits.itemByteCount
      throw AccessLogLine.Malformed(reason: "the request's path is longer than \(most) bytes")
    }
  }

  private static func domain(of view: AccessLogLine) -> String? {
    PathDomain.ofFolders(in: view.target.prefix { $0 != "?" && $0 != "#" })
  }

  /// Gives every view as an event line, ordered by time and, within a second, as they stood.
  func forEachEvent<Failure>(ids: DerivedID, _ body: ([UInt8]) throws(Failure) -> Void)
    throws(Failure)
  {
    let order = views.indices.sorted { (views[$0].time, $0) < (views[$1].time, $1) }
    // The same line may stand there twice, and is two views then.
    var seen: [ArraySlice<UInt8>: UInt64] = [:]
    for index in order {
      let line = text[views[index].line]
      let occurrence = seen[line, default: 0]
      seen[line] = occurrence + 1
      guard let parsed = try? AccessLogLine(line) else { continue }
      try body(Self.event(parsed, line: line, occurrence: occurrence, ids))
    }
  }

  private static func event(
    _ view: AccessLogLine, line: ArraySlice<UInt8>, occurrence: UInt64, _ ids: DerivedID
  ) -> [UInt8] {
    var json = JSONLine()
    json.field("kind", "view")
    json.field("item", view.target)
    if let domain = domain(of: view) { json.field("domain", domain) }
    json.field("time", view.time)
    json.field("recorded", view.time)
    json.field(
      "id", ids.make(Array("access-log".utf8), Array(String(occurrence).utf8), Array(line)))
    json.field("actor", view.host)
    json.field("source", "access-log")
    json.object("attributes") { $0.field("title", PercentEncoding.decode(view.target)) }
    json.finish()
    return json.bytes
  }
}
