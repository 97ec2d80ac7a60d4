import LMDB

extension Store {
  /// The file in a store's directory in which a crawl keeps what it has to remember: URLs,
  /// validators, robots files, its queue.
  ///
  /// No projection reads it, and no copy or backup takes it along. A purge takes it away whole,
  /// since it may name what is purged; the next crawl begins without it.
  package static let pageJournalName = "pages.journal"

  /// Keeps other crawls from writing that file anew for as long as somebody has the result.
  /// - Throws: `busy` when another keeps this one from it.
  package static func pageJournalLock(in directory: String) throws(CairnError) -> some AnyObject {
    let lock = try FileLock(directory: directory)
    try lock.lock(wait: .seconds(10))
    return lock
  }
}
