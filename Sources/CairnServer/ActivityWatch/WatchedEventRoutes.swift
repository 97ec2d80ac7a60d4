import ActivityWatch
import Cairn
import Rows

extension Service {
  private static let span = [Parameter("start", .text), Parameter("end", .text)]

  static let watchedEventRoutes = [
    watch(
      "POST", "/api/0/buckets/{bucket}/heartbeat", "Merge a heartbeat into the last event",
      [Parameter("pulsetime", .text)], body: .json(limit: ServiceLimits.eventsByteCount),
      lane: .watch
    ) { (call, watches) throws(Refusal) in
      // Swift reads hexadecimal digits as well, which are no number to anybody else.
      guard let text = call.parameters.text("pulsetime"), !text.contains("x"), !text.contains("X"),
        let seconds = Double(text), seconds >= 0, seconds.isFinite
      else { throw Refusal(400, "badArgument", "Missing or bad pulsetime", place: "pulsetime") }
      // Longer than any event lasts is as good as for ever.
      let pulsetime = WatchedEvent.microseconds(seconds) ?? WatchedEvent.longest
      let seen = try event(.object(try call.object()))
      let bucket = try call.bucket(watches)
      // What is not to be written is answered as if merged.
      guard let allowed = call.allowed(seen, in: bucket) else { return .json(json(seen)) }
      return .later { tell in
        watches.heartbeat(allowed, pulsetime: pulsetime, in: bucket) { result in
          let answer = result.map { merged, isNew in
            call.service.metrics.noteHeartbeat(isNew: isNew)
            call.service.health.noteAppended()
            return Answer.json(json(merged))
          }
          tell(answer.mapError { Refusal($0) })
        }
      }
    },
    watch(
      "POST", "/api/0/buckets/{bucket}/events", "Insert events, all or none",
      body: .json(limit: ServiceLimits.eventsByteCount), lane: .stream
    ) { (call, watches) throws(Refusal) in
      let value = try JSONBody.value(try call.wholeBody(), isOfWatcher: true)
      let bucket = try call.bucket(watches)
      var values = [value]
      if case .array(let elements) = value { values = elements }
      let events = try values.map { (value) throws(Refusal) in try event(value) }
      if events.contains(where: { $0.id != nil }), call.identity?.scope.allows(.admin) != true,
        call.service.options.watchMode != .open
      {
        throw Refusal(403, "scope", "Replacing an event by its id needs a token")
      }
      let allowed = events.map { call.allowed($0, in: bucket) }
      var inserted = try answering(watches.insert(allowed.compactMap { $0 }, in: bucket))[...]
      // What is not to be written is answered as it came.
      let told = zip(events, allowed).map { event, allowed in
        allowed.flatMap { _ in inserted.popFirst() } ?? event
      }
      if case .array = value { return .json(list(told)) }
      return .json(told.first.map { json($0) } ?? Array("null".utf8))
    },
    watch(
      "GET", "/api/0/buckets/{bucket}/events", "Events, the newest first",
      span + [Parameter("limit", .text)], lane: .stream
    ) { (call, watches) throws(Refusal) in
      let (from, to) = (try call.watchTime("start"), try call.watchTime("end"))
      var limit: Int?
      if let text = call.parameters.text("limit") {
        guard let number = Int(text) else {
          throw Refusal(400, "badArgument", "limit is no number", place: "limit")
        }
        limit = number < 0 ? nil : number
      }
      let bucket = try call.bucket(watches)
      let entries = try answering(watches.entries(of: bucket.id, from: from, to: to, limit: limit))
      let answer = try call.begin(MediaType.json)
      var bytes: [UInt8] = []
      try answer.append(entries, of: watches, cutTo: from, to, to: &bytes)
      try answer.write(bytes)
      answer.end()
      return nil
    },
    watch(
      "GET", "/api/0/buckets/{bucket}/events/count", "How many events there are", span
    ) { (call, watches) throws(Refusal) in
      let (from, to) = (try call.watchTime("start"), try call.watchTime("end"))
      let bucket = try call.bucket(watches)
      let count = try answering(watches.eventCount(of: bucket.id, from: from, to: to))
      return .json(Array(String(count).utf8))
    },
    watch("GET", "/api/0/buckets/{bucket}/events/{event}", "One event") {
      (call, watches) throws(Refusal) in
      let bucket = try call.bucket(watches)
      let found = try answering { () throws(CairnError) -> WatchedEvent? in
        guard let id = Int(call.names["event"] ?? ""),
          let entry = try watches.entry(id, in: bucket.id)
        else { return nil }
        return try watches.event(entry)
      }
      guard let found else { throw Refusal(404, "notFound", "There's no event of that id") }
      return .json(json(found))
    },
    watch(
      "DELETE", "/api/0/buckets/{bucket}/events/{event}", "Purge one event", lane: .stream
    ) { (call, watches) throws(Refusal) in
      let bucket = try call.bucket(watches)
      let isFound = try answering(
        Int(call.names["event"] ?? "").map { (id) throws(CairnError) in
          try watches.erase(id, in: bucket.id)
        } ?? false)
      return .object { $0.field("success", isFound) }
    },
  ]

  static func event(_ value: JSONValue) throws(Refusal) -> WatchedEvent {
    do throws(WatchedEvent.Refusal) { return try WatchedEvent(json: value) } catch {
      throw Refusal(400, "badEvent", error.message)
    }
  }

  private static func json(_ event: WatchedEvent) -> [UInt8] {
    var bytes: [UInt8] = []
    event.append(to: &bytes)
    return bytes
  }

  private static func list(_ events: [WatchedEvent]) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONText.appendArray(events, to: &bytes) { $0.append(to: &$1) }
    return bytes
  }
}

extension Call {
  /// What of a watcher's event may be written; nil for nothing.
  fileprivate func allowed(_ seen: WatchedEvent, in bucket: Bucket) -> WatchedEvent? {
    guard !service.rules.isPaused else { return nil }
    return ruled(seen, in: bucket)
  }

  /// What rules let through of an event; nil for nothing.
  func ruled(_ seen: WatchedEvent, in bucket: Bucket) -> WatchedEvent? {
    guard let data = service.rules.applied(to: seen.data, in: bucket.id) else {
      service.metrics.noteDropped(1)
      return nil
    }
    var seen = seen
    seen.data = data
    return seen
  }
}

extension AnswerStream {
  /// Appends events as a list, read as they are sent: `bytes` is what is not sent yet.
  func append(
    _ entries: [WatchIndex.Entry], of watches: WatchStore, cutTo from: Int64? = nil,
    _ to: Int64? = nil, withID: Bool = true, to bytes: inout [UInt8]
  ) throws(Refusal) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for entry in entries {
      guard let event = try answering(watches.event(entry, cutTo: from, to)) else { continue }
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      event.append(to: &bytes, withID: withID)
      if bytes.count >= 1 << 15 {
        try write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
