import Cairn

/// A change that was asked for and not yet made.
struct PendingWrite: Sendable {
  var itemCount = 1
  /// Whether no other process may have written between what it read and what it writes.
  var isConditional = false
  /// The events that make the change, asked for when all earlier changes were.
  var events: @Sendable (inout IndexWriter) throws -> [Event]
  /// Gets nil once the change is on disk.
  var completion: @Sendable ((any Error)?) -> Void = { CSIndexError.tellOfUnheard($0) }
}
