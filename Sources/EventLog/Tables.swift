import LMDB

extension TableName {
  /// Sequence and part → header and payload, see `EventRow`.
  static let events: TableName = "events"
  /// Event id (16) → sequence (8).
  ///
  /// Ids of erased events are not in it.
  static let ids: TableName = "ids"
  /// Level and index → node hash, see `TreeNode`.
  static let tree: TableName = "tree"
  /// Format, head, and the engine's own values.
  static let meta: TableName = "meta"
  /// Name → named point, see `NamedPoint`.
  static let snapshots: TableName = "snapshots"
}

/// The tables of one open log.
struct Tables: Sendable {
  static let names: [TableName] = [.events, .ids, .tree, .meta, .snapshots]

  let events: Table
  let ids: Table
  let tree: Table
  let meta: Table
  let snapshots: Table

  init(_ environment: Environment) {
    events = environment[.events]
    ids = environment[.ids]
    tree = environment[.tree]
    meta = environment[.meta]
    snapshots = environment[.snapshots]
  }
}
