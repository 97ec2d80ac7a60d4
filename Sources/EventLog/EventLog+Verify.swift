package import LMDB

extension EventLog {
  /// Checks events against their headers, headers against the tree, and the tree against the head.
  ///
  /// For each event of the range: checksum, header fields, commitment over the live content, leaf
  /// hash; for the tree: every stored node that the range completes, and the root when the range
  /// ends at the head. A range that is the whole log adds the ids, and the checksums of all other
  /// rows. Goes on after a problem and names every one. Events appended meanwhile are left out.
  ///
  /// - Parameters:
  ///   - first: The first sequence to look at.
  ///   - last: The last sequence to look at, or anything beyond the head.
  ///   - progress: Gets the last sequence looked at, from time to time; returns whether to go on.
  /// - Returns: What was looked at and what is wrong.
  /// - Throws: `.io` and the like; damage is reported, not thrown.
  /// - Complexity: O(bytes), about a microsecond and a half for a small event.
  package func verify(
    from first: UInt64 = 1,
    through last: UInt64 = .max,
    progress: (UInt64) -> Bool = { _ in true }
  ) throws(StorageError) -> VerifyReport {
    let row: HeadRow
    do throws(StorageError) {
      row = try headRow()
    } catch {
      guard error.code == .corrupt else { throw error }
      var report = VerifyReport(head: Head(sequence: 0, recorded: nil, root: HeadRow().root))
      report.add(error.message, table: "meta")
      return report
    }
    var verifier = Verifier(reader: reader, head: row)
    let first = max(1, first)
    let last = min(last, row.size)
    try environment.read { (txn) throws(StorageError) in
      try verifier.begin(at: first, in: txn)
    }
    while verifier.next <= last {
      try environment.read { (txn) throws(StorageError) in
        try verifier.advance(through: last, in: txn)
      }
      guard progress(verifier.next - 1) else { return verifier.report }
    }
    if last == row.size { verifier.checkRoot() }
    if first == 1, last == row.size {
      try environment.read { (txn) throws(StorageError) in
        let isUnchanged = try self.reader.head(in: txn).size == row.size
        try verifier.checkOtherTables(comparingIDs: isUnchanged, in: txn)
      }
    }
    return verifier.report
  }
}
