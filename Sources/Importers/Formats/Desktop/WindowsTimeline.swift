import Events

/// `ActivitiesCache.db` of Windows 10 and older 11.
enum WindowsTimeline: DatabaseFormat {
  static let name = "windows-timeline"
  static let summary = "programs used in Windows (ActivitiesCache.db)"
  static let tables = ["Activity"]
  static let columns: [String: Set<String>] = ["Activity": ["AppId", "ActivityType"]]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let optional = try database.list(
      ["StartTime", "Payload", "PlatformDeviceId"], of: "Activity", as: "a")
    let query = "select a.rowid, a.Id, a.AppId, a.ActivityType, \(optional) from Activity a"
    try database.forEachRow(query, of: "a", events) { (row) throws(CairnError) in
      try read(row, into: events)
    }
  }

  private static func read(_ row: Database.Rows, into events: Collector) throws(CairnError) {
    let place = row.place
    let type = row.integer(3) ?? 0
    guard type == 5 || type == 6 else { return events.skip("activity type \(type)") }
    let start = row.integer(4).flatMap { CivilTime.scaled($0, by: 1_000_000) }
    guard let time = events.time(start, at: place) else { return }
    let app = application(row.bytes(2) ?? [])
    let payload = JSONValue(bytes: row.bytes(5) ?? []) ?? .null
    let device = row.text(6) ?? ""
    let title = [payload["displayText"]?.string, payload["appDisplayName"]?.string].lazy
      .compactMap { $0.flatMap(CommandText.nonBlank) }.first
    var found: ImportedEvent
    if let url = address(payload) {
      guard let page = events.event(url: url, title: title, at: place) else { return }
      found = page
    } else {
      guard let app else { return events.malformed(place, "no program") }
      found = ImportedEvent(
        item: OtherItems.item("app", app), domain: OtherItems.domain("apps", device, app),
        time: nil, title: title ?? app, identity: Identity(), place: place)
    }
    found.time = time
    found.identity = Identity(source, Hexadecimal.text(row.bytes(1) ?? []))
    found.device = device
    if type == 6 { found.dwell = payload["activeDurationSeconds"]?.double }
    found.set("application", app)
    try events.add(found)
  }

  /// What was opened, where it is a page or a file.
  private static func address(_ payload: JSONValue) -> String? {
    let url = payload["activationUri"]?.string ?? payload["contentUri"]?.string ?? ""
    let isOpenable = ["http://", "https://", "file:"].contains { url.lowercased().hasPrefix($0) }
    return isOpenable ? url : nil
  }

  /// The first name of the program on a platform that tells one.
  private static func application(_ json: [UInt8]) -> String? {
    guard let list = JSONValue(bytes: json) else { return nil }
    let platforms = ["x_exe_path", "windows_win32", "windows_universal", "packageId"]
    for entry in list.elements {
      guard let platform = entry["platform"]?.string, platforms.contains(platform),
        let name = entry["application"]?.string, !name.isEmpty
      else { continue }
      return name
    }
    return nil
  }
}
