import EventLog

extension Store {
  /// Events as they are appended, by any process, from a sequence on; never ends by itself.
  ///
  /// Each event comes once, in order, as soon as it is on disk (within about 25 ms when another
  /// process appended it). Events are read as they are asked for, 256 at a time: a slow consumer
  /// costs no memory, and what is purged before its page is read does not come. Cancel the task to
  /// stop.
  /// - Parameter sequence: The last event that is already known; 0 asks for the whole history.
  /// - Returns: A sequence that may be iterated more than once, from its beginning each time.
  public func events(after sequence: UInt64) -> EventFeed {
    EventFeed(store: self, sequence: sequence)
  }

  /// Blocks until the log goes beyond a sequence or the time is over.
  /// - Returns: The last sequence now, also where the given one lies beyond it.
  /// - Throws: `corrupt` for damaged rows, `io`.
  public func wait(after sequence: UInt64, atMost timeout: Duration) throws(CairnError) -> UInt64 {
    if let head = try log.waitForHead(after: sequence, timeout: timeout) { return head.sequence }
    return try log.head().sequence
  }
}
