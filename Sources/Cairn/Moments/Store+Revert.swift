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
  ///   - item: Only this item, and what is shown as one with it, now or then.
  /// - Returns: The plan; nothing is changed. Append it with ``appendBlocking(_:)-(RevertPlan)``.
  /// - Throws: `corrupt` and the like.
  /// - Complexity: O(items).
  /// - Note: Blocks the calling thread.
  public func planRevert(to moment: Moment, domain: String? = nil, item: String? = nil)
    throws(CairnError) -> RevertPlan
  {
    var draft = RevertDraft(from: moment, to: try at())
    if let item {
      for id in try draft.together(with: item) {
        try draft.add(id, try moment.item(id), try draft.now.item(id))
      }
      return draft.plan
    }
    try forEachPair(from: moment, to: draft.now, domain: domain) {
      (id, old, new) throws(CairnError) in
      try draft.add(id, old, new)
      return true
    }
    return draft.plan
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

/// A plan as it is made, item by item; what is shown as one is told apart, as it was given.
private struct RevertDraft {
  let moment: Moment
  let now: Moment
  private var made: RevertPlan
  /// In the order in which they make items one again: a page names parts that have to be there and
  /// have no page of their own, and an activity joins the item that it is about.
  private var given: [Event] = []
  private var gonePages: [Event] = []
  private var pages: [Event] = []
  private var activities: [Event] = []
  /// Items that are shown as one with others and were added.
  private var seen: Set<[UInt8]> = []
  /// Items that go and come again, which lets go of their parts.
  private var renewed: Set<[UInt8]> = []

  init(from moment: Moment, to now: Moment) {
    self.moment = moment
    self.now = now
    made = RevertPlan(head: now.sequence)
  }

  var plan: RevertPlan {
    var plan = made
    plan.events = given + gonePages + pages + activities
    return plan
  }

  private var eventCount: Int {
    given.count + gonePages.count + pages.count + activities.count
  }

  /// The identifiers of what is shown as one with an item at either moment, itself among them.
  func together(with id: String) throws(CairnError) -> [String] {
    let old = try moment.together(with: id)
    return try old + now.together(with: id).filter { new in !old.contains { $0.hasBytes(of: new) } }
  }

  /// Adds what makes an item the old one again.
  mutating func add(_ id: String, _ old: Item?, _ new: Item?) throws(CairnError) {
    let together = try together(with: id)
    // What is shown alike may still hide what one of several was given.
    guard together.count > 1 || old?.isAlike(new) != true else { return }
    let before = eventCount
    var wasSeen = false
    for id in together {
      if together.count == 1 || seen.insert(Array(id.utf8)).inserted {
        try goBack(id)
      } else {
        wasSeen = true
      }
    }
    guard let old, !old.hasExpired(by: now) else {
      made.leavingCount += new == nil ? 0 : 1
      return
    }
    if new != nil {
      let isChanging = eventCount > before || wasSeen && !old.isAlike(new)
      made.changingCount += isChanging ? 1 : 0
    } else {
      made.returningCount += 1
      // What is a part now keeps its views.
      guard try now.told(of: id) == nil else { return }
      made.lostViewCount += try moment.use(of: id)?.viewCount ?? 0
    }
  }

  /// Adds what gives an item again what it was given, and nothing else.
  private mutating func goBack(_ id: String) throws(CairnError) {
    let present = try now.told(of: id)
    // What has expired since would be gone by now, whatever came after.
    guard let told = try moment.told(of: id), !told.hasExpired(by: now) else {
      if present != nil { given.append(Event(kind: .delete, item: id)) }
      return
    }
    var page = present?.page
    if let own = told.own {
      if own != present?.own || told.isAway(from: present, renewed) {
        if told.subject == nil { try giveAlone(own, id) } else { activities.append(own) }
      }
    } else if let present, present.own != nil, !present.isByActivity {
      // No event takes away what an app gave and leaves the page; views are not taken back.
      made.lostViewCount += try now.use(of: id)?.viewCount ?? 0
      given.append(Event(kind: .delete, item: id))
      renewed.insert(Array(id.utf8))
      page = nil
    }
    if let then = told.page {
      if then != page { pages.append(then) }
    } else if let page {
      // The time of the page: an import of it again is not older.
      gonePages.append(Event(kind: .delete, item: id, time: page.time, source: "web"))
    }
  }

  /// Gives an activity that is no part of the item that it is about, as one that was told of first:
  /// an update that names an item joins none.
  private mutating func giveAlone(_ own: Event, _ id: String) throws(CairnError) {
    guard ItemPart.isRecord(Array(id.utf8)), let subject = own.subject else {
      given.append(own)
      return
    }
    var (isThere, alone) = (try now.told(of: subject) != nil, own)
    if !isThere { isThere = try moment.told(of: subject) != nil }
    guard isThere else {
      given.append(own)
      return
    }
    var names = Event(kind: .update, item: id)
    for name in Event.subjectNames {
      names.attributes[name] = own.attributes[name]
      alone.attributes[name] = nil
    }
    given += [alone, names]
  }
}

/// What an item was given, by itself.
private struct ToldItem {
  /// What an app or an activity gave; nil where none did.
  var own: Event?
  /// Whether an activity alone gave that.
  var isByActivity = false
  /// The event that gave what its web page says, naming its parts alone: what it named besides was
  /// not there; nil without a page.
  var page: Event?
  /// The item that it is an activity about, as a part of it; nil for others.
  var subject: [UInt8]?
  var expires: Timestamp?

  func hasExpired(by moment: Moment) -> Bool { expires.map { $0 <= moment.clock } ?? false }

  /// Whether it is, or will be, a part of another item than then, or of none.
  func isAway(from present: ToldItem?, _ renewed: Set<[UInt8]>) -> Bool {
    subject != present?.subject || subject.map { renewed.contains($0) } ?? false
  }
}

extension Event {
  /// Leaves of the items that a page's event names those that became parts.
  fileprivate mutating func keepItems(_ parts: Set<[UInt8]>) {
    guard let listed = extras["items"]?.array else { return }
    let kept = listed.filter { $0.string.map { parts.contains(Array($0.utf8)) } ?? false }
    extras["items"] = kept.isEmpty ? nil : .array(kept)
  }

  fileprivate static let subjectNames = ["relatedUniqueIdentifier", "weakRelatedUniqueIdentifier"]

  /// The item that an activity says it is about.
  fileprivate var subject: String? {
    Self.subjectNames.lazy.compactMap { self.attributes[$0]?.string }.first { !$0.isEmpty }
  }
}

extension Moment {
  fileprivate func together(with id: String) throws(CairnError) -> [String] {
    let name = Array(id.utf8)
    let found = try read(of: .item) { (view, txn) throws(CairnError) -> [String] in
      let catalog = view.generation.catalog
      guard let ordinal = try catalog.ordinal(of: name, in: txn) else { return [id] }
      var names: [String] = []
      for item in try catalog.together(with: ordinal, asOf: sequence, in: txn) {
        names.append(String(decoding: try catalog.name(of: item, in: txn), as: UTF8.self))
      }
      return names
    }
    return found ?? [id]
  }

  /// What an item was given; nil where it is not there, neither by itself nor as a part.
  fileprivate func told(of id: String) throws(CairnError) -> ToldItem? {
    let name = Array(id.utf8)
    let found = try read(of: .item) { (view, txn) throws(CairnError) -> ToldItem? in
      let catalog = view.generation.catalog
      guard let ordinal = try catalog.ordinal(of: name, in: txn) else { return nil }
      try checkKept(ordinal, view, txn)
      guard let state = try catalog.state(of: ordinal, asOf: sequence, in: txn)?.state,
        state.isPresent || state.isPart, !state.hasExpired(by: clock),
        // What is a part of something that has expired is not there either.
        let whole = try catalog.whole(of: ordinal, asOf: sequence, in: txn), isPresent(whole.state)
      else { return nil }
      var told = ToldItem(expires: state.expires)
      let given = try view.generation.given(ordinal, state, by: view.lens, store.log, in: txn)
      if let attributes = given.own {
        var event = Event(kind: .index, item: id, attributes: attributes)
        if state.ownDomain != ResolvedEvent.none {
          let domain = try catalog.domainName(state.ownDomain, in: txn)
          event.domain = .value(String(decoding: domain, as: UTF8.self))
        }
        if let expires = state.expires { event.expires = .value(expires) }
        told.own = event
        told.isByActivity = try catalog.isByActivity(state.content, store.log)
      }
      if let attributes = given.page, var event = try store.event(at: state.content.page)?.event {
        event.attributes = attributes
        (event.id, event.recorded, event.schema, event.isRestored) = (nil, nil, nil, false)
        var parts: Set<[UInt8]> = []
        for part in state.content.parts {
          parts.insert(try catalog.name(of: part.item, in: txn))
        }
        event.keepItems(parts)
        told.page = event
      }
      if state.isPart, ItemPart.isRecord(name) {
        let whole = try catalog.name(of: state.whole, in: txn)
        if told.own?.subject.map({ $0.utf8.elementsEqual(whole) }) ?? false { told.subject = whole }
      }
      return told
    }
    return found ?? nil
  }
}

extension Generation {
  /// What was given of an item in a state: its own attributes, and those that its web page says.
  ///
  /// What a schema shows holds defaults, which no one gave, and not what it ignores for now. What
  /// parts gave is theirs.
  func given(
    _ item: UInt32, _ state: ItemState, by lens: SchemaLens?, _ log: EventLog,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> (own: Attributes?, page: Attributes?) {
    var own = state.content
    own.page = 0
    own.parts = []
    var page = ContentSource()
    page.page = state.content.page
    var given: (own: Attributes?, page: Attributes?)
    if own.hasOwn {
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
      of: item, source, domain: domain, at: nil, by: lens, log: log, in: txn)
    var visible = Attributes()
    for member in try Attributes(encoded: encoded, encoded.indices)
    where !HiddenAttribute.isHidden(member.key) {
      visible[member.key] = member.value
    }
    return visible
  }
}

extension Item {
  fileprivate func hasExpired(by moment: Moment) -> Bool {
    expires.map { $0 <= moment.clock } ?? false
  }

  fileprivate func isAlike(_ other: Item?) -> Bool {
    guard let other else { return false }
    return domain.hasBytes(of: other.domain) && expires == other.expires
      && attributes == other.attributes
  }
}
