import Catalog
import EventLog
import LMDB
import Projections

/// The events that would bring items back to what they were at a moment.
public struct RevertPlan: Sendable {
  /// For each item that differs `index` with what it was, or `delete`; where its web page said
  /// something else, or nothing, an event of the page as well.
  public var events: [Event] = []
  /// Items that come back.
  public var returningCount = 0
  /// Views that those items had, which stay in the log and count no more: a life after a deletion
  /// begins anew.
  public var lostViewCount = 0
  /// Items that go.
  public var leavingCount = 0
  /// Items that change.
  public var changingCount = 0
  /// The head that was compared with the moment; to be expected by the append.
  public var head: UInt64
}

extension Store {
  /// What to append so that the items are again what they were at a moment.
  ///
  /// History stays: going back is new events, which can be gone back on as well. Uses are history,
  /// so views are not taken back; an item that comes back starts with fresh counters.
  /// - Parameters:
  ///   - moment: What to go back to.
  ///   - domain: Only items that are in this domain or below it, now or then.
  ///   - item: Only this item.
  /// - Returns: The plan; nothing is changed. Append it with ``appendBlocking(_:)-(RevertPlan)``.
  /// - Throws: `corrupt` and the like.
  /// - Complexity: O(items).
  /// - Note: Blocks the calling thread.
  public func planRevert(to moment: Moment, domain: String? = nil, item: String? = nil)
    throws(CairnError) -> RevertPlan
  {
    let now = try at()
    var plan = RevertPlan(head: now.sequence)
    if let item {
      try plan.add(item, try moment.item(item), try now.item(item), from: moment, to: now)
      return plan
    }
    try forEachPair(from: moment, to: now, domain: domain) { (id, old, new) throws(CairnError) in
      try plan.add(id, old, new, from: moment, to: now)
      return true
    }
    return plan
  }

  /// Appends what a plan says, and blocks the calling thread until it is on disk.
  ///
  /// No rule of a schema refuses it: what was accepted once comes back as it was. The events say so
  /// where there is a schema, since a replay of the log is to be taken as well.
  /// - Returns: What became of each event.
  /// - Throws: `conflict` when something was appended since the plan was made; otherwise as
  ///   ``append(_:expecting:)``.
  @discardableResult public func appendBlocking(_ plan: RevertPlan) throws(CairnError)
    -> AppendResult
  {
    var events = plan.events
    if try !schemas.history(of: log).isEmpty {
      for index in events.indices where events[index].kind != .delete {
        events[index].isRestored = true
      }
    }
    return try appendBlocking(events, expecting: plan.head)
  }

  /// The same, also where something was appended since that leaves the plan as it is, as the uses
  /// that a server records all the time.
  /// - Parameters:
  ///   - plan: What to append; becomes that of the head it was appended at.
  ///   - moment: As of the plan.
  ///   - domain: As of the plan.
  ///   - item: As of the plan.
  /// - Returns: What became of each event.
  /// - Throws: `conflict` when something was appended that changes the plan.
  package func appendBlocking(
    _ plan: inout RevertPlan, to moment: Moment, domain: String?, item: String?
  ) throws(CairnError) -> AppendResult {
    for _ in 0..<Self.revertAttempts {
      do throws(CairnError) { return try appendBlocking(plan) } catch
        where error.code == .conflict
      {
        let now = try planRevert(to: moment, domain: domain, item: item)
        guard now.events == plan.events else { throw error }
        plan = now
      }
    }
    return try appendBlocking(plan)
  }

  private static let revertAttempts = 50
}

extension RevertPlan {
  /// Adds what makes an item the old one again.
  fileprivate mutating func add(
    _ id: String, _ old: Item?, _ new: Item?, from moment: Moment, to now: Moment
  ) throws(CairnError) {
    guard old?.isAlike(new) != true else { return }
    // What has expired since would be gone by now, whatever came after.
    guard let old, !(old.expires.map { $0 <= now.clock } ?? false) else {
      guard new != nil else { return }
      leavingCount += 1
      events.append(Event(kind: .delete, item: id))
      return
    }
    // A purge came in between: the plan is refused.
    guard let told = try moment.itemEvents(of: id) else { return }
    let present = try now.itemEvents(of: id)
    var page = present?.page
    let eventCount = events.count
    if let own = told.own {
      if own != present?.own { events.append(own) }
    } else if let present, present.own != nil, !present.isByActivity {
      // No event takes away what an app gave and leaves the page; views are not taken back.
      lostViewCount += try now.use(of: id)?.viewCount ?? 0
      events.append(Event(kind: .delete, item: id))
      page = nil
    }
    if let then = told.page {
      if then.sequence != page?.sequence { events.append(then.event) }
    } else if let page {
      // The time of the page: an import of it again is not older.
      events.append(Event(kind: .delete, item: id, time: page.event.time, source: "web"))
    }
    if new != nil {
      changingCount += events.count > eventCount ? 1 : 0
    } else {
      returningCount += 1
      lostViewCount += try moment.use(of: id)?.viewCount ?? 0
    }
  }
}

/// The events that make an item what it is at a moment.
private struct ItemEvents {
  /// What an app or an activity gave; nil where none did.
  var own: Event?
  /// Whether an activity alone gave that.
  var isByActivity = false
  /// What its web page says, with the sequence of the event that says it; nil without a page.
  var page: (sequence: UInt64, event: Event)?
}

extension Moment {
  /// What makes an item what it is; nil where it is not there.
  fileprivate func itemEvents(of id: String) throws(CairnError) -> ItemEvents? {
    let name = Array(id.utf8)
    let found = try read(of: .item) { (view, txn) throws(CairnError) -> ItemEvents? in
      let catalog = view.generation.catalog
      guard let ordinal = try catalog.ordinal(of: name, in: txn) else { return nil }
      try checkKept(ordinal, view, txn)
      guard let state = try catalog.state(of: ordinal, asOf: sequence, in: txn)?.state,
        isPresent(state)
      else { return nil }
      var events = ItemEvents()
      let given = try view.generation.given(ordinal, state, by: view.lens, store.log, in: txn)
      if let attributes = given.own {
        var event = Event(kind: .index, item: id, attributes: attributes)
        if state.ownDomain != ResolvedEvent.none {
          let domain = try catalog.domainName(state.ownDomain, in: txn)
          event.domain = .value(String(decoding: domain, as: UTF8.self))
        }
        if let expires = state.expires { event.expires = .value(expires) }
        events.own = event
        events.isByActivity = state.content.isByActivity
      }
      let page = state.content.page
      if let attributes = given.page, var event = try store.event(at: page)?.event {
        event.attributes = attributes
        (event.id, event.recorded, event.schema) = (nil, nil, nil)
        events.page = (page, event)
      }
      return events
    }
    return found ?? nil
  }
}

extension Generation {
  /// What was given of an item in a state: its own attributes, and those that its web page says.
  ///
  /// What a schema shows holds defaults, which no one gave, and not what it ignores for now. What
  /// parts gave becomes the item's own, unless a page names them anew.
  func given(
    _ item: UInt32, _ state: ItemState, by lens: SchemaLens?, _ log: EventLog,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> (own: Attributes?, page: Attributes?) {
    var own = state.content
    own.page = 0
    if state.content.page != 0 { own.parts = [] }
    var page = ContentSource()
    page.page = state.content.page
    var given: (own: Attributes?, page: Attributes?)
    if own.hasOwn || !own.parts.isEmpty {
      given.own = try attributes(of: item, own, state.domain, by: lens, log, in: txn)
    }
    if page.page != 0 {
      given.page = try attributes(of: item, page, state.domain, by: lens, log, in: txn)
    }
    return given
  }

  private func attributes(
    of item: UInt32, _ source: ContentSource, _ domain: UInt32, by lens: SchemaLens?,
    _ log: EventLog, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Attributes {
    let encoded = try catalog.encodedAttributes(
      of: item, source, domain: domain, by: lens, log: log, in: txn)
    var visible = Attributes()
    for member in try Attributes(encoded: encoded, encoded.indices)
    where !HiddenAttribute.isHidden(member.key) {
      visible[member.key] = member.value
    }
    return visible
  }
}

extension Item {
  fileprivate func isAlike(_ other: Item?) -> Bool {
    guard let other else { return false }
    return domain.hasBytes(of: other.domain) && expires == other.expires
      && attributes == other.attributes
  }
}
