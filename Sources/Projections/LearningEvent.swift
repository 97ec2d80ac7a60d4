/// What an event says about how search serves: a choice, a page of results, a wait, a dislike.
package struct LearningEvent: Sendable {
  /// An item that a learning event is about, as it stood then.
  package struct Subject: Sendable {
    package var item: UInt32
    /// Hash of its identifier.
    package var itemKey: NameKey
    /// Its domain's ordinal, or `ResolvedEvent.none`.
    package var domain: UInt32
    package var domainKey: NameKey
    /// Sequence from which its counters count.
    package var since: UInt64

    package init(item: UInt32, itemKey: NameKey, domain: UInt32, domainKey: NameKey, since: UInt64)
    {
      self.item = item
      self.itemKey = itemKey
      self.domain = domain
      self.domainKey = domainKey
      self.since = since
    }
  }

  package var sequence: UInt64
  /// When, held back to at most a bound after recording; microseconds since 1970.
  package var timeMicroseconds: Int64
  /// The item chosen, waited for or disliked.
  package var subject: Subject?
  /// Whether it was chosen from results.
  package var isChoice = false
  /// The text searched for, normalised; empty for none.
  package var query: [UInt8] = []
  /// The rank chosen, from 1.
  package var position: Int?
  /// The items on screen with their ranks.
  package var shown: [(rank: Int, subject: Subject)] = []
  /// Seconds of attention.
  package var dwell: Double?
  /// Seconds from choice to content.
  package var latency: Double?
  /// Whether the user asked for less of it.
  package var isDislike = false

  package init(sequence: UInt64, timeMicroseconds: Int64) {
    self.sequence = sequence
    self.timeMicroseconds = timeMicroseconds
  }
}
