import Values

/// `statistics.sqlite3` of KOReader: pages turned, as sessions of reading.
enum KOReader: DatabaseFormat {
  static let name = "koreader"
  static let summary = "books read (KOReader statistics.sqlite3)"
  static let tables = ["book", "page_stat_data"]

  /// Seconds between two pages that still belong to one session.
  private static let pause: Int64 = 300

  private struct Session {
    var book: Int64
    var title: String
    var authors: [String]
    var digest: String
    var start: Int64
    var end: Int64
    var dwell: Int64
    var place: RecordPlace
  }

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let query = """
      select p.rowid, p.id_book, p.start_time, p.duration, b.title, b.authors, b.md5, b.id
      from page_stat_data p
        left join (select id, title, authors, md5 from book group by id) b on b.id = p.id_book
      order by p.id_book, p.start_time
      """
    var session: Session?
    try database.forEachRow(query, events) { (row) throws(CairnError) in
      let place = row.place
      let book = row.integer(1) ?? 0
      guard !row.isNull(7), let title = row.text(4) else {
        return events.malformed(place, "no book")
      }
      guard let start = row.integer(2), start > 0, start < 1 << 40 else {
        return events.malformed(place, "no time")
      }
      let duration = min(max(0, row.integer(3) ?? 0), 1 << 30)
      if var open = session, open.book == book, start <= open.end + pause {
        open.end = max(open.end, start + duration)
        open.dwell += duration
        session = open
        return
      }
      if let session { try add(session, to: events) }
      let authors = (row.text(5) ?? "").split(separator: "\n").map { CommandText.trimmed($0) }
      session = Session(
        book: book, title: title, authors: authors, digest: row.text(6) ?? title, start: start,
        end: start + duration, dwell: duration, place: place)
    }
    if let session { try add(session, to: events) }
  }

  private static func add(_ session: Session, to events: Collector) throws(CairnError) {
    var event = ImportedEvent(
      item: OtherItems.item("book", session.title), domain: "media.books",
      time: session.start * 1_000_000, title: session.title,
      identity: Identity(source, session.digest, String(session.start)), place: session.place)
    event.set("authorNames", session.authors)
    event.dwell = Double(session.dwell)
    try events.add(event)
  }
}
