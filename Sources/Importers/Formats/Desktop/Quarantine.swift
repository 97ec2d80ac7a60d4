import Values

/// `QuarantineEventsV2` of macOS: what was downloaded.
enum Quarantine: DatabaseFormat {
  static let name = "quarantine"
  static let summary = "downloads on a Mac (QuarantineEventsV2)"
  static let tables = ["LSQuarantineEvent"]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let names = ["DataURLString", "OriginURLString", "OriginTitle", "AgentName", "EventIdentifier"]
    let optional = try database.list(
      names.map { "LSQuarantine\($0)" }, of: "LSQuarantineEvent", as: "q")
    let query = "select q.rowid, q.LSQuarantineTimeStamp, \(optional) from LSQuarantineEvent q"
    try database.forEachRow(query, of: "q", events) { (row) throws(CairnError) in
      let place = row.place
      guard let url = row.exactText(2) ?? row.exactText(3) else {
        return events.malformed(place, "no URL")
      }
      let time = row.double(1).flatMap { CivilTime.seconds($0, since: CivilTime.epoch2001) }
      let visit = PageVisit(
        url: url, title: row.text(4), time: time, transition: .download, place: place)
      try events.add(visit) { event in
        event.identity = Identity(source, row.text(6) ?? "\(time ?? 0) \(url)")
        event.set("application", row.text(5))
      }
    }
  }
}
