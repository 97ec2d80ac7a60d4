package import LMDB

extension EventLog {
  /// Checks events against their headers, headers against the tree, and the tree against the head.
  ///
  /// For each event: checksum, header fields, commitment over the live content, leaf hash; for the
  /// tree: every stored node, and the root; then the ids, the checksums of all other rows, and the
  /// roots that were signed or named, each of which has to lie on this tree. Goes on after a
  /// problem and names every one. Events appended meanwhile are left out. A long log is looked at
  /// by two threads; `progress` is told on the calling one, and returns whether to go on.
  /// - Throws: `.io` and the like; damage is reported, not thrown.
  /// - Complexity: O(bytes), about a microsecond for a small event.
  package func verify(progress: (UInt64) -> Bool = { _ in true }) throws(CairnError)
    -> VerifyReport
  {
    let verification = try verification()
    guard verification.isLong else {
      while verification.lookAtPiece(progress) {}
      return try verification.finish()
    }
    let helper = WriterThread(name: "verify")
    helper.submit { while verification.lookAtPiece({ _ in true }) {} }
    while verification.lookAtPiece(progress) {}
    // Queued behind the pieces, so that it ends after them.
    try helper.run { () throws(CairnError) in }
    return try verification.finish()
  }

  /// Begins to verify the log: see ``verify(progress:)``.
  /// - Throws: `.io` and the like; a log too damaged to be looked at is one without pieces.
  /// - Complexity: that of checking the structure of the file.
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
