import Catalog
import LMDB

/// Where what is known of an item comes from.
public struct ItemSource: Sendable, Hashable {
  /// Who told.
  public enum Kind: String, Sendable, Hashable {
    /// An app, by indexing or updating.
    case app
    /// An activity, by a view with attributes.
    case activity
    /// A web page.
    case web
  }

  /// Who told.
  public var kind: Kind
  /// The source that the event names.
  public var source: String?
  /// Sequence of the last event that told anything new.
  public var sequence: UInt64
  /// Where the page is.
  public var url: String?
}

/// An item that a web page may belong to.
package struct LayeredItem {
  package var id: String
  /// Whether an app or an activity gave it attributes; false where it is not there, by itself or as
  /// a part of another.
  package var hasOwn: Bool
  /// Whether it was there until what an app or an activity gave expired.
  package var hasExpired: Bool
  /// Sequence of the last event that said what its page says; nil for none.
  package var page: UInt64?
  /// Sequence of the event that took that away; nil where it still holds.
  package var end: UInt64?
  /// The URLs by which it can be known.
  package var keys: [String]
  /// The item it says it is about; nil for none.
  package var related: String?

  /// How the identifiers of activities begin that an application's front end remembers.
  package static var recordPrefix: String { ItemPart.recordPrefix }

  /// Whether an identifier is that of an activity which an application's front end remembers.
  package static func isRecord(_ id: String) -> Bool { ItemPart.isRecord(id.utf8) }
}

extension Moment {
  /// The item that is shown where an identifier is asked for: another one that it is a part of, by
  /// a web page or as an activity about it, until it expires.
  ///
  /// - Complexity: O(log items).
  /// - Throws: `noSuchPoint` where the horizon let go of what the other one was; `corrupt`.
  /// - Note: Blocks the calling thread.
  public func shownID(of id: String) throws(CairnError) -> String {
    let name = Array(id.utf8)
    let found = try read(of: .item) { (view, txn) throws(CairnError) -> String? in
      let catalog = view.generation.catalog
      guard let ordinal = try catalog.ordinal(of: name, in: txn),
        let state = try catalog.state(of: ordinal, asOf: sequence, in: txn)?.state, state.isPart
      else { return nil }
      // Only a horizon takes what a whole was and leaves its parts.
      guard let whole = try catalog.whole(of: ordinal, asOf: sequence, in: txn) else {
        throw Self.beyond(view.horizon)
      }
      let owners = try catalog.owners(of: whole.item, whole.state.content, at: clock, in: txn)
      guard owners.contains(where: { $0.item == ordinal }) else { return nil }
      return String(decoding: try catalog.name(of: whole.item, in: txn), as: UTF8.self)
    }
    return found.flatMap { $0 } ?? id
  }

  /// Who told of an item: app, activity, web page, in this order, each once.
  /// - Complexity: O(log events); of a past point that an activity came after, O(events since the
  ///   item is there), some 10 ns each.
  /// - Throws: `corrupt` and the like.
  /// - Note: Blocks the calling thread.
  public func sources(of id: String) throws(CairnError) -> [ItemSource] {
    let shown = Array(try shownID(of: id).utf8)
    let owners = try read(of: .item) { (view, txn) throws(CairnError) -> [Owner] in
      let catalog = view.generation.catalog
      guard let ordinal = try catalog.ordinal(of: shown, in: txn) else { return [] }
      try checkKept(ordinal, view, txn)
      guard let whole = try catalog.state(of: ordinal, asOf: sequence, in: txn)?.state,
        isPresent(whole)
      else { return [] }
      var owners: [Owner] = []
      for (item, content, _) in try catalog.owners(
        of: ordinal, whole.content, at: clock, in: txn)
      {
        let name = try catalog.name(of: item, in: txn)
        var (since, isOver) = (sequence, false)
        // What a view told before its present life began was never noted.
        if content.activity > sequence {
          try catalog.forEachVersion(of: item, asOf: sequence, in: txn) { (made, state) in
            isOver = isOver || !state.isPresent && !state.isPart
            if !isOver { since = made }
          }
        }
        owners.append(
          Owner(
            id: String(decoding: name, as: UTF8.self), isRecord: ItemPart.isRecord(name),
            content: content, since: since))
      }
      return owners
    }
    guard let owners, let page = owners.first?.content.page else { return [] }
    var sources: [ItemSource] = []
    if let app = try app(owners) { sources.append(app) }
    if let activity = try activity(owners) { sources.append(activity) }
    if page != 0, let event = try store.event(at: page)?.event {
      var source = ItemSource(kind: .web, source: event.source, sequence: page)
      if let url = event.extras["url"]?.string { source.url = url }
      sources.append(source)
    }
    return sources
  }

  private struct Owner {
    var id: String
    var isRecord: Bool
    var content: ContentSource
    /// Where its present life begins; of no use where what it notes is no later than the point.
    var since: UInt64
  }

  /// The last event of the first app that told.
  private func app(_ owners: [Owner]) throws(CairnError) -> ItemSource? {
    for owner in owners where owner.content.hasOwn && !owner.isRecord {
      let own = owner.content.updates.last ?? owner.content.base
      if let event = try store.event(at: own)?.event, event.kind != .view {
        return ItemSource(kind: .app, source: event.source, sequence: own)
      }
    }
    return nil
  }

  /// The last event by which an activity told.
  private func activity(_ owners: [Owner]) throws(CairnError) -> ItemSource? {
    var last: ItemSource?
    for owner in owners {
      var found = try activity(on: owner)
      if owner.isRecord, let event = try store.event(at: owner.content.base)?.event {
        found = ItemSource(kind: .activity, source: event.source, sequence: owner.content.base)
      }
      if let found, found.sequence > last?.sequence ?? 0 { last = found }
    }
    return last
  }

  /// The last view that told something of an item.
  private func activity(on owner: Owner) throws(CairnError) -> ItemSource? {
    let noted = owner.content.activity
    guard noted > sequence else {
      let event = noted == 0 ? nil : try store.event(at: noted)?.event
      return event.map { ItemSource(kind: .activity, source: $0.source, sequence: noted) }
    }
    // What is noted without a version of its own may be later than a past point.
    let id = owner.id
    var query = EventQuery()
    query.item = id
    query.kind = .view
    query.from = owner.since
    query.through = sequence
    query.isReversed = true
    query.includesLeafHashes = false
    var found: ItemSource?
    try store.forEachEvent(query) { recorded in
      // Events of what is one with the item come, too.
      guard recorded.event.item == id, !recorded.event.attributes.isEmpty else { return true }
      found = ItemSource(
        kind: .activity, source: recorded.event.source, sequence: recorded.sequence)
      return false
    }
    return found
  }

  /// The attributes that say where an item is.
  private static let keyNames = [
    "relatedUniqueIdentifier", "weakRelatedUniqueIdentifier", "webpageURL", "contentURL", "URL",
    "web_deepLink",
  ]

  /// The items that a web page may belong to, and those that pages ever told of.
  /// - Complexity: O(items), a few microseconds each.
  package func layeredItems() throws(CairnError) -> [LayeredItem] {
    let found = try read { (view, txn) throws(CairnError) in
      let catalog = view.generation.catalog
      var items: [LayeredItem] = []
      try catalog.forEachLayers(in: txn) { (layers) throws(CairnError) in
        var keys: [String] = []
        var related: String?
        // A part is there, too.
        var state = layers.state
        state.isPresent = state.isPresent || state.isPart
        let isThere = isPresent(state)
        if isThere {
          let item = try self.item(layers.item, nil, 0, layers.state, view, txn)
          keys = Self.keyNames.compactMap { item.text(of: $0) }
          related = item.text(of: Self.keyNames[0])
          if let attributes = try catalog.activityAttributes(
            layers.state.content, domain: layers.state.domain, by: view.lens, log: store.log,
            in: txn)
          {
            let activity = Item(id: "", domain: nil, sequence: 0, expires: nil, encoded: attributes)
            keys += Self.keyNames.compactMap { activity.text(of: $0) }
          }
        }
        let hasExpired = state.isPresent && !isThere
        guard layers.page != 0 || !keys.isEmpty || state.isPart || hasExpired else { return }
        items.append(
          LayeredItem(
            id: String(decoding: try catalog.name(of: layers.item, in: txn), as: UTF8.self),
            hasOwn: isThere && layers.state.content.hasOwn, hasExpired: hasExpired,
            page: layers.page == 0 ? nil : layers.page, end: layers.end, keys: keys,
            related: related))
      }
      return items
    }
    return found ?? []
  }

  /// Visits the activities that an application's front end remembers, alone or as parts of items,
  /// by their identifiers, with what they themselves told.
  /// - Complexity: O(activities), a few microseconds each.
  package func forEachActivity(_ body: (Item) throws(CairnError) -> Void) throws(CairnError) {
    try read { (view, txn) throws(CairnError) in
      let catalog = view.generation.catalog
      try catalog.forEachNameInOrder(after: Array(ItemPart.recordPrefix.utf8), in: txn) {
        (name, ordinal) throws(CairnError) in
        guard ItemPart.isRecord(name) else { return false }
        guard let version = try catalog.state(of: ordinal, asOf: sequence, in: txn) else {
          return true
        }
        var state = version.state
        state.isPresent = state.isPresent || state.isPart
        if isPresent(state) {
          try body(try item(ordinal, name, version.sequence, state, view, txn))
        }
        return true
      }
    }
  }
}
