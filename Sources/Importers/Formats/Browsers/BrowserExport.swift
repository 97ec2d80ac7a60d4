import Events

/// Dumps of the browserexport tool, an array or one object a line.
enum BrowserExport: JSONFormat {
  static let name = "browserexport"
  static let summary = "dump of the browserexport tool"

  static func fits(_ file: InputFile) -> Bool {
    file.holds("\"dt\"") && file.holds("\"url\"") && file.holds("\"metadata\"")
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    try json.recordsOrLines(events) { (visit, place) throws(CairnError) in
      guard let url = visit["url"]?.string else { return events.malformed(place, "no URL") }
      let date = visit["dt"]
      let time =
        if let text = date?.string { CivilTime.iso(text) } else {
          date?.double.flatMap { CivilTime.seconds($0) }
        }
      try events.add(
        PageVisit(url: url, title: visit["metadata"]?["title"]?.string, time: time, place: place))
    }
  }
}
