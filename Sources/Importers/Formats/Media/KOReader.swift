import Values

/// `statistics.sqlite3` of KOReader: pages turned, as sessions of reading.
enum KOReader: DatabaseFormat {
  static let name = "koreader"
  static let summary = "books read (KOReader statistics.sqlite3)"
  static let tables = ["book"]
  static let columns: [String: Set<String>] = ["book": ["authors", "md5", "total_read_pages"]]

  /// Seconds between two pages that still belong to one session.
  private static let pause: Int64 = 300

  /// A page that was turned.
  ///
  /// All of them are held to be put in order: no more than these four numbers each.
  private struct Page {
    var book: Int64
    var start: Int64
    var duration: Int64
    var row: Int64
  }

  private static let pageCountMax = 2_000_000

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let pages = try pages(of: database, events)
    var found: Set<Int64> = []
    let about = try database.list(["authors", "md5"], of: "book", as: "b")
    let query = "select b.rowid, b.id, b.title, \(about) from book b"
    try database.forEachRow(query, of: "b", events) { (row) throws(CairnError) in
      guard let book = row.integer(1), let title = row.text(2).flatMap(CommandText.nonBlank)
      else { return }
      let first = pages.indices.partitioningIndex { pages[$0].book >= book }
      let turned = pages[first...].prefix { $0.book == book }
      guard !turned.isEmpty, found.insert(book).inserted else { return }
      let authors = (row.text(3) ?? "").split(separator: "\n").map { CommandText.trimmed($0) }
      try add(turned, title, authors, digest: row.text(4) ?? title, to: events)
    }
    for page in pages where !found.contains(page.book) {
      events.record = { Array("\(page.row)|\(page.book)|\(page.start)|\(page.duration)".utf8) }
      events.malformed(.row(page.row), "no book")
    }
  }

  /// The pages of one book after those of another, each book's by time.
  private static func pages(of database: Database, _ events: Collector) throws(CairnError)
    -> [Page]
  {
    var pages: [Page] = []
    // Until 2020 the table had the name that a view has now, and a column that of another.
    let tables = ["page_stat_data", "page_stat"]
    guard let table = tables.first(where: database.tables.contains) else {
      throw CairnError(.malformed, "is not in the format \(name) (no table \(tables[0]))")
    }
    let duration = try ["duration", "period"].map { (column) throws(CairnError) in
      try database.list([column], of: table, as: "p")
    }.joined(separator: ", ")
    let query = "select p.rowid, p.id_book, p.start_time, coalesce(\(duration)) from \(table) p"
    try database.forEachRow(query, of: "p", events) { (row) throws(CairnError) in
      guard let start = row.integer(2), start > 0, start < 1 << 40 else {
        return events.malformed(row.place, "no time")
      }
      guard pages.count < pageCountMax else {
        throw CairnError(.malformed, "has more pages than anybody turns")
      }
      pages.append(
        Page(
          book: row.integer(1) ?? 0, start: start,
          duration: min(max(0, row.integer(3) ?? 0), 1 << 30), row: row.integer(0) ?? 0))
    }
    pages.sort { ($0.book, $0.start) < ($1.book, $1.start) }
    return pages
  }

  /// Adds the sessions of a book by its pages, which are in the order of time.
  private static func add(
    _ pages: ArraySlice<Page>, _ title: String, _ authors: [String], digest: String,
    to events: Collector
  ) throws(CairnError) {
    var rest = pages
    while let first = rest.first {
      var (end, dwell) = (first.start, Int64(0))
      while let page = rest.first, page.start <= end + pause {
        end = max(end, page.start + page.duration)
        dwell += page.duration
        rest = rest.dropFirst()
      }
      var event = ImportedEvent(
        item: OtherItems.item("book", title), domain: "media.books",
        time: first.start * 1_000_000, title: title,
        identity: Identity(source, digest, String(first.start)), place: .row(first.row))
      event.set("authorNames", authors)
      event.dwell = Double(dwell)
      try events.add(event)
    }
  }
}
