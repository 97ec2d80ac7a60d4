import Values

protocol DatabaseFormat: HistoryFormat {
  /// The tables by which it is known.
  static var tables: [String] { get }
  /// Columns by which it is told from others with these tables, by table.
  static var columns: [String: Set<String>] { get }
  static func read(_ database: Database, into events: Collector) throws(CairnError)
}

extension DatabaseFormat {
  package static var columns: [String: Set<String>] { [:] }

  package static func recognises(_ file: InputFile) -> Bool {
    guard file.isDatabase, file.tables.isSuperset(of: tables) else { return false }
    return columns.allSatisfy { table, names in
      // A damaged database is of no known format.
      (try? file.database().columns(table).isSuperset(of: names)) == true
    }
  }

  package static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    let database = try file.database()
    for table in tables where !database.tables.contains(table) {
      throw CairnError(.malformed, "is not in the format \(name) (no table \(table))")
    }
    try read(database, into: events)
    // Whether rows of it are missing cannot be told: their pages may have held something else.
    if database.isCutOff {
      events.malformed(
        .byte(Int(file.byteCount)), "the file is cut off; rows of what is missing are lost")
    }
  }
}

/// A database that cannot be opened, of which nobody can tell whether it is a history.
enum DamagedDatabase: HistoryFormat {
  static let name = "database"
  static let summary = "a database that cannot be opened"

  static func recognises(_ file: InputFile) -> Bool {
    // What is wrong with it is told of where it is read.
    (try? file.requireReadable()) == nil
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    try file.requireReadable()
    throw CairnError(.malformed, "is in no format that cairn knows")
  }
}
