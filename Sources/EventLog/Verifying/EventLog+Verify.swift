package import LMDB

extension EventLog {
  /// Begins to check events against their headers, headers against the tree, and the tree against
  /// the head.
  ///
  /// For each event: checksum, header fields, commitment over the live content, leaf hash; for the
  /// tree: every stored node, and the root; then the ids, the checksums of all other rows, and the
  /// roots that were signed or named, each of which has to lie on this tree. Goes on after a
  /// problem and names every one. Events appended meanwhile are left out.
  /// - Throws: `.io` and the like; a log too damaged to be looked at is one without pieces.
  /// - Complexity: that of checking the structure of the file; all of it takes about a microsecond
  ///   for a small event.
  package func verification() throws(CairnError) -> LogVerification {
    do throws(CairnError) {
      // Pages first: reading rows through a damaged one may end the process.
      try environment.checkStructure()
      return LogVerification(self, try headRow())
    } catch {
      guard error.isDamage else { throw error }
      var report = VerifyReport(head: Head(HeadRow()))
      report.add(error.message, table: "head")
      return LogVerification(self, report)
    }
  }
}
