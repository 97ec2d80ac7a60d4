/// Where a query finds buckets and their events.
package protocol BucketSource {
  /// Names of all buckets, in the order in which they were made.
  var buckets: [String] { get throws(QueryFailure) }

  /// The host that a bucket was made for; nil where there is no such bucket.
  func hostname(of bucket: String) throws(QueryFailure) -> String?

  /// Gives the events that touch a period, newest first, cut to it where the source cuts.
  ///
  /// Both ends are microseconds since 1970.
  func forEachEvent(
    in bucket: String, from: Int64, to: Int64,
    _ body: (WatchedEvent) throws(QueryFailure) -> Void
  ) throws(QueryFailure)

  /// How many events touch a period.
  func eventCount(in bucket: String, from: Int64, to: Int64) throws(QueryFailure) -> Int
}
