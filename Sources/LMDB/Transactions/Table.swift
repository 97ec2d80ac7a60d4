/// The name of a table inside a file, in kebab-case.
package struct TableName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name as stored in the file.
  package let rawValue: String

  /// Makes a name from text.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The unnamed table in which LMDB keeps where the others begin.
  ///
  /// Every commit writes its page, so that a small row which every commit changes costs nothing
  /// here. Keys must not be names of tables, and a cursor over it meets LMDB's own rows.
  package static let main = TableName(rawValue: "")

  package init(stringLiteral value: String) { rawValue = value }
}

/// A table of one open environment: what a transaction needs to reach its rows.
///
/// Comes from `Environment.subscript` and is valid as long as the environment is open.
package struct Table: Sendable, Hashable {
  let handle: UInt32
  /// Which environment it belongs to; every call checks it.
  let owner: UInt32
}
