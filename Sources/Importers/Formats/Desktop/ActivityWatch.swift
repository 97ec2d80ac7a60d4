import Events

/// What ActivityWatch notes, in its export and in its servers' databases alike.
struct ActivityWatchEvent {
  var bucket: String
  /// The type of the bucket, which says what the data are.
  var type: String
  var host: String
  /// Microseconds since 1970.
  var time: Int64?
  var duration: Double?
  var data: JSONValue
  var place: RecordPlace

  static let source = "activitywatch"

  /// Adds what a row of either database says, whose columns from the fourth are the data, then the
  /// bucket's name, type and host.
  static func add(
    _ row: Database.Rows, time: Int64?, duration: Double?, to events: Collector
  ) throws(CairnError) {
    guard let data = JSONValue(bytes: row.bytes(3) ?? []) else {
      return events.malformed(row.place, "no JSON")
    }
    try Self(
      bucket: row.text(4) ?? "", type: row.text(5) ?? "", host: row.text(6) ?? "", time: time,
      duration: duration, data: data, place: row.place
    ).add(to: events)
  }

  func add(to events: Collector) throws(CairnError) {
    guard let time = events.time(time, at: place) else { return }
    var found: ImportedEvent?
    switch type {
    case "currentwindow":
      guard data["app"]?.string?.isEmpty == false || data["title"]?.string?.isEmpty == false else {
        return events.malformed(place, "no program and no title")
      }
      found = window()
    case "web.tab.current":
      guard data["incognito"]?.bool != true else { return events.skip("incognito") }
      found = events.event(url: data["url"]?.string, title: data["title"]?.string, at: place)
    case "app.editor.activity":
      let path = data["file"]?.string
      // What watchers of editors say of what was never saved.
      guard path != "", path != "unknown" else { return events.skip("no file") }
      found = events.event(path: path ?? "", at: place)
      found?.set("project", data["project"]?.string)
      found?.set("language", data["language"]?.string)
    default: return events.skip(type)
    }
    guard var event = found else { return }
    event.time = time
    event.identity =
      type == "web.tab.current"
      ? .pageVisit(event.item, time) : Identity(Self.source, bucket, String(time))
    event.device = host
    event.dwell = duration
    try events.add(event)
  }

  private func window() -> ImportedEvent {
    let seen = ActivityItem(app: data["app"]?.string, title: data["title"]?.string, hostname: host)
    var event = ImportedEvent(
      item: seen.item, domain: seen.domain, time: nil, title: seen.title, identity: Identity(),
      place: place)
    event.attributes = seen.attributes
    return event
  }
}

/// The export of ActivityWatch: all buckets, or one.
enum ActivityWatch: JSONFormat {
  static let name = "activitywatch"
  static let summary = "programs and pages used (ActivityWatch export)"

  static func fits(_ file: InputFile) -> Bool {
    file.headText.prefix(200).contains("\"buckets\"")
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    var late: [String: JSONValue] = [:]
    try forEachBucket(of: json) { (bucket) throws(CairnError) in
      if let about = try read(bucket, nil, json, events) { late[bucket] = about }
    }
    guard !late.isEmpty else { return }
    let again = try json.again()
    try forEachBucket(of: again) { (bucket) throws(CairnError) in
      guard let about = late[bucket] else { return try again.skip() }
      _ = try read(bucket, about, again, events)
    }
  }

  private static func forEachBucket(
    of json: JSONStream, _ body: (String) throws(CairnError) -> Void
  ) throws(CairnError) {
    let document = "no export of ActivityWatch"
    try json.member("buckets", kind: .object, of: document) { () throws(CairnError) in
      try json.members(body)
    }
  }

  /// Reads a bucket; where its events stand before what it is, and that is not known, it passes
  /// over them and says what the bucket is.
  private static func read(
    _ bucket: String, _ known: JSONValue?, _ json: JSONStream, _ events: Collector
  ) throws(CairnError) -> JSONValue? {
    var members = JSONObject()
    var isLate = false
    guard try json.kind() == .object else {
      events.malformed(.byte(json.position), "a bucket that is no object")
      try json.skip()
      return nil
    }
    try json.members { (key) throws(CairnError) in
      guard key == "events", try json.kind() == .array else {
        guard ["type", "hostname"].contains(key) else { return try json.skip() }
        if case .value(let value) = try json.value() { members[key] = value }
        return
      }
      let about = known ?? .object(members)
      guard known != nil || about["type"] != nil && about["hostname"] != nil else {
        isLate = true
        return try json.skip()
      }
      try json.elements { (_) throws(CairnError) in
        // Every bucket has an event of the same number.
        try json.record(events, at: .byte(json.position)) { (event, place) throws(CairnError) in
          try ActivityWatchEvent(
            bucket: bucket, type: about["type"]?.string ?? "",
            host: about["hostname"]?.string ?? "",
            time: event["timestamp"]?.string.flatMap { CivilTime.iso($0) },
            duration: event["duration"]?.double, data: event["data"] ?? .null, place: place
          ).add(to: events)
        }
      }
    }
    return isLate ? .object(members) : nil
  }
}

/// The database of ActivityWatch's Python server.
enum ActivityWatchDatabase: DatabaseFormat {
  static let name = "aw-db"
  static let summary = "programs and pages used (ActivityWatch database)"
  static let source = ActivityWatchEvent.source
  static let tables = ["bucketmodel", "eventmodel"]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let duration = try database.list(["duration"], of: "eventmodel", as: "e")
    let host = try database.list(["hostname"], of: "bucketmodel", as: "b")
    let query = """
      select e.rowid, e.timestamp, \(duration), e.datastr, b.id, b.type, \(host)
      from eventmodel e left join bucketmodel b on b.key = e.bucket_id
      """
    try database.forEachRow(query, of: "e", events) { (row) throws(CairnError) in
      try ActivityWatchEvent.add(
        row, time: row.text(1).flatMap { CivilTime.iso($0) }, duration: row.double(2), to: events)
    }
  }
}
