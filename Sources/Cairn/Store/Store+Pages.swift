extension Store {
  /// The file in a store's directory in which a crawl keeps what it has to remember: URLs,
  /// validators, robots files, its queue.
  ///
  /// No projection reads it, and no copy or backup takes it along. A purge takes it away whole,
  /// since it may name what is purged; the next crawl begins without it.
  package static let pageJournalName = "pages.journal"
}
