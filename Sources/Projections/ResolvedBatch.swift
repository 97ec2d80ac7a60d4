package import EventLog
package import Events

/// A batch of events with everything resolved that names something: what the catalog makes of the
/// log, and what every other projection folds.
package struct ResolvedBatch: Sendable {
  /// The last event of the batch, one that is left out included.
  package let through: UInt64
  /// The events, in order of sequences; empty for a batch made from rows.
  package let events: [StoredEvent]
  /// Where their fields stand.
  package let layouts: [EventLayout]
  /// What the events did, one for each event.
  package let resolved: [ResolvedEvent]
  /// What they say about how search serves.
  package let learning: [LearningEvent]
  /// What they did to the content of items.
  package let contents: [ContentChange]
  /// What earlier batches left.
  package let past: any FoldedPast

  package init(
    through: UInt64, events: [StoredEvent], layouts: [EventLayout], resolved: [ResolvedEvent],
    learning: [LearningEvent], contents: [ContentChange], past: any FoldedPast
  ) {
    self.through = through
    self.events = events
    self.layouts = layouts
    self.resolved = resolved
    self.learning = learning
    self.contents = contents
    self.past = past
  }
}

package struct ContentChange: Sendable {
  package enum Content: Sendable {
    /// It is the attributes of the event at this index of the batch.
    case replaced(Int)
    /// It is this canonical map of attributes.
    case merged([UInt8])
    /// It is what another item shows until this one, a part of it, ends: that item's canonical map
    /// of attributes, and its ordinal. What it shows for good follows.
    case until([UInt8], UInt32)
    case removed
  }

  package var item: UInt32
  package var itemKey: NameKey
  package var sequence: UInt64
  package var content: Content
  /// The name of the item's domain, where what is shown depends on it.
  package var domain: [UInt8]?

  package init(item: UInt32, itemKey: NameKey, sequence: UInt64, content: Content) {
    self.item = item
    self.itemKey = itemKey
    self.sequence = sequence
    self.content = content
  }
}
