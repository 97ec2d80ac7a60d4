/// The events that would bring items back to what they were at a moment.
public struct RevertPlan: Sendable {
  /// One event for each item that differs: `index` with what it was, or `delete`.
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
      let (old, new) = (try moment.item(item), try now.item(item))
      guard old?.isAlike(new) != true, old != nil || new != nil else { return plan }
      try plan.add(item, old, isThere: new != nil, from: moment, now.clock)
      return plan
    }
    try forEachChange(from: moment, to: now, domain: domain) { (change) throws(CairnError) in
      let old = change.kind == .added ? nil : try moment.item(change.item)
      try plan.add(change.item, old, isThere: change.kind != .removed, from: moment, now.clock)
      return true
    }
    return plan
  }

  /// Appends what a plan says, and blocks the calling thread until it is on disk.
  ///
  /// No rule of a schema refuses it: what was accepted once comes back as it was.
  /// - Returns: What became of each event.
  /// - Throws: `conflict` when something was appended since the plan was made; otherwise as
  ///   ``append(_:expecting:)``.
  @discardableResult public func appendBlocking(_ plan: RevertPlan) throws(CairnError)
    -> AppendResult
  {
    var encoded = try Self.encode(plan.events)
    for index in encoded.indices { encoded[index].wasAccepted = true }
    return try appendBlocking(encoded: encoded, expecting: plan.head)
  }
}

extension RevertPlan {
  /// Adds what makes an item the old one again, unless that has expired since.
  fileprivate mutating func add(
    _ id: String, _ old: Item?, isThere: Bool, from moment: Moment, _ clock: Timestamp
  ) throws(CairnError) {
    guard let old else {
      leavingCount += 1
      events.append(Event(kind: .delete, item: id))
      return
    }
    if let expires = old.expires, expires <= clock { return }
    if isThere {
      changingCount += 1
    } else {
      returningCount += 1
      lostViewCount += try moment.use(of: id)?.viewCount ?? 0
    }
    // What is shown holds defaults, which no one gave, and not what is ignored for now.
    let attributes = try moment.madeAttributes(of: id) ?? old.attributes
    events.append(
      Event(
        kind: .index, item: id, domain: old.domain.map { .value($0) } ?? .absent,
        attributes: attributes, expires: old.expires.map { .value($0) } ?? .absent))
  }
}

extension Item {
  fileprivate func isAlike(_ other: Item?) -> Bool {
    guard let other else { return false }
    return domain == other.domain && expires == other.expires && attributes == other.attributes
  }
}
