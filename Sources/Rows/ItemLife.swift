package import Cairn

/// What the events about an item tell of its use.
package struct ItemLife {
  package private(set) var firstSeen: Timestamp?
  /// Views that count, as in a ranking: a choice is none, and a life after a deletion begins anew.
  package private(set) var viewCount = 0
  package private(set) var lastViewed: Timestamp?
  /// The events about it, the oldest first.
  package private(set) var sequences: [UInt64] = []
  /// Its place among the most used, as far as these are looked at.
  package private(set) var rank: Int?

  package var eventCount: Int { sequences.count }

  private static let rankCount = 1_000

  package init(_ item: String, _ moment: Moment) throws(CairnError) {
    var query = EventQuery(at: moment, item: item)
    query.isReversed = false
    query.includesLeafHashes = false
    var life = (first: Timestamp?.none, events: [UInt64]())
    try moment.store.forEachEvent(query) { recorded in
      let event = recorded.event
      guard let time = event.time ?? event.recorded else { return true }
      life.first = min(life.first ?? time, time)
      life.events.append(recorded.sequence)
      return true
    }
    (firstSeen, sequences) = life
    guard let use = try moment.use(of: item) else { return }
    (viewCount, lastViewed) = use
    rank = try moment.rank(of: item, among: Self.rankCount)
  }
}
