import Events

/// `History.json` that Safari exports: a count and the latest visit for each page.
enum SafariExport: JSONFormat {
  static let name = "safari-export"
  static let summary = "history that Safari exported (History.json)"
  /// The one of ``Safari``: counts are of the visits that its database told, too.
  static let source = Safari.source
  static let isAggregate = true

  static func fits(_ file: InputFile) -> Bool {
    // Other programs that write the same have a name of their own in it.
    ["metadata", "history"].contains(file.firstKey) && file.holds("\"history\"")
      && (file.holds("\"browser_name\"") || file.holds("\"time_usec\""))
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    let document = "no history that Safari exported"
    try json.member("history", kind: .array, of: document) { () throws(CairnError) in
      try json.records(events) { (page, place) throws(CairnError) in
        let transition: Transition =
          if page["destination_url"]?.string != nil { .redirect } else {
            page["latest_visit_was_load_failure"]?.bool == true ? .auto : .link
          }
        let visit = PageVisit(
          url: page["url"]?.string, title: page["title"]?.string, time: page["time_usec"]?.integer,
          transition: transition, place: place)
        try events.add(visit) { event in
          // Files of other programs in this form name it visits_count.
          let count = page["visit_count"] ?? page["visits_count"]
          event.visits = max(1, count?.integer ?? 1)
          event.isAggregate = true
        }
      }
    }
  }
}
