import Values

/// `resources/database` of KDE's activity manager.
enum KActivities: DatabaseFormat {
  static let name = "kactivities"
  static let summary = "files and pages used in KDE Plasma (kactivitymanagerd)"
  static let tables = ["ResourceEvent"]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let activity = try database.list(["usedActivity"], of: "ResourceEvent", as: "e")
    let end = try database.list(["end"], of: "ResourceEvent", as: "e")
    let about = try database.list(["title", "mimetype"], of: "ResourceInfo", as: "i")
    let isDescribed = database.tables.contains("ResourceInfo")
    let info = "left join ResourceInfo i on i.targettedResource = e.targettedResource"
    let query = """
      select e.rowid, e.targettedResource, e.initiatingAgent, \(activity), e.start, \(end), \(about)
      from ResourceEvent e \(isDescribed ? info : "")
      """
    try database.forEachRow(query, of: "e", events) { (row) throws(CairnError) in
      let place = row.place
      guard let resource = row.exactText(1) else { return events.malformed(place, "no resource") }
      let found =
        resource.utf8.first == UInt8(ascii: "/")
        ? events.event(path: resource, title: row.text(6), at: place)
        : events.event(url: resource, title: row.text(6), at: place)
      guard var event = found else { return }
      let start = row.integer(4) ?? 0
      let stamp = CivilTime.scaled(start, by: 1_000_000)
      guard let time = events.time(stamp, at: place) else { return }
      event.time = time
      let agent = row.text(2) ?? ""
      event.identity = Identity(source, agent, resource, String(start))
      event.identity.addCount()
      if let end = row.integer(5), end > start { event.dwell = Double(end - start) }
      event.set("application", agent)
      event.set("activity", row.text(3))
      event.set("mimeType", row.text(7))
      try events.add(event)
    }
  }
}
