import Events

/// `activity.sqlite` of Zeitgeist.
enum Zeitgeist: DatabaseFormat {
  static let name = "zeitgeist"
  static let summary = "files and pages used in GNOME or elementary (Zeitgeist)"
  static let tables = ["event", "interpretation", "manifestation", "actor", "uri"]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    // Old databases do not know what a moved file is called now.
    let current = try database.list(["subj_id_current"], of: "event", as: "e")
    let query = """
      select e.rowid, e.timestamp, i.value, m.value, a.value, u.value, c.value, t.value, x.value
      from event e left join interpretation i on i.id = e.interpretation
        left join manifestation m on m.id = e.manifestation left join actor a on a.id = e.actor
        left join uri u on u.id = e.subj_id left join uri c on c.id = \(current)
        left join mimetype t on t.id = e.subj_mimetype left join text x on x.id = e.subj_text
      """
    try database.forEachRow(query, of: "e", events) { (row) throws(CairnError) in
      try read(row, into: events)
    }
  }

  private static func read(_ row: Database.Rows, into events: Collector) throws(CairnError) {
    let place = row.place
    let interpretation = row.text(2)?.split(separator: "#").last.map(String.init) ?? ""
    let kind: EventKind
    switch interpretation {
    case "LeaveEvent": return events.skip("LeaveEvent")
    case "CreateEvent": kind = .index
    case "DeleteEvent", "MoveEvent": kind = .delete
    default: kind = .view
    }
    try add(row, uri: row.exactText(5), kind, interpretation, place, events)
    if interpretation == "MoveEvent", let current = row.exactText(6) {
      try add(row, uri: current, .index, interpretation, place, events)
    }
  }

  private static func add(
    _ row: Database.Rows, uri: String?, _ kind: EventKind, _ interpretation: String,
    _ place: RecordPlace, _ events: Collector
  ) throws(CairnError) {
    let actor = row.text(4) ?? ""
    guard var event = events.event(url: uri, title: row.text(8), at: place) else { return }
    let stamp = row.integer(1).flatMap { CivilTime.scaled($0, by: 1000) }
    guard let time = events.time(stamp, at: place) else { return }
    event.kind = kind
    event.time = time
    event.identity = Identity(
      source, String(time / 1000), interpretation, actor, uri ?? "", "\(kind.rawValue)")
    let isByUser = row.text(3)?.hasSuffix("#UserActivity") == true
    if !isByUser, kind == .view { event.transition = .auto }
    event.set("mimeType", row.text(7))
    var application = actor[...]
    if application.hasPrefix("application://") { application = application.dropFirst(14) }
    if application.hasSuffix(".desktop") { application = application.dropLast(8) }
    event.set("application", String(application))
    event.set("interpretation", interpretation)
    try events.add(event)
  }
}
