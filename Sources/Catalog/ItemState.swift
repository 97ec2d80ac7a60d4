package import Events
package import Projections

/// What an item is after an event: one version of it.
package struct ItemState: Equatable, Sendable {
  package var isPresent = false
  /// Whether it was ever there before; a first life keeps the views it had before.
  package var wasEverPresent = false
  /// Sequence from which its counters count; `UInt64.max` while it is deleted.
  package var since: UInt64 = 0
  /// Ordinal of the domain that an app or an activity gave it, or `ResolvedEvent.none`.
  package var ownDomain = ResolvedEvent.none
  /// Ordinal of the domain of its web page, or `ResolvedEvent.none`.
  package var pageDomain = ResolvedEvent.none
  /// When it expires; nil for never.
  package var expires: Timestamp?
  /// How many versions the item has had, this one included.
  package var versionCount: UInt32 = 0
  /// Hash of all that made the content, the same for the same history.
  package var contentKey = NameKey.none
  package var content = ContentSource()
  /// Ordinal of the item of which it is a part, by a page of both or as an activity about it; or
  /// `ResolvedEvent.none`.
  ///
  /// A part is not present by itself: what it has shows in that item.
  package var whole = ResolvedEvent.none

  /// An item that was never there.
  package init() {}

  package var isPart: Bool { whole != ResolvedEvent.none }

  package func hasExpired(by time: Timestamp) -> Bool { expires.map { $0 <= time } ?? false }

  /// Ordinal of its domain, or `ResolvedEvent.none`: its own, else its page's.
  package var domain: UInt32 { ownDomain == ResolvedEvent.none ? pageDomain : ownDomain }
}

/// Where a version's attributes come from: a base and the updates merged into it.
///
/// The log already holds every attribute, so a version points there; only after several
/// updates are merged attributes stored once, so that reading stays bounded.
package struct ContentSource: Equatable, Sendable {
  /// Updates after which the merged attributes are stored.
  package static let updateCountMax = 8

  /// Sequence of the event, or of the version whose merged attributes were stored.
  package var base: UInt64 = 0
  /// Whether `base` names stored merged attributes instead of an event.
  package var isStored = false
  /// Sequences of the updates merged in, ascending.
  package var updates: [UInt64] = []
  /// Sequence of the event that gives what a web page says, which shows where nothing above does; 0
  /// for none.
  package var page: UInt64 = 0
  /// Sequence of the last view that told something of the item; 0 for none.
  ///
  /// It shows above a page and below the rest. Without a page it is a note that shows nothing and
  /// makes no version: a page may come later.
  package var activity: UInt64 = 0
  /// Other items that the page is about, and activities about the item, each with the sequence of
  /// the version that it has; they show with what an app or an activity gave.
  package var parts: [ItemPart] = []

  package init() {}

  /// Whether an app or an activity gave attributes.
  package var hasOwn: Bool { base != 0 || !updates.isEmpty }

  /// Whether an activity told something that an app or an earlier activity covers.
  package var hasActivityBelow: Bool { activity != 0 && activity != base }

  /// Replaces what an app or an activity gave; what lies below stays.
  package mutating func replaceOwn(_ sequence: UInt64, isStored: Bool = false) {
    base = sequence
    self.isStored = isStored
    updates = []
  }
}

package struct ItemPart: Equatable, Sendable {
  package var item: UInt32
  package var sequence: UInt64
}
