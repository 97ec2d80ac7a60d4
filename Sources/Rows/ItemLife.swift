package import Cairn

/// What the events about an item tell of its use.
package struct ItemLife {
  package private(set) var firstSeen: Timestamp?
  package private(set) var lastViewed: Timestamp?
  package private(set) var viewCount = 0
  package private(set) var eventCount = 0
  /// Its place among the most used, as far as these are looked at.
  package private(set) var rank: Int?

  private static let rankCount = 1_000

  /// Reads the events about an item up to a moment.
  package init(_ item: String, _ moment: Moment) throws(CairnError) {
    var query = EventQuery()
    query.item = item
    query.through = moment.sequence
    query.includesLeafHashes = false
    var life = (first: Timestamp?.none, last: Timestamp?.none, views: 0, events: 0)
    try moment.store.forEachEvent(query) { recorded in
      let event = recorded.event
      guard let time = event.time ?? event.recorded else { return true }
      life.first = min(life.first ?? time, time)
      life.events += 1
      if event.kind == .view || event.kind == .select {
        life.views += 1
        life.last = max(life.last ?? time, time)
      }
      return true
    }
    (firstSeen, lastViewed, viewCount, eventCount) = life
    guard viewCount > 0 else { return }
    rank = try moment.top(limit: Self.rankCount).first { $0.item == item }?.rank
  }
}
