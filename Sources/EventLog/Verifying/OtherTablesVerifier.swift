import Events
import LMDB

/// Checks the rows that do not belong to one event: ids, nodes, values, named points.
struct OtherTablesVerifier {
  let tables: Tables
  var result: RangeResult

  /// Walks all tables but the events'.
  ///
  /// Ids and nodes are compared with the events only while the log is the one that was looked at.
  mutating func check(isUnchanged: Bool, in txn: borrowing ReadTransaction) throws(CairnError) {
    var digest: UInt64 = 0
    let idsAreRead = try walk(tables.ids, named: "ids", in: txn) {
      (key, value) throws(CairnError) in
      var id = ByteReader(key)
      var sequence = ByteReader(value)
      digest &+= Verifier.mix(try EventID(&id), try sequence.readBigEndian64())
    }
    if isUnchanged, idsAreRead, result.report.isSound, digest != result.idDigest {
      result.report.add("the ids are not those of the live events", table: "ids")
    }
    if try txn.count(tables.tree) != EventReader.nodeCount(size: result.report.head.sequence),
      isUnchanged
    {
      result.report.add("there are too many or too few nodes", table: "tree")
    }
    _ = try walk(tables.tree, named: "tree", in: txn) { (_, _) throws(CairnError) in }
    _ = try walk(tables.meta, named: "meta", in: txn) { (_, _) throws(CairnError) in }
    _ = try walk(tables.snapshots, named: "snapshots", in: txn) { (_, value) throws(CairnError) in
      _ = try NamedPoint(name: "", value)
    }
  }

  /// Visits all rows of a table; false when one could not be read.
  private mutating func walk(
    _ table: Table, named name: String, in txn: borrowing ReadTransaction,
    _ body: (RawSpan, RawSpan) throws(CairnError) -> Void
  ) throws(CairnError) -> Bool {
    do throws(CairnError) {
      try txn.scan(table) { (key, value) throws(CairnError) in
        try body(key, value)
        return true
      }
      return true
    } catch {
      guard error.isDamage else { throw error }
      result.report.add(error.message, table: name)
      return false
    }
  }
}
