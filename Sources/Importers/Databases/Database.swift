import CSQLite
import Values

/// Another program's SQLite database, read from a copy of ours and never trusted.
@safe final class Database {
  /// The names of its ordinary tables: views and virtual tables are not read.
  let tables: Set<String>
  private let handle: OpaquePointer
  /// Whether its file is shorter than it tells.
  private let isShort: Bool
  /// Whether its end is missing for good.
  let isCutOff: Bool

  /// Copies and opens a database; the copy's names are gone when this returns.
  init(copying path: String, scratch: String) throws(CairnError) {
    unsafe (handle, tables, isShort, isCutOff) = try unsafe PrivateCopies.withCopy(
      of: path, scratch: scratch
    ) { (copy, isShort, isCutOff) throws(CairnError) -> (OpaquePointer, Set<String>, Bool, Bool) in
      let opened = try unsafe Self.open(copy)
      return unsafe (opened.handle, opened.tables, isShort, isCutOff)
    }
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  private static func open(_ path: String) throws(CairnError)
    -> (handle: OpaquePointer, tables: Set<String>)
  {
    var opened: OpaquePointer?
    // SAFETY: the path is a NUL-ended copy; the handle is closed below or by deinit.
    let status = unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
    guard status == SQLITE_OK, let handle = unsafe opened else {
      unsafe sqlite3_close_v2(opened)
      throw CairnError(.malformed, "cannot be opened as a SQLite database")
    }
    unsafe cairn_sqlite_distrust(handle)
    // What is larger is not even read; rows have several values.
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(4 * Rows.valueByteCountMax))
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    do throws(CairnError) {
      for pragma in ["query_only=1", "cache_size=-16000", "temp_store=2", "mmap_size=0"] {
        unsafe sqlite3_exec(handle, "PRAGMA \(pragma)", nil, nil, nil)
      }
      var tables: Set<String> = []
      let rows = try unsafe Rows(
        handle, "select name from sqlite_schema where type = 'table' and rootpage > 0")
      while try rows.next() { tables.insert(rows.text(0) ?? "") }
      return unsafe (handle, tables)
    } catch {
      unsafe sqlite3_close_v2(handle)
      throw error
    }
  }

  func columns(_ table: String) throws(CairnError) -> Set<String> {
    var names: Set<String> = []
    let rows = try unsafe Rows(handle, "pragma table_info(\"\(table)\")")
    while try rows.next() { names.insert(rows.text(1) ?? "") }
    return names
  }

  /// Columns for a query, `null` for each that the table lacks: programs add and drop columns.
  func list(_ names: [String], of table: String, as alias: String) throws(CairnError) -> String {
    let known = Set(try columns(table).map { $0.lowercased() })
    return names.map { known.contains($0.lowercased()) ? "\(alias).\($0)" : "null" }
      .joined(separator: ", ")
  }

  func rows(_ query: String) throws(CairnError) -> Rows {
    let rows = try unsafe Rows(handle, query)
    rows.isShort = isShort
    return rows
  }

  /// Gives every row of a query in the order of a table's rowids, which are its first column.
  ///
  /// A damaged page costs the rows that stand in it or need it, and is one malformed record; that a
  /// file is cut off is told of the whole file.
  func forEachRow(
    _ query: String, of table: String, where condition: String = "1", _ events: Collector,
    _ body: (Rows) throws(CairnError) -> Void
  ) throws(CairnError) {
    let scan = RowScan(database: self, query: query, table: table, condition: condition)
    let found = try scan.forEach { (rows) throws(CairnError) in
      events.record = { rows.shown }
      guard !rows.hasLargeValue else {
        return events.malformed(.row(rows.integer(0) ?? 0), Self.tooLarge)
      }
      try body(rows)
    }
    events.record = { [] }
    guard let damage = found, !isCutOff else { return }
    events.malformed(.record(damage.row), "\(damage.error.message); the rows in it are lost")
  }

  private static let tooLarge = "a value larger than \(Rows.valueByteCountMax >> 20) MiB"

  /// The rows of one query, one after the other.
  @safe final class Rows {
    private let statement: OpaquePointer
    /// Whether the end of the database may be missing.
    fileprivate var isShort = false

    fileprivate init(_ handle: OpaquePointer, _ query: String) throws(CairnError) {
      var prepared: OpaquePointer?
      // SAFETY: the text is a NUL-ended copy; the statement is finalised by deinit.
      let status = unsafe sqlite3_prepare_v2(handle, query, -1, &prepared, nil)
      guard status == SQLITE_OK, let statement = unsafe prepared else { throw Self.problem(status) }
      unsafe self.statement = statement
    }

    deinit { unsafe sqlite3_finalize(statement) }

    private static func problem(_ status: Int32) -> CairnError {
      switch status {
      case SQLITE_NOTADB: CairnError(.malformed, "is no SQLite database (or an encrypted one)")
      case SQLITE_CORRUPT: CairnError(.malformed, "has a damaged page")
      case SQLITE_TOOBIG: CairnError(.malformed, "has a value larger than any of a history")
      case SQLITE_FULL: CairnError(.diskFull, "the scratch folder has no room")
      case SQLITE_IOERR: CairnError(.io, "the scratch folder cannot be written")
      case SQLITE_ERROR:
        CairnError(.malformed, "has tables of another shape than those of its format")
      default: CairnError(.malformed, "cannot be read as a SQLite database (code \(status))")
      }
    }

    /// Begins anew, with a number in the place of the query's `?`.
    func restart(from number: Int64) throws(CairnError) {
      // What ended the steps before is told by those.
      _ = unsafe sqlite3_reset(statement)
      let status = unsafe sqlite3_bind_int64(statement, 1, number)
      guard status == SQLITE_OK else { throw Self.problem(status) }
    }

    /// Steps to the next row; false after the last.
    func next() throws(CairnError) -> Bool {
      let status = unsafe sqlite3_step(statement)
      guard status == SQLITE_ROW || status == SQLITE_DONE else { throw Self.problem(status) }
      return status == SQLITE_ROW
    }

    func isNull(_ column: Int32) -> Bool {
      unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// A whole number; nil for anything else, texts and fractions included.
    func integer(_ column: Int32) -> Int64? {
      switch unsafe sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: return unsafe sqlite3_column_int64(statement, column)
      case SQLITE_FLOAT: return Int64(exactly: unsafe sqlite3_column_double(statement, column))
      case SQLITE_TEXT: return text(column).flatMap { Int64($0) }
      default: return nil
      }
    }

    func double(_ column: Int32) -> Double? {
      switch unsafe sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER, SQLITE_FLOAT: unsafe sqlite3_column_double(statement, column)
      case SQLITE_TEXT: text(column).flatMap { Double($0) }
      default: nil
      }
    }

    /// As of a record of JSON: more than any of a history is long.
    fileprivate static let valueByteCountMax = JSONStream.valueByteCountMax

    /// Whether a text or blob of the row is larger than any of a history.
    fileprivate var hasLargeValue: Bool {
      let columns = 0..<(unsafe sqlite3_column_count(statement))
      return columns.contains { isTooLarge($0) }
    }

    /// Whether a text or blob is too large, before any byte of it is copied.
    private func isTooLarge(_ column: Int32) -> Bool {
      let type = unsafe sqlite3_column_type(statement, column)
      guard type == SQLITE_TEXT || type == SQLITE_BLOB else { return false }
      return Int(unsafe sqlite3_column_bytes(statement, column)) > Self.valueByteCountMax
    }

    /// The bytes of a text or blob, a text always in UTF-8; nil for null, for what is too large,
    /// and for a text whose end is missing.
    func bytes(_ column: Int32) -> [UInt8]? {
      let type = unsafe sqlite3_column_type(statement, column)
      guard type != SQLITE_NULL, !isTooLarge(column) else { return nil }
      // Databases may be in UTF-16; this turns the text, and leaves UTF-8 as it is.
      if type == SQLITE_TEXT { _ = unsafe sqlite3_column_text(statement, column) }
      // SAFETY: the pointer is good until the next step; the bytes are copied before.
      let start = unsafe sqlite3_column_blob(statement, column)
      let count = Int(unsafe sqlite3_column_bytes(statement, column))
      guard let start = unsafe start, count > 0 else { return [] }
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
      // What stood in a page of its own that is missing reads as bytes of 0.
      return isShort && type == SQLITE_TEXT && bytes.last == 0 ? nil : bytes
    }

    /// How reports call the row: by the rowid that is its first column.
    var place: RecordPlace { .row(integer(0) ?? 0) }

    /// The columns of the query, parted by bars, as SQLite's own shell shows a row; nothing of a
    /// row that is too large to be kept.
    var shown: [UInt8] {
      let columns = 0..<(unsafe sqlite3_column_count(statement))
      var byteCount = 0
      for column in columns { byteCount += Int(unsafe sqlite3_column_bytes(statement, column)) }
      guard byteCount <= Self.shownByteCountMax else { return [] }
      return Array(columns.map { bytes($0) ?? [] }.joined(separator: [UInt8(ascii: "|")]))
    }

    private static let shownByteCountMax = 1 << 20

    /// A text with U+FFFD for what is not UTF-8.
    func text(_ column: Int32) -> String? {
      bytes(column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A text that has to be UTF-8; else nil.
    func validText(_ column: Int32) -> String? {
      bytes(column).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// A text that has to be UTF-8 and not empty; else nil.
    func exactText(_ column: Int32) -> String? {
      validText(column).flatMap { $0.isEmpty ? nil : $0 }
    }
  }
}
