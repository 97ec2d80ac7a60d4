import Events

/// AWS CloudTrail: log files, one record a line, or what `lookup-events` prints.
enum CloudTrail: JSONFormat {
  static let name = "cloudtrail"
  static let summary = "acts in Amazon's cloud (CloudTrail)"

  static func fits(_ file: InputFile) -> Bool {
    file.holds("\"CloudTrailEvent\"")
      || file.holds("\"eventSource\"") && file.holds("\"awsRegion\"")
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    if try json.kind() == .array { return try json.records(events, reading(events)) }
    try json.objects(events) { (index) throws(CairnError) in
      var members = JSONObject()
      var isList = false
      try json.members { (key) throws(CairnError) in
        if key == "Records" || key == "Events", try json.kind() == .array {
          isList = true
          return try json.records(events, reading(events))
        }
        guard keys.contains(key) else { return try json.skip() }
        if case .value(let value) = try json.value() { members[key] = value }
      }
      if !isList { try reading(events)(.object(members), .element(index)) }
    }
  }

  private static let keys: Set = [
    "CloudTrailEvent", "eventName", "eventTime", "eventSource", "resources", "eventID",
    "userIdentity", "awsRegion",
  ]

  private static func reading(_ events: Collector)
    -> (JSONValue, RecordPlace) throws(CairnError) -> Void
  {
    { (outer, place) throws(CairnError) in
      var record = outer
      if let text = outer["CloudTrailEvent"]?.string {
        guard let inner = JSONValue(bytes: Array(text.utf8)) else {
          return events.malformed(place, "a CloudTrailEvent that is no JSON")
        }
        record = inner
      }
      try add(record, place, events)
    }
  }

  private static func add(_ record: JSONValue, _ place: RecordPlace, _ events: Collector)
    throws(CairnError)
  {
    guard let name = record["eventName"]?.string, let stamp = record["eventTime"]?.string,
      let time = CivilTime.iso(stamp), CivilTime.isInRange(time)
    else { return events.malformed(place, "no event with a time") }
    let origin = record["eventSource"]?.string ?? ""
    let service = origin.split(separator: ".").first.map(String.init) ?? "aws"
    let resource = record["resources"]?.elements.lazy.compactMap { $0["ARN"]?.string }.first
    var event = ImportedEvent(
      item: resource ?? "aws:\(service)/\(name)", domain: OtherItems.domain("audit.aws", service),
      time: time, title: name,
      identity: Identity(source, record["eventID"]?.string ?? "\(stamp) \(name)"), place: place)
    let who = record["userIdentity"]
    event.actor =
      ["arn", "userName", "invokedBy", "type"].lazy.compactMap { who?[$0]?.string }.first
    event.set("region", record["awsRegion"]?.string)
    try events.add(event)
  }
}
