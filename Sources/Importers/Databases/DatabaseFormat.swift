import Values

/// A format that is a SQLite database.
protocol DatabaseFormat: HistoryFormat {
  /// The tables by which it is known.
  static var tables: [String] { get }
  static func read(_ database: Database, into events: Collector) throws(CairnError)
}

extension DatabaseFormat {
  package static func recognises(_ file: InputFile) -> Bool {
    file.isDatabase && file.tables.isSuperset(of: tables)
  }

  package static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    let database = try file.database()
    for table in tables where !database.tables.contains(table) {
      throw CairnError(.malformed, "is no \(summary) (no table \(table))")
    }
    try read(database, into: events)
  }
}
