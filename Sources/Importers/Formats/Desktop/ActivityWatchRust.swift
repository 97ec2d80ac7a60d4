import Events

/// `sqlite.db` of ActivityWatch's server in Rust, which newer releases bring.
enum ActivityWatchRust: DatabaseFormat {
  static let name = "aw-server-rust"
  static let summary = "programs and pages used (ActivityWatch database of aw-server-rust)"
  static let source = ActivityWatchEvent.source
  static let tables = ["buckets", "events"]
  static let columns: [String: Set<String>] = [
    "buckets": ["name", "type", "hostname"],
    "events": ["bucketrow", "starttime", "endtime", "data"],
  ]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let query = """
      select e.rowid, e.starttime, e.endtime, e.data, b.name, b.type, b.hostname
      from events e left join buckets b on b.id = e.bucketrow
      """
    try database.forEachRow(query, of: "e", events) { (row) throws(CairnError) in
      // Nanoseconds.
      let (start, end) = (row.integer(1), row.integer(2))
      let length = start.flatMap { end?.subtractingReportingOverflow($0).partialValue }
      try ActivityWatchEvent.add(
        row, time: start.map { $0 / 1000 }, duration: length.map { Double($0) / 1e9 }, to: events)
    }
  }
}
