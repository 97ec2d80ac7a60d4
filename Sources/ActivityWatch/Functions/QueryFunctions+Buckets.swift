extension QueryFunctions {
  static func findBucket(_ query: ActivityQuery, _ given: QueryArguments) throws(QueryFailure)
    -> QueryValue
  {
    let part = try given.text(0)
    try given.expect(1...2)
    var hostname: String?
    if given.values.count > 1, case .text(let text) = given.values[1], !text.isEmpty {
      hostname = text
    }
    for bucket in try query.source.buckets where part.isEmpty || bucket.utf8.contains(part.utf8) {
      let host = try query.source.hostname(of: bucket)
      if hostname == nil || host == hostname { return .text(bucket) }
    }
    throw .function(
      "Unable to find bucket matching '\(part)' (hostname filter set to '\(hostname ?? "None")')")
  }

  static func queryBucket(_ query: ActivityQuery, _ given: QueryArguments) throws(QueryFailure)
    -> QueryValue
  {
    let bucket = try existing(query, given)
    let (from, to) = try period(query)
    let (first, last) = (ActivityTime.milliseconds(from), ActivityTime.milliseconds(to) + 1000)
    var events: [QueryEvent] = []
    let memory = query.memory
    // Where they are is a list, too; and where there is no room for all, none is read.
    let count = try query.source.eventCount(in: bucket, from: first, to: last)
    try memory.hold(count * placeByteCount)
    defer { memory.release(count * placeByteCount) }
    try memory.check(count * (QueryEvent.byteCount + QueryMembers.byteCount))
    try query.source.forEachEvent(in: bucket, from: first, to: last) {
      event throws(QueryFailure) in
      if events.count & 1023 == 1023, query.isCancelled() {
        throw .function("The query was stopped.")
      }
      events.append(
        try QueryEvent(
          id: event.id, start: event.start, duration: event.duration,
          data: try QueryMembers(of: event.data, memory), memory))
    }
    return try query.list(events)
  }

  /// What a source needs for each event that it gives, and the list that they become.
  private static let placeByteCount = 64

  static func countBucket(_ query: ActivityQuery, _ given: QueryArguments) throws(QueryFailure)
    -> QueryValue
  {
    let bucket = try existing(query, given)
    let (from, to) = try period(query)
    // As in aw-core, the count takes a period that is widened to whole milliseconds.
    return .integer(try query.source.eventCount(in: bucket, from: from, to: to))
  }

  private static func existing(_ query: ActivityQuery, _ given: QueryArguments)
    throws(QueryFailure) -> String
  {
    let bucket = try given.text(0)
    try given.expect(1)
    guard try query.source.hostname(of: bucket) != nil else {
      throw .function("There's no bucket named '\(bucket)'")
    }
    return bucket
  }

  /// The period that the query's variables name now.
  private static func period(_ query: ActivityQuery) throws(QueryFailure) -> (Int64, Int64) {
    guard case .text(let start)? = query.variables["STARTTIME"], let from = ActivityTime(start),
      case .text(let end)? = query.variables["ENDTIME"], let to = ActivityTime(end)
    else { throw .function("Unable to parse starttime/endtime for query_bucket") }
    return (from.microseconds, to.microseconds)
  }
}

extension String.UTF8View {
  /// Whether the bytes stand somewhere in these.
  fileprivate func contains(_ part: String.UTF8View) -> Bool {
    var rest = self[...]
    while rest.count >= part.count {
      if rest.starts(with: part) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
