import ActivityWatch
import Cairn
import Importers
import Rows

/// Routes as ActivityWatch's servers have them, below `/api/0`.
extension Service {
  static let watchRoutes =
    bucketRoutes + watchedEventRoutes + watchTransferRoutes + watchQueryRoutes

  static let bucketRoutes = [
    watch("GET", "/api/0/info", "What this server is") { (call, _) throws(Refusal) in
      .object { line in
        line.field("hostname", LocalMachine.name)
        line.field("version", "cairn \(call.service.options.version)")
        line.field("testing", false)
        line.field("device_id", call.service.deviceID)
      }
    },
    watch("GET", "/api/0/buckets", "Every bucket") { (_, watches) throws(Refusal) in
      let buckets = try answering(watches.buckets())
      return .json(
        try JSONLine.line { (line) throws(Refusal) in
          for bucket in buckets { line.field(text: bucket.id, json: try watches.json(bucket)) }
        })
    },
    watch("GET", "/api/0/buckets/{bucket}", "One bucket") { (call, watches) throws(Refusal) in
      .json(try watches.json(try call.bucket(watches)))
    },
    watch(
      "POST", "/api/0/buckets/{bucket}", "Make a bucket",
      body: .json(limit: ServiceLimits.eventsByteCount), lane: .watch
    ) { (call, watches) throws(Refusal) in
      let object = try call.object()
      let id = call.names["bucket"] ?? ""
      try checkBucketName(id)
      var bucket = Bucket(
        id: id, type: try call.watchText("type", object),
        client: try call.watchText("client", object),
        hostname: try call.watchText("hostname", object),
        created: ActivityTime(microseconds: Timestamp.now().microseconds).isoformat)
      // Clients in Rust say here which device a bucket was synced from.
      if let data = object["data"]?.object { bucket.data = data }
      if bucket.hostname == "!local" {
        bucket.hostname = LocalMachine.name
        bucket.data["device_id"] = .string(call.service.deviceID)
      }
      let isMade = try answering(watches.make(bucket))
      return isMade ? .emptyObject : Answer(304)
    },
    watch(
      "PUT", "/api/0/buckets/{bucket}", "Change what a bucket says of itself",
      body: .json(limit: ServiceLimits.eventsByteCount)
    ) { (call, watches) throws(Refusal) in
      let object = try call.object()
      let isFound = try answering(
        watches.change(call.names["bucket"] ?? "") { bucket in
          if let text = object["type"]?.string { bucket.type = text }
          if let text = object["client"]?.string { bucket.client = text }
          if let text = object["hostname"]?.string { bucket.hostname = text }
          if let data = object["data"]?.object { bucket.data = data }
        })
      guard isFound else { throw Call.noBucket }
      return .emptyObject
    },
    watch(
      "DELETE", "/api/0/buckets/{bucket}", "Remove a bucket and purge its events",
      [Parameter("force", .text)], lane: .stream
    ) { (call, watches) throws(Refusal) in
      _ = try call.bucket(watches)
      guard call.parameters.text("force") == "1" else {
        throw Refusal(401, "scope", "Deleting a bucket cannot be undone: say force=1.")
      }
      let isFound = try answering(watches.remove(call.names["bucket"] ?? ""))
      guard isFound else { throw Call.noBucket }
      return .emptyObject
    },
  ]

  private static let bucketNameByteCountMax = 4_096

  /// Refuses the name of a bucket that no address could name, and so nobody could remove; what one
  /// server makes and exports, every other one imports.
  static func checkBucketName(_ name: String) throws(Refusal) {
    guard !name.isEmpty, name.utf8.count <= bucketNameByteCountMax, !name.utf8.contains(0) else {
      throw Refusal(
        400, "malformed",
        "A bucket's name has from 1 to \(bucketNameByteCountMax) bytes, and no NUL")
    }
  }

  /// A route of ActivityWatch's interface.
  static func watch(
    _ method: String, _ pattern: String, _ summary: String, _ parameters: [Parameter] = [],
    body: Route.Body = .none, lane: Route.Lane = .request,
    run: @escaping @Sendable (Call, WatchStore) throws(Refusal) -> Answer?
  ) -> Route {
    var route = Route(
      method, pattern, method == "GET" || pattern.hasSuffix("/query") ? .read : .admin, summary,
      parameters, body: body, lane: lane, part: .watch
    ) { (call) throws(Refusal) in
      guard let watches = call.service.watches else { throw .notFound("ActivityWatch is off") }
      return try run(call, watches)
    }
    if method == "POST", pattern.contains("{bucket}") { route.scope = .ingest }
    // aw-client sends an empty object along, which asks for nothing.
    if method == "DELETE" { route.body = .json(limit: ServiceLimits.jsonByteCount) }
    return route
  }
}

extension WatchStore {
  /// A bucket as ActivityWatch gives it, with the end of its last event.
  func json(_ bucket: Bucket) throws(Refusal) -> [UInt8] {
    let end = try answering(lastEnd(of: bucket.id))
    return JSONLine.value { line in
      line.fields(of: bucket)
      if let end { line.field("last_updated", ActivityTime(microseconds: end).isoformat) }
    }
  }
}

extension Call {
  static let noBucket = Refusal(404, "notFound", "There's no bucket of that name")

  func bucket(_ watches: WatchStore) throws(Refusal) -> Bucket {
    let found = try answering(watches.bucket(names["bucket"] ?? ""))
    guard let found else { throw Self.noBucket }
    return found
  }

  fileprivate func watchText(_ name: String, _ object: JSONObject) throws(Refusal) -> String {
    guard let text = object[name]?.string else {
      throw Refusal(400, "badArgument", "\(name) is missing or no text", place: name)
    }
    return text
  }

  /// A time in the query, in microseconds since 1970.
  func watchTime(_ name: String) throws(Refusal) -> Int64? {
    guard let text = parameters.text(name), !text.isEmpty else { return nil }
    // A plus sign that was not escaped has become a space.
    guard let time = ActivityTime(text.replacing(" ", with: "+")) ?? ActivityTime(text) else {
      throw Refusal(400, "badArgument", "\(name) is no time in ISO 8601", place: name)
    }
    return time.microseconds
  }
}
