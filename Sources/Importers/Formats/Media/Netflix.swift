import Values

/// `ViewingActivity.csv` of Netflix's personal information.
enum Netflix: CSVFormat {
  static let name = "netflix"
  static let summary = "films and series watched (Netflix ViewingActivity.csv)"
  static let columns = ["profile name", "duration", "title", "device type"]

  static func read(_ rows: inout CSVRows, into events: Collector) throws(CairnError) {
    let timeColumn = rows.has("start time") ? "start time" : "start time (utc)"
    try rows.forEachRow(events) { (row, place) throws(CairnError) in
      let stamp = row[timeColumn] ?? ""
      guard let time = events.time(CivilTime.iso(stamp), at: place) else { return }
      guard let title = row["title"].flatMap(CommandText.nonBlank) else {
        return events.malformed(place, "no title")
      }
      let profile = row["profile name"] ?? ""
      var event = ImportedEvent(
        item: OtherItems.item("video", title), domain: "media.video", time: time, title: title,
        identity: Identity(source, profile, stamp, title), place: place)
      event.identity.addCount()
      event.actor = profile.isEmpty ? nil : profile
      event.device = row["device type"]
      event.dwell = row["duration"].flatMap(CivilTime.duration).map(Double.init)
      let isTrailer = row["supplemental video type"].flatMap(CommandText.nonBlank) != nil
      let isIdle = row["attributes"]?.contains("Autoplayed: user action: None") == true
      if isTrailer || isIdle { event.transition = .auto }
      try events.add(event)
    }
  }
}

/// `NetflixViewingHistory.csv`, which has days in an unknown order of day and month.
enum NetflixDays: HistoryFormat {
  static let name = "netflix-days"
  static let summary = "Netflix's short list, which cannot be imported"

  static func recognises(_ file: InputFile) -> Bool {
    file.firstLine.lowercased().filter { $0 != "\"" } == "title,date"
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    throw CairnError(
      .malformed,
      "has days without times; ask Netflix for your personal information (ViewingActivity.csv)")
  }
}
