import LMDB

extension TableName {
  /// Sequence and part → header and payload, see `EventRow`.
  static let events: TableName = "events"
  /// Given event id (16) → sequence (8).
  ///
  /// Ids of erased events are not in it, nor ids that the log made, see `GeneratedID`.
  static let ids: TableName = "ids"
  /// Level and index → node hash, see `TreeNode`.
  static let tree: TableName = "tree"
  /// Format, and the engine's own values.
  ///
  /// The head is in the main table, see `HeadRow`.
  static let meta: TableName = "meta"
  /// Name → named point, see `NamedPoint`.
  static let snapshots: TableName = "snapshots"
}

struct Tables: Sendable {
  static let names: [TableName] = [.main, .events, .ids, .tree, .meta, .snapshots]

  let main: Table
  let events: Table
  let ids: Table
  let tree: Table
  let meta: Table
  let snapshots: Table

  init(_ environment: Environment) {
    main = environment[.main]
    events = environment[.events]
    ids = environment[.ids]
    tree = environment[.tree]
    meta = environment[.meta]
    snapshots = environment[.snapshots]
  }
}
