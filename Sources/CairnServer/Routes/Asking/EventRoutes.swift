import Cairn
import Rows

extension Service {
  static let eventRoutes = [
    Route(
      "GET", "/api/v1/events", .read, "What happened, oldest first",
      [
        Parameter("item", .text), .domain,
        Parameter("kind", .choice(EventKind.names)),
        Parameter("actor", .text), Parameter("source", .text), Parameter("since", .time),
        Parameter("until", .time),
        Parameter("from", .sequence, "The first sequence"),
        Parameter("to", .sequence, "The last sequence"), .limit,
        Parameter("reverse", .flag), Parameter("erased", .flag),
        Parameter("wait", .count(max: 60)), .asOf,
      ], lane: .stream, gives: .list, run: events),
    Route(
      "GET", "/api/v1/events/{sequence}", .read, "One event", ownStatuses: [410], run: event),
  ]

  private static func events(_ call: Call) throws(Refusal) -> Answer? {
    let parameters = call.parameters
    var query = EventQuery(
      item: parameters.text("item"), domain: parameters.text("domain"),
      kind: try parameters.kind("kind"), actor: parameters.text("actor"))
    query.source = parameters.text("source")
    query.since = try parameters.time("since")
    query.until = try parameters.time("until", isEnd: true)
    try Parameters.checkSpan(query.since, query.until)
    let (from, to) = (try parameters.sequence("from"), try parameters.sequence("to"))
    if let from, let to, from > to { throw .parameter("from", "is after to") }
    query.from = from ?? 1
    query.isReversed = try parameters.flag("reverse")
    let limit = try call.limit(100, ofLines: nil)
    let wantsErased = try parameters.flag("erased")
    var head = try call.lastEvent()
    if let seconds = try parameters.count("wait", max: 60), seconds > 0 {
      guard parameters.text("asOf") == nil, !query.isReversed else {
        throw .parameter("wait", "waits for what comes: without asOf and reverse")
      }
      head = try wait(for: query, to: to, from: head, seconds, call)
    }
    query.through = min(to ?? .max, head)
    query.asOf = head
    var last: UInt64 = 0
    let next = {
      let bound: (name: String, value: String) =
        query.isReversed ? ("to", String(last - 1)) : ("from", String(last + 1))
      let pin = (name: "asOf", value: String(head))
      return call.next([pin, bound] + (parameters.text("wait") == nil ? [] : [("wait", "0")]))
    }
    return try call.list(at: head, limit: limit, next: next) { (sink) throws(Refusal) in
      guard query.through ?? 0 >= query.from else { return }
      try answering { () throws(CairnError) in
        if wantsErased {
          return try call.store.forEachEntry(query) { (entry) throws(CairnError) in
            guard try sink.add(entry) else { return false }
            last = entry.sequence
            return true
          }
        }
        try call.store.forEachRecord(query) { (record) throws(CairnError) in
          guard try sink.add(record) else { return false }
          last = record.sequence
          return true
        }
      }
    }
  }

  /// Waits until an event comes that the query is after; gives the head then.
  private static func wait(
    for query: EventQuery, to: UInt64?, from head: UInt64, _ seconds: Int, _ call: Call
  ) throws(Refusal) -> UInt64 {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var (head, query) = (head, query)
    query.limit = 1
    while true {
      query.through = min(to ?? .max, head)
      var found: [RecordedEvent] = []
      if query.through ?? 0 >= query.from { found = try answering(call.store.events(query)) }
      let left = ContinuousClock.now.duration(to: deadline)
      if !found.isEmpty || left <= .zero || call.service.isStopping { return head }
      guard !call.exchange.answer.isClosed else { throw .gone }
      guard call.isStillLetIn() else { throw .unauthorized }
      query.from = max(query.from, head + 1)
      let known = head
      head = try answering(call.store.wait(after: known, atMost: min(left, .milliseconds(500))))
      // What is in the log and not yet folded is not there for any other question either.
      let acknowledged = try answering(call.store.acknowledgedHead())
      head = min(head, acknowledged)
    }
  }

  private static func event(_ call: Call) throws(Refusal) -> Answer? {
    guard let sequence = call.names["sequence"].flatMap(Parameters.number), sequence > 0 else {
      throw .parameter("sequence", "takes a sequence number")
    }
    let head = try call.lastEvent()
    var query = EventQuery()
    (query.from, query.through, query.limit) = (sequence, sequence, 1)
    var found: Answer?
    guard sequence <= head else {
      throw Refusal(404, "noSuchPoint", "that sequence is beyond the last event; see /api/v1/info")
    }
    try answering(
      call.store.forEachEntry(query) { (entry) throws(CairnError) in
        switch entry {
        case .event(let event):
          var bytes: [UInt8] = []
          try event.appendJSON(to: &bytes)
          bytes.append(UInt8(ascii: "\n"))
          found = .json(bytes, at: head)
        case .erased(let stub):
          found = .object(410, at: head) { $0.fields(of: stub) }
        }
        return false
      })
    guard let found else { throw .notFound("no such event") }
    return found
  }
}

extension LogEntry {
  /// Its place in the log.
  var sequence: UInt64 {
    switch self {
    case .event(let event): event.sequence
    case .erased(let stub): stub.sequence
    }
  }
}

extension RowSink {
  /// Takes an event without making values of it.
  func add(_ record: LogRecord) throws(CairnError) -> Bool {
    try addLine { (bytes) throws(CairnError) in
      try record.appendJSON(to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// Takes an event, or what is left of one.
  func add(_ entry: LogEntry) throws(CairnError) -> Bool {
    switch entry {
    case .erased(let stub): add { $0.fields(of: stub) }
    case .event(let event):
      try addLine { (bytes) throws(CairnError) in
        try event.appendJSON(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
      }
    }
  }
}
