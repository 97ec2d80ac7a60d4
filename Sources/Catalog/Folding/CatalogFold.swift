package import EventLog
package import Events
package import LMDB
package import Projections
package import Schema

/// Folds a batch of events into the catalog and tells the other projections what they did.
///
/// Rows are gathered in memory and written sorted by `flush`, because LMDB writes a sorted batch
/// several times faster than a scattered one.
package struct CatalogFold {
  struct Entry {
    var ordinal: UInt32
    var key: NameKey
    var state: ItemState
    var made: UInt64
    var isRecord = false

    /// An item whose newest version is given, if it has one.
    init(_ ordinal: UInt32, _ key: NameKey, _ version: (sequence: UInt64, state: ItemState)?) {
      self.ordinal = ordinal
      self.key = key
      state = version?.state ?? ItemState()
      made = version?.sequence ?? 0
    }
  }

  struct VersionRow {
    var item: UInt32
    var made: UInt64
    var value: Range<Int>
  }

  let catalog: Catalog
  let log: EventLog
  /// What makes older events those of the schema in force; nil where there is none to be made.
  let lens: SchemaLens?
  /// Counters and digests, carried from batch to batch by the runner.
  package var checkpoint: Checkpoint
  /// One resolved event for each event folded, in order.
  package private(set) var resolved: [ResolvedEvent] = []
  package internal(set) var changes: [ContentChange] = []
  /// Whether any version in the batch can expire.
  package private(set) var sawExpiry = false
  /// Whether any item in the batch has a part that ends before it does.
  package internal(set) var sawEndingParts = false
  /// Whether the log has the present event in another shape.
  var isShaped = false

  var entries: [Entry] = []
  var places: [NameKey: Int] = [:]
  /// Of the events looked up: whether nothing before the batch names their items.
  var newItems: [Bool] = []
  var domainOrdinals: [NameKey: UInt32] = [:]
  var domainKeys: [UInt32: NameKey] = [:]
  var arena: [UInt8] = []
  var versionRows: [VersionRow] = []
  var itemRows: [(key: [UInt8], ordinal: UInt32)] = []
  var nameRows: [(ordinal: UInt32, name: Range<Int>)] = []
  var memberRows: [UInt64] = []
  var domainCounts: [UInt32: PresenceCount] = [:]
  /// The places of the first entries by their ordinals, as far as they were asked for.
  var placesByOrdinal: [UInt32: Int] = [:]
  var orderedCount = 0

  /// Starts a batch after `checkpoint`.
  package init(catalog: Catalog, log: EventLog, checkpoint: Checkpoint, lens: SchemaLens? = nil) {
    self.lens = lens
    self.catalog = catalog
    self.log = log
    self.checkpoint = checkpoint
  }

  /// Folds one event; `index` is its place in the batch, and `isShaped` tells that the log has it
  /// in another shape.
  ///
  /// - Throws: `.corrupt` when a row or the event's payload cannot be read.
  package mutating func fold(
    _ event: StoredEvent, _ layout: EventLayout, index: Int, isShaped: Bool = false,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    self.isShaped = isShaped
    var result = ResolvedEvent(
      sequence: event.sequence, kind: event.kind, timeMicroseconds: event.time.microseconds,
      recordedMicroseconds: event.recorded.microseconds,
      actorHash: layout.actor.map { NameKey(event.payload, $0).short } ?? 0)
    if case .value(let range) = layout.domain {
      result.domain =
        layout.item == nil
        ? try shapedDomain(event, range, in: &txn) : try domain(event.payload, range, in: &txn)
    }
    if let item = layout.item {
      try foldItem(event, layout, item, index, &result, in: &txn)
    } else if event.kind == .delete {
      try flush(in: &txn)
      let domain = result.domain
      if layout.all || domain != ResolvedEvent.none {
        try deleteAll(within: layout.all ? nil : domain, event, layout, in: &txn)
      }
    }
    result.domainKey = try domainKey(result.domain, in: txn.reader)
    resolved.append(result)
  }

  private mutating func foldItem(
    _ event: StoredEvent, _ layout: EventLayout, _ item: Range<Int>, _ index: Int,
    _ result: inout ResolvedEvent, in txn: inout WriteTransaction
  ) throws(CairnError) {
    let place = try entry(event.payload, item, at: index, in: &txn)
    let before = entries[place].state
    result.item = entries[place].ordinal
    result.itemKey = entries[place].key
    if var after = try nextState(before, event, layout, result.domain) {
      if after.versionCount == before.versionCount {
        note(after, of: place)
      } else {
        try settleParts(of: place, &after, event, layout, in: &txn)
        try record(place, after, event, layout, index, in: &txn)
        if before.isPart { try refresh(before.whole, at: event.sequence, in: &txn) }
        if entries[place].isRecord {
          try settleRecord(place, before: before, event, layout, in: &txn)
        }
      }
      if after.isPresent && !before.isPresent && before.wasEverPresent && !before.isPart {
        result.startsAfresh = true
      }
    }
    let state = entries[place].state
    if result.domain == ResolvedEvent.none {
      result.domain = before.isPresent || before.isPart ? before.domain : state.domain
    }
    result.counts =
      state.since != .max && (event.kind != .update || state.isPresent || state.isPart)
  }

  /// The item's state after the event, or nil when the event does not change it.
  private func nextState(
    _ before: ItemState, _ event: StoredEvent, _ layout: EventLayout, _ domain: UInt32
  ) throws(CairnError) -> ItemState? {
    guard before.isPart else { return try nextWhole(before, event, layout, domain) }
    // What is told of a part becomes of it as of any item, and it stays a part.
    var alone = before
    alone.isPresent = true
    guard var state = try nextWhole(alone, event, layout, domain) else { return nil }
    if state.content.page != 0 {
      state.whole = ResolvedEvent.none
    } else if state.isPresent {
      state.isPresent = false
    }
    return state
  }

  private func nextWhole(
    _ before: ItemState, _ event: StoredEvent, _ layout: EventLayout, _ domain: UInt32
  ) throws(CairnError) -> ItemState? {
    var state = before
    let hasExpired = before.hasExpired(by: event.recorded)
    let isPage = layout.isOfPage(in: event.payload)
    switch event.kind {
    case .index where isPage:
      // What has expired would hide the page for ever.
      if before.isPresent && hasExpired { state.dropOwn() }
      state.contentKey = Self.contentKey(event.payload, layout, after: try keyAbovePage(of: state))
      state.appear(at: event.sequence)
      state.pageDomain = domain
      state.content.page = event.sequence
    case .delete where isPage:
      guard before.content.page != 0 else { return nil }
      state.dropPage()
      if state.isPresent {
        state.contentKey = Self.contentKey(event.payload, layout, after: before.contentKey)
      }
    case .view where before.isPresent && before.content.hasOwn && !hasExpired:
      return try tell(&state, event, layout) ? state : nil
    case .index, .view:
      if event.kind == .view, !layout.hasTitle(in: event.payload) { return nil }
      state.appear(at: event.sequence)
      state.ownDomain = domain
      // An activity that ends does not take a page along.
      if event.kind == .index || before.content.page == 0 || hasExpired {
        state.expires = layout.expires.value
      }
      state.content.replaceOwn(event.sequence)
      if event.kind == .view { state.content.activity = event.sequence }
      state.contentKey = Self.contentKey(
        event.payload, layout, after: before.content.page == 0 ? .none : before.contentKey)
    case .update where before.isPresent:
      switch layout.domain {
      case .absent: break
      case .cleared: state.ownDomain = ResolvedEvent.none
      case .value: state.ownDomain = domain
      }
      switch layout.expires {
      case .absent: break
      case .cleared: state.expires = nil
      case .value(let time): state.expires = time
      }
      if layout.attributes != nil {
        state.content.updates.append(event.sequence)
        state.contentKey = Self.contentKey(event.payload, layout, after: before.contentKey)
      }
    case .delete where before.isPresent: state.disappear()
    default: return nil
    }
    state.versionCount &+= 1
    return state
  }

  /// Makes a new version of an entry: row, digest, membership, content change.
  private mutating func record(
    _ place: Int, _ after: ItemState, _ event: StoredEvent, _ layout: EventLayout, _ index: Int,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    let before = entries[place].state
    var state = after
    if state.expires != nil { sawExpiry = true }
    let changeCount = changes.count
    if !state.isPresent, !state.isPart {
      changes.append(change(place, event.sequence, .removed))
    } else if event.kind == .update {
      try merge(place, &state, event, layout, in: &txn)
    } else {
      if isShaped, state.content.base == event.sequence {
        let made = AttributeMap.merging(
          AttributeMap.empty, AttributeMap.empty.indices, with: event.payload,
          layout.attributes ?? 0..<0)
        try store(made, place, at: event.sequence, in: &txn)
        state.content.replaceOwn(event.sequence, isStored: true)
      }
      let isLayered = state.content.hasOwn && (before.content.page != 0 || state.content.page != 0)
      if isLayered || !state.content.parts.isEmpty {
        try noteMerged(place, state, event.sequence, in: txn.reader)
      } else {
        changes.append(
          try change(place, event.sequence, .replaced(index), in: state.domain, txn.reader))
      }
    }
    // What a part has is found in the whole.
    if state.isPart, !state.isPresent { changes.removeSubrange(changeCount...) }
    try setState(place, state, at: event.sequence, in: txn.reader)
    let isNewMember =
      (state.isPresent || state.isPart) && state.domain != ResolvedEvent.none
      && (state.domain != before.domain || !before.isPresent)
    if isNewMember {
      memberRows.append(UInt64(state.domain) << 32 | UInt64(entries[place].ordinal))
    }
  }

  func change(_ place: Int, _ sequence: UInt64, _ content: ContentChange.Content) -> ContentChange {
    ContentChange(
      item: entries[place].ordinal, itemKey: entries[place].key, sequence: sequence,
      content: content)
  }

  /// A change whose shown attributes depend on the domain that the item has then.
  func change(
    _ place: Int, _ sequence: UInt64, _ content: ContentChange.Content, in domain: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> ContentChange {
    var change = change(place, sequence, content)
    if lens != nil, domain != ResolvedEvent.none {
      change.domain = try catalog.domainName(domain, in: txn)
    }
    return change
  }

  /// Stores a version in memory and accounts for it.
  mutating func setState(
    _ place: Int, _ state: ItemState, at sequence: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) {
    var state = state
    if entries[place].made == sequence {
      // One version an event: this one takes the place of the one before.
      let former = entries[place].state
      state.versionCount = former.versionCount
      checkpoint[Catalog.name].remove(try digestRow(former, place, in: txn))
    }
    let wasPresent = entries[place].state.isPresent
    if state.isPresent != wasPresent {
      checkpoint.presentCount =
        state.isPresent ? checkpoint.presentCount &+ 1 : checkpoint.presentCount &- 1
    }
    count(entries[place].state, state)
    entries[place].state = state
    entries[place].made = sequence
    writeVersion(of: place)
    checkpoint[Catalog.name].add(try digestRow(state, place, in: txn))
  }

  private mutating func digestRow(
    _ state: ItemState, _ place: Int, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> RowHasher {
    state.digestRow(item: entries[place].key, domain: try domainKey(state.domain, in: txn))
  }

  static func contentKey(_ payload: [UInt8], _ layout: EventLayout, after previous: NameKey)
    -> NameKey
  { contentKey(payload, layout.attributes, after: previous) }

  static func contentKey(
    _ payload: [UInt8], _ attributes: Range<Int>?, after previous: NameKey
  ) -> NameKey {
    var hasher = RowHasher(kind: 2)
    hasher.add(previous)
    if let attributes { hasher.add(payload, attributes) }
    return NameKey(hasher)
  }
}

extension ItemState {
  /// Becomes present; a life after a deletion starts its counters at `sequence`.
  mutating func appear(at sequence: UInt64) {
    if !isPresent && wasEverPresent { since = sequence }
    isPresent = true
    wasEverPresent = true
  }

  /// Loses what its web page says, and goes where nothing else is known of it.
  mutating func dropPage() {
    guard content.hasOwn else { return disappear() }
    content.page = 0
    pageDomain = ResolvedEvent.none
  }

  /// Loses what an app or an activity gave, and when that ends.
  mutating func dropOwn() {
    ownDomain = ResolvedEvent.none
    expires = nil
    content.replaceOwn(0)
    content.activity = 0
  }

  /// Becomes absent; what it had is forgotten, its history stays in the log.
  mutating func disappear() {
    isPresent = false
    since = .max
    ownDomain = ResolvedEvent.none
    pageDomain = ResolvedEvent.none
    expires = nil
    whole = ResolvedEvent.none
    content = ContentSource()
    contentKey = .none
  }

  /// The logical row: names and content, nothing that depends on how the log is numbered.
  func digestRow(item: NameKey, domain: NameKey) -> RowHasher {
    var hasher = RowHasher(kind: 1)
    hasher.add(item)
    hasher.add(UInt64(versionCount) << 1 | (isPresent ? 1 : 0))
    hasher.add(domain)
    hasher.add(UInt64(bitPattern: expires?.seconds ?? .max))
    hasher.add(UInt64(expires?.nanoseconds ?? .max))
    hasher.add(contentKey)
    return hasher
  }
}
