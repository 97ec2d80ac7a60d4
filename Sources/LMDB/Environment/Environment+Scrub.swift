import CLMDB
import Glibc

extension Environment {
  /// What overwriting came to.
  package struct Scrubbing: Sendable {
    /// Bytes that were overwritten.
    package var clearedByteCount = 0
    /// Bytes outside any row of the last commit that were not zero even then.
    package var residueByteCount = 0
  }

  /// Overwrites with zeros every byte of the file that no row of the last commit holds: free pages,
  /// the gaps of pages in use, the ends of long values; durable when it returns.
  ///
  /// Deleting a row only unlinks it; this is what makes it unreadable. Nothing that a transaction
  /// may look at is touched, so readers of the last commit go on; those of earlier ones are waited
  /// for, and writers wait. Killed on the way, it can be run again. Call it after at least two
  /// commits that no longer hold what is to vanish, since the older of the two meta pages still
  /// leads to the commit before the last; and after `reopen()`, lest old bytes come back.
  /// - Parameter wait: How long to wait for readers of earlier commits, in any process.
  /// - Returns: What was overwritten, read back afterwards; nil when readers did not finish in
  ///   time.
  /// - Complexity: O(bytes of the file).
  /// - Throws: `.corrupt` when a page is damaged; `.io`.
  package func scrub(wait: Duration) throws(CairnError) -> Scrubbing? {
    let place = fileName
    return try asWriter { () throws(CairnError) -> Scrubbing? in
      let transaction = try unsafe beginWrite()
      defer {
        unsafe mdb_txn_abort(transaction)
        endWrite()
      }
      // LMDB's own descriptor: closing another one of the same file would be harmless, but opening
      // by path could find another file.
      let descriptor = descriptor
      let residues = try PageTree.residues(
        descriptor, try MetaPage.newest(descriptor, place: place), place: place)
      guard waitForOldReaders(atMost: wait) else { return nil }
      var result = Scrubbing()
      let zeros = [UInt8](repeating: 0, count: 65_536)
      for residue in residues {
        // SAFETY: writes at most the buffer's own extent; no residue is longer than a page.
        let count = unsafe pwrite(descriptor, zeros, residue.count, residue.lowerBound)
        guard count == residue.count else {
          throw CairnError(
            status: count < 0 ? errno : EIO, doing: "overwrite what was erased", place: place)
        }
        result.clearedByteCount += residue.count
      }
      guard fsync(descriptor) == 0 else {
        throw CairnError(status: errno, doing: "reach the disk", place: place)
      }
      // Nobody wrote since the pages were walked: what was no residue then is none now.
      var found = zeros
      for residue in residues {
        // SAFETY: fills at most the buffer, which is longer than a page.
        let count = unsafe pread(descriptor, &found, residue.count, residue.lowerBound)
        guard count == residue.count else {
          throw CairnError(
            status: count < 0 ? errno : EIO, doing: "read what was overwritten", place: place)
        }
        if found[..<count].contains(where: { $0 != 0 }) { result.residueByteCount += count }
      }
      return result
    }
  }

  /// Whether all readers, of any process, are at the last commit before the time is over.
  private func waitForOldReaders(atMost wait: Duration) -> Bool {
    let deadline = ContinuousClock.now + wait
    var info = unsafe MDB_envinfo()
    unsafe mdb_env_info(raw, &info)
    let last = unsafe UInt64(info.me_last_txnid)
    while true {
      unsafe mdb_reader_check(raw, nil)
      guard let oldest = unsafe ReaderList.oldestTransaction(raw), oldest < last else {
        return true
      }
      guard ContinuousClock.now < deadline else { return false }
      usleep(2_000)
    }
  }
}

/// What LMDB tells of the readers in its lock file (`mdb_reader_list`): one line of text each.
private enum ReaderList {
  /// The commit that the longest running reader looks at; nil when there is none.
  static func oldestTransaction(_ environment: OpaquePointer) -> UInt64? {
    final class Collector { var oldest: UInt64? }
    let collector = Collector()
    // SAFETY: the list is walked during the call, which the collector outlives; each line is a
    // NUL-ended text that is copied at once.
    unsafe mdb_reader_list(
      environment,
      { (line, context) in
        guard let line = unsafe line, let context = unsafe context else { return 0 }
        let collector = unsafe Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
        let text = unsafe String(cString: line)
        // The heading and readers at rest have no number in the last column.
        if let last = text.split(whereSeparator: \.isWhitespace).last,
          let transaction = UInt64(last)
        {
          collector.oldest = min(collector.oldest ?? .max, transaction)
        }
        return 0
      }, Unmanaged.passUnretained(collector).toOpaque())
    return collector.oldest
  }
}
