import Values

/// `db.zo` of zoxide: folders with a rank and a last time (src/db/mod.rs, version 3).
enum Zoxide: HistoryFormat {
  static let name = "zoxide"
  static let summary = "folders of zoxide (db.zo)"
  static let isAggregate = true

  /// As zoxide itself refuses larger ones.
  private static let byteCountMax = 32 << 20

  static func recognises(_ file: InputFile) -> Bool {
    var reader = BinaryReader(Array(file.head.prefix(20)))
    guard reader.unsigned(4, .little) == 3, let count = reader.unsigned(8, .little),
      let length = reader.unsigned(8, .little)
    else { return false }
    return count < 1 << 24 && length < 1 << 16 && file.byteCount < byteCountMax
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    var reader = BinaryReader(try file.whole(most: byteCountMax))
    guard let version = reader.unsigned(4, .little), version == 3 else {
      throw CairnError(.malformed, "is no database of zoxide, version 3")
    }
    guard let count = reader.unsigned(8, .little) else {
      throw CairnError(.malformed, "is no database of zoxide (it ends too early)")
    }
    var index = 0
    while UInt64(index) < count {
      let place = RecordPlace.record(index)
      guard let length = reader.unsigned(8, .little), length <= UInt64(reader.left),
        let path = reader.bytes(Int(length)), let bits = reader.unsigned(8, .little),
        let last = reader.int64(.little)
      else { return events.malformed(place, "the file ends in the middle") }
      index += 1
      try FolderUse(
        path: path, visits: Double(bitPattern: bits),
        time: CivilTime.scaled(last, by: 1_000_000) ?? .max, contentType: "public.folder",
        place: place
      ).add(source: source, to: events)
    }
  }
}

/// A folder or file with a count of its uses, as jumpers keep it.
struct FolderUse {
  var path: [UInt8]
  /// How often it was used; what fades is rounded.
  var visits: Double
  /// Microseconds since 1970; nil where there is none.
  var time: Int64?
  var contentType: String?
  var place: RecordPlace

  func add(source: String, to events: Collector) throws(CairnError) {
    guard let file = FileItem(path: path, home: events.options.home) else {
      return events.malformed(place, "a path that is not absolute")
    }
    guard visits.isFinite, visits >= 0, visits < 1e12 else {
      return events.malformed(place, "a count out of range")
    }
    if let time, !CivilTime.isInRange(time) {
      return events.malformed(place, "a time out of range")
    }
    guard var event = events.event(file: file, title: nil, at: place) else { return }
    event.visits = max(1, Int64(visits.rounded(.toNearestOrEven)))
    event.isAggregate = true
    event.time = time
    event.identity = Identity(
      source, event.item, time.map { String($0) } ?? "visits \(event.visits)")
    event.set("contentType", contentType)
    try events.add(event)
  }
}
