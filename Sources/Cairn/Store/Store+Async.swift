/// Forms for tasks of the calls that block.
extension Store {
  /// Asks the store at a point of its history, on a thread that is made for waiting.
  ///
  /// Every question to a ``Moment`` reads files and computes on the thread that calls it. From a
  /// task ask here: the task waits without holding up a thread of Swift's cooperative pool.
  ///
  /// ```swift
  /// let hits = try await store.read { moment in try moment.search("harbour") }
  /// ```
  /// - Parameters:
  ///   - point: A sequence, a time, a snapshot's name, or the head.
  ///   - now: The time for ranking, when it is not the point's own.
  ///   - body: Asks the moment. It runs on another thread, beside those of other tasks.
  /// - Returns: What the body returns.
  /// - Throws: `noSuchPoint`, what ``at(_:now:)`` throws, and what the body throws.
  public func read<R: Sendable>(
    at point: Point = .head, now: Timestamp? = nil,
    _ body: @escaping @Sendable (Moment) throws -> R
  ) async throws -> R {
    try await BlockingThreads.shared.run { [self] in try body(try at(point, now: now)) }
  }

  /// Runs calls that may take long, such as ``rebuild(only:keepingOld:memory:progress:)`` or a
  /// purge, on a thread that is made for waiting.
  /// - Parameter body: Uses the store. It runs on another thread, beside those of other tasks.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func perform<R: Sendable>(_ body: @escaping @Sendable (Store) throws -> R) async throws
    -> R
  { try await BlockingThreads.shared.run { [self] in try body(self) } }
}
