import LMDB

/// Checks the roots that were given out, with signatures or as snapshots, against the tree.
///
/// All that lie on one tree are consistent with each other: each is the start of the next.
struct RememberedRootsVerifier {
  let reader: EventReader
  let head: HeadRow
  var result: RangeResult

  /// Compares every signed head and every named point with the root of the tree at its size.
  mutating func check(in txn: borrowing ReadTransaction) throws(CairnError) {
    var signed: [(size: UInt64, root: Hash32)] = []
    var named: [(size: UInt64, root: Hash32)] = []
    do throws(CairnError) {
      try reader.forEachIssuedHead(in: txn) { (issued) throws(CairnError) in
        signed.append((issued.size, issued.root))
      }
      try txn.scan(reader.tables.snapshots) { (_, value) throws(CairnError) in
        let point = try NamedPoint(name: "", value)
        named.append((point.sequence, point.root))
        return true
      }
    } catch {
      // Rows that cannot be read have been named already.
      guard error.isDamage else { throw error }
    }
    result.report.signedHeads = UInt64(signed.count)
    for (size, root) in signed { try compare(size, root, "signed head", table: "meta", in: txn) }
    for (size, root) in named { try compare(size, root, "snapshot", table: "snapshots", in: txn) }
  }

  private mutating func compare(
    _ size: UInt64, _ root: Hash32, _ what: String, table: String, in txn: borrowing ReadTransaction
  ) throws(CairnError) {
    guard size <= head.size else {
      result.report.add(
        "there is a \(what) of \(size) events, and the log ends at \(head.size): events are gone",
        table: table)
      return
    }
    do throws(CairnError) {
      guard try reader.root(at: size, of: head, in: txn) != root else { return }
      result.report.add("the events up to \(size) are not those of the \(what)", table: table)
    } catch {
      guard error.isDamage else { throw error }
      result.report.add(error.message, table: "tree")
    }
  }
}
