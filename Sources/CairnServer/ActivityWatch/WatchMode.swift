/// What a watcher may do without a token.
package enum WatchMode: String, Sendable, CaseIterable {
  /// Nothing is there.
  case off
  /// Make buckets and send what it sees, and read nothing.
  case ingest
  /// Everything, as ActivityWatch has it.
  case open
  /// Nothing but ask what this server is.
  case token
}
