import ActivityWatch
import Cairn

/// Whole buckets in and out, and the settings of ActivityWatch's pages.
extension Service {
  static let watchTransferRoutes = [
    watch("GET", "/api/0/export", "Every bucket with its events", lane: .stream) {
      (call, watches) throws(Refusal) in
      let buckets = try answering(watches.buckets())
      try call.export(buckets, watches, name: "aw-buckets-export.json")
      return nil
    },
    watch("GET", "/api/0/buckets/{bucket}/export", "A bucket with its events", lane: .stream) {
      (call, watches) throws(Refusal) in
      try call.export([try call.bucket(watches)], watches, name: "aw-bucket-export.json")
      return nil
    },
    watch(
      "POST", "/api/0/import", "Take in buckets as an export gives them",
      body: .file(limit: ServiceLimits.eventsByteCount), lane: .stream
    ) { (call, watches) throws(Refusal) in
      // A watcher is told 200 and not stored; who takes in a file must know that it was not.
      guard !call.service.rules.isPaused else {
        throw Refusal(409, "paused", "Recording is paused: go on with it, then import again")
      }
      // Everything is read before anything is written.
      var read: [(Bucket, [WatchedEvent])] = []
      for object in try call.sentFiles() {
        guard let buckets = object["buckets"]?.object else {
          throw Refusal(400, "malformed", "The body has no buckets")
        }
        for member in buckets {
          let (bucket, events) = try importedBucket(member.key, member.value)
          read.append((bucket, events.compactMap { call.ruled($0, in: bucket) }))
        }
      }
      // As an export has them, which the keys of an object do not keep.
      for (bucket, events) in read.sorted(by: { $0.0.created < $1.0.created }) {
        try answering { () throws(CairnError) in
          _ = try watches.make(bucket)
          // An export begins with the newest, which stays the one that came last.
          _ = try watches.insert(try watches.missing(events, in: bucket.id).reversed(), in: bucket)
        }
      }
      return .emptyObject
    },
    watch("GET", "/api/0/settings", "Every setting of the pages") { (call, _) throws(Refusal) in
      .json(try call.service.settings.all())
    },
    watch("GET", "/api/0/settings/{key}", "One setting") { (call, _) throws(Refusal) in
      .json(try call.service.settings.value(try call.settingKey()) ?? Array("null".utf8))
    },
    watch(
      "POST", "/api/0/settings/{key}", "Change a setting",
      body: .json(limit: ServiceLimits.jsonByteCount)
    ) { (call, _) throws(Refusal) in
      let bytes = try call.wholeBody()
      try call.service.settings.set(try call.settingKey(), try JSONBody.value(bytes))
      return Answer(201, MediaType.json, bytes)
    },
    watch("DELETE", "/api/0/settings/{key}", "Forget a setting") { (call, _) throws(Refusal) in
      try call.service.settings.set(try call.settingKey(), nil)
      return .emptyObject
    },
  ]

  /// A bucket with its events, called by `key` where it does not name itself.
  private static func importedBucket(_ key: String, _ value: JSONValue) throws(Refusal) -> (
    Bucket, [WatchedEvent]
  ) {
    guard case .object(let members) = value else {
      throw Refusal(400, "malformed", "A bucket is a JSON object")
    }
    let known = { (name: String) -> String in members[name]?.string ?? "unknown" }
    let id = members["id"]?.string ?? key
    try checkBucketName(id)
    var bucket = Bucket(
      id: id, type: known("type"), client: known("client"),
      hostname: known("hostname"), created: created(members["created"]?.string))
    if let data = members["data"]?.object { bucket.data = data }
    guard let values = members["events"]?.array else { return (bucket, []) }
    return (bucket, try values.map { (value) throws(Refusal) in try event(value).withoutID })
  }

  /// When a bucket was made, by what an export says: clients in Rust read no list of buckets in
  /// which one was made at no time, or at one without a zone.
  private static func created(_ text: String?) -> String {
    guard let text, let time = ActivityTime(text) else {
      return ActivityTime(microseconds: Timestamp.now().microseconds).isoformat
    }
    return Timestamp(rfc3339: text) == nil ? time.isoformat : text
  }
}

extension Call {
  /// The JSON in the body: by itself, or as files of a form.
  fileprivate func sentFiles() throws(Refusal) -> [JSONObject] {
    let header = request.value("content-type") ?? ""
    let type = MediaType.name(of: header)
    guard type == MediaType.json || type == MultipartForm.type else {
      throw Refusal(
        415, "mediaType", "the body comes as \(MediaType.json) or as \(MultipartForm.type)")
    }
    let bytes = try wholeBody()
    guard type == MultipartForm.type else { return [try exported(bytes)] }
    var files: [JSONObject] = []
    for part in try MultipartForm.parts(of: bytes, header) {
      files.append(try exported(Array(part)))
    }
    return files
  }

  /// What an export gives: each event, which was a heartbeat once, stands in the list of a bucket.
  private func exported(_ bytes: [UInt8]) throws(Refusal) -> JSONObject {
    try JSONBody.object(bytes, isOfWatcher: true, around: 4)
  }

  fileprivate func settingKey() throws(Refusal) -> String {
    let key = names["key"] ?? ""
    guard key.utf8.count < 128 else {
      throw Refusal(400, "badArgument", "A key has fewer than 128 bytes")
    }
    return key
  }

  /// Sends buckets with their events, read as they are sent.
  fileprivate func export(_ buckets: [Bucket], _ watches: WatchStore, name: String) throws(Refusal)
  {
    if let damage = watches.damage { throw Refusal(damage) }
    let answer = try begin(
      MediaType.json, [Header("Content-Disposition", "attachment; filename=\(name)")])
    var bytes: [UInt8] = Array("{\"buckets\":{".utf8)
    for (index, bucket) in buckets.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONText.append(bucket.id, to: &bytes)
      bytes += Array(":".utf8) + (try watches.json(bucket)).dropLast() + Array(",\"events\":".utf8)
      let entries = try answering(watches.entries(of: bucket.id))
      try answer.append(entries, of: watches, withID: false, to: &bytes)
      bytes += "}".utf8
    }
    bytes += "}}".utf8
    try answer.write(bytes)
    answer.end()
  }
}
