import EventLog
import LMDB

/// What a part of a store takes on disk.
public struct StoredTable: Sendable, Hashable {
  /// The file.
  public var file: String
  /// The table; nil for pages of the file that are free.
  public var table: String?
  /// How many rows it has.
  public var rowCount: Int
  /// Bytes of its pages, which need not be full.
  public var byteCount: Int
}

extension Store {
  /// What each table of the log and of the projections takes, largest first in each file.
  /// - Returns: The tables that have rows, and what is free in each file.
  /// - Throws: `corrupt`, `io`.
  /// - Complexity: O(tables).
  /// - Note: Blocks the calling thread.
  public func tables() throws(CairnError) -> [StoredTable] {
    var tables = Self.tables(of: "log.mdb", try log.tableSizes(), fileByteCount: log.byteCount)
    guard let generation = try generation() else { return tables }
    tables += Self.tables(
      of: "view-\(generation.number).mdb", try generation.environment.tableSizes(),
      fileByteCount: generation.environment.byteCount)
    return tables
  }

  private static func tables(of file: String, _ sizes: [TableSize], fileByteCount: Int)
    -> [StoredTable]
  {
    let used = sizes.reduce(0) { $0 + $1.byteCount }
    let tables = sizes.filter { $0.rowCount > 0 }.map { size in
      StoredTable(
        file: file, table: size.name == .main ? "main" : size.name.rawValue,
        rowCount: size.rowCount, byteCount: size.byteCount)
    }
    let free = StoredTable(
      file: file, table: nil, rowCount: 0, byteCount: max(0, fileByteCount - used))
    return tables.sorted { $0.byteCount > $1.byteCount } + [free]
  }
}
