import Values

/// `knowledgeC.db` of macOS up to 12.
enum KnowledgeC: DatabaseFormat {
  static let name = "knowledgec"
  static let summary = "programs used on a Mac (knowledgeC.db)"
  static let tables = ["ZOBJECT"]
  private static let streams: Set<String> = [
    "/app/inFocus", "/app/usage", "/app/webUsage", "/app/mediaUsage",
  ]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let optional = try database.list(
      ["ZVALUESTRING", "ZSTARTDATE", "ZENDDATE", "ZUUID"], of: "ZOBJECT", as: "z")
    let query = "select z.rowid, z.ZSTREAMNAME, \(optional) from ZOBJECT z"
    try database.forEachRow(query, of: "z", events) { (row) throws(CairnError) in
      let place = row.place
      let stream = row.text(1) ?? ""
      guard streams.contains(stream) else { return events.skip(stream) }
      guard let app = row.exactText(2) else { return events.malformed(place, "no program") }
      guard let start = row.double(3),
        let time = CivilTime.seconds(start, since: CivilTime.epoch2001), CivilTime.isInRange(time)
      else { return events.malformed(place, "no time") }
      var event = ImportedEvent(
        item: OtherItems.item("app", app),
        domain: OtherItems.domain("apps", events.options.host, app), time: time, title: app,
        identity: Identity(source, row.text(5) ?? "\(time) \(app)"), place: place)
      if let end = row.double(4), end > start { event.dwell = end - start }
      event.set("application", app)
      event.set("stream", stream)
      try events.add(event)
    }
  }
}
