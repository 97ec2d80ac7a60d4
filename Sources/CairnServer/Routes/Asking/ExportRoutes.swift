import Cairn
import Rows

extension Service {
  static let exportRoutes = [
    Route(
      "GET", "/api/v1/export", .read, "Every event, as other programs read them",
      [Parameter("format", .choice(EventFormat.allCases.map(\.rawValue))), .asOf],
      lane: .stream, gives: .file([MediaType.ndjson, MediaType.csv]), run: export)
  ]

  private static func export(_ call: Call) throws(Refusal) -> Answer? {
    let format: EventFormat = try call.parameters.choice("format") ?? .ndjson
    // Asked before anything is read: what a purge takes meanwhile has another tag the next time.
    let purge = try answering(call.store.lastPurge()) ?? 0
    let head = try call.lastEvent()
    let tag = "W/\"\(format.rawValue)-\(head)-\(purge)\""
    guard !call.request.holds(tag) else {
      return Answer(304, headers: [Header("ETag", tag)], at: head)
    }
    var query = EventQuery()
    query.through = head
    let stream = try call.begin(
      format == .csv ? MediaType.csv : MediaType.ndjson,
      [Header("Cairn-Sequence", String(head)), Header("ETag", tag)])
    var bytes = format.head
    var failure: Refusal?
    func flush() -> Bool {
      do throws(Refusal) { try stream.write(bytes) } catch { failure = error }
      bytes.removeAll(keepingCapacity: true)
      return failure == nil && !stream.isClosed
    }
    if head > 0 {
      try answering(
        call.store.forEachRecord(query) { (record) throws(CairnError) in
          try format.append(record, to: &bytes)
          return bytes.count < 1 << 15 || flush()
        })
    }
    if failure == nil { _ = flush() }
    if let failure { throw failure }
    stream.end()
    return nil
  }
}
