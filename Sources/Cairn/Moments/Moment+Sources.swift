import Catalog
import LMDB
import Projections

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
  /// Sequence of the last event that told.
  public var sequence: UInt64
  /// Where the page is.
  public var url: String?
}

/// An item that a web page may belong to.
package struct LayeredItem {
  /// Its identifier.
  package var id: String
  /// Whether an app or an activity gave it attributes; false where it is not there, by itself or as
  /// a part of another.
  package var hasOwn: Bool
  /// Sequence of the last event that said what its page says; nil for none.
  package var page: UInt64?
  /// Sequence of the event that took that away; nil where it still holds.
  package var end: UInt64?
  /// The URLs by which it can be known.
  package var keys: [String]
  /// The item it says it is about; nil for none.
  package var related: String?
}

extension Moment {
  /// The item that is shown where an identifier is asked for: another one where a web page made it
  /// a part of that.
  ///
  /// - Complexity: O(log items).
  /// - Throws: `corrupt` and the like.
  /// - Note: Blocks the calling thread.
  public func shownID(of id: String) throws(CairnError) -> String {
    let name = Array(id.utf8)
    let found = try read(of: .item) { (view, txn) throws(CairnError) -> String? in
      let catalog = view.generation.catalog
      guard let ordinal = try catalog.ordinal(of: name, in: txn),
        let state = try catalog.state(of: ordinal, asOf: sequence, in: txn)?.state, state.isPart
      else { return nil }
      return String(decoding: try catalog.name(of: state.whole, in: txn), as: UTF8.self)
    }
    return found.flatMap { $0 } ?? id
  }

  /// Who told of an item: app, activity, web page, in this order, each once.
  /// - Complexity: O(events since the item's last activity), some 10 ns each.
  /// - Throws: `corrupt` and the like.
  /// - Note: Blocks the calling thread.
  public func sources(of id: String) throws(CairnError) -> [ItemSource] {
    let shown = Array(try shownID(of: id).utf8)
    let found = try read(of: .item) {
      (view, txn) throws(CairnError) -> [(id: String, state: ItemState)] in
      let catalog = view.generation.catalog
      guard let ordinal = try catalog.ordinal(of: shown, in: txn) else { return [] }
      try checkKept(ordinal, view, txn)
      guard let whole = try catalog.state(of: ordinal, asOf: sequence, in: txn)?.state,
        isPresent(whole)
      else { return [] }
      var owners = [(String(decoding: shown, as: UTF8.self), whole)]
      for part in whole.content.parts {
        guard let state = try catalog.state(of: part.item, asOf: part.sequence, in: txn)?.state
        else { continue }
        let name = try catalog.name(of: part.item, in: txn)
        owners.append((String(decoding: name, as: UTF8.self), state))
      }
      return owners
    }
    guard let owners = found, let whole = owners.first?.state else { return [] }
    var sources: [ItemSource] = []
    for (_, state) in owners where state.content.hasOwn && sources.isEmpty {
      let own = state.content.updates.last ?? state.content.base
      if let event = try store.event(at: own)?.event, event.kind != .view {
        sources.append(ItemSource(kind: .app, source: event.source, sequence: own))
      }
    }
    var activity: ItemSource?
    for (owner, state) in owners {
      let found = try self.activity(on: owner, since: state.since)
      if let found, found.sequence > activity?.sequence ?? 0 { activity = found }
    }
    if let activity { sources.append(activity) }
    if whole.content.page != 0, let event = try store.event(at: whole.content.page)?.event {
      var page = ItemSource(kind: .web, source: event.source, sequence: whole.content.page)
      if case .string(let url)? = event.extras["url"] { page.url = url }
      sources.append(page)
    }
    return sources
  }

  /// The last view that tells something of an item.
  private func activity(on id: String, since: UInt64) throws(CairnError) -> ItemSource? {
    var query = EventQuery()
    query.item = id
    query.kind = .view
    query.from = max(1, since)
    query.through = sequence
    query.isReversed = true
    query.includesLeafHashes = false
    var found: ItemSource?
    try store.forEachEvent(query) { recorded in
      guard !recorded.event.attributes.isEmpty else { return true }
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
          if let told = try catalog.activityAttributes(
            layers.state.content, by: view.lens, log: store.log)
          {
            let activity = Item(id: "", domain: nil, sequence: 0, expires: nil, encoded: told)
            keys += Self.keyNames.compactMap { activity.text(of: $0) }
          }
        }
        guard layers.page != 0 || !keys.isEmpty || state.isPart else { return }
        items.append(
          LayeredItem(
            id: String(decoding: try catalog.name(of: layers.item, in: txn), as: UTF8.self),
            hasOwn: isThere && layers.state.content.hasOwn,
            page: layers.page == 0 ? nil : layers.page, end: layers.end, keys: keys,
            related: related))
      }
      return items
    }
    return found ?? []
  }
}
