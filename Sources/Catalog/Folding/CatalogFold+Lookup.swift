package import EventLog
package import Events
package import LMDB
import Projections
import Schema

extension CatalogFold {
  /// Reads the items that events name, in the order in which their rows stand: a large batch in a
  /// large store visits each page once, rather than one for each event.
  package mutating func lookUp(
    _ events: [StoredEvent], _ layouts: [EventLayout], in txn: borrowing ReadTransaction
  ) throws(CairnError) {
    var names: [(row: [UInt8], index: Int)] = []
    for index in events.indices {
      guard let item = layouts[index].item else { continue }
      names.append((NameCoding.key(events[index].payload, item), index))
    }
    names.sort { $0.row.rawSpan.lexicographicallyPrecedes($1.row.rawSpan) }
    newItems = Array(repeating: false, count: events.count)
    var found: [(ordinal: UInt32, index: Int)] = []
    var rows = try txn.cursor(catalog.items)
    for place in names.indices {
      let (row, index) = names[place]
      if place > 0, names[place - 1].row == row {
        newItems[index] = newItems[names[place - 1].index]
      } else if let known = try rows.seek(row), known.key.equals(row.rawSpan) {
        found.append((try Catalog.readOrdinal(known.value), index))
      } else {
        newItems[index] = true
      }
    }
    found.sort { $0.ordinal < $1.ordinal }
    var versions = try txn.cursor(catalog.versions)
    for (ordinal, index) in found {
      guard let item = layouts[index].item else { continue }
      let version = try catalog.state(of: ordinal, asOf: .max, &versions)
      let payload = events[index].payload
      _ = add(Entry(ordinal, NameKey(payload, item), version), payload, item)
    }
  }

  /// The place of an item in the batch, read from its table or newly named; `index` is the place of
  /// the event that names it, if any does.
  mutating func entry(
    _ payload: [UInt8], _ range: Range<Int>, at index: Int? = nil, in txn: inout WriteTransaction
  ) throws(CairnError) -> Int {
    let key = NameKey(payload, range)
    if let place = places[key] { return place }
    let row = NameCoding.key(payload, range)
    let isNew = index.map { $0 < newItems.count && newItems[$0] } ?? false
    if !isNew, let ordinal = try catalog.ordinal(ofRow: row, in: txn.reader) {
      let version = try catalog.state(of: ordinal, asOf: .max, in: txn.reader)
      return add(Entry(ordinal, key, version), payload, range)
    }
    let ordinal = checkpoint.itemCount
    checkpoint.itemCount += 1
    itemRows.append((row, ordinal))
    let start = arena.count
    arena.append(contentsOf: payload[range])
    nameRows.append((ordinal, start..<arena.count))
    return add(Entry(ordinal, key, nil), payload, range)
  }

  private mutating func add(_ entry: Entry, _ payload: [UInt8], _ range: Range<Int>) -> Int {
    entries.append(entry)
    entries[entries.count - 1].isRecord = ItemPart.isRecord(payload[range])
    places[entry.key] = entries.count - 1
    return entries.count - 1
  }

  /// The ordinal of a domain, newly named if need be.
  ///
  /// Domains are few beside items, so their rows are written at once.
  mutating func domain(_ payload: [UInt8], _ range: Range<Int>, in txn: inout WriteTransaction)
    throws(CairnError) -> UInt32
  {
    let key = NameKey(payload, range)
    if let ordinal = domainOrdinals[key] { return ordinal }
    let row = DomainCoding.key(payload, range)
    let ordinal: UInt32
    if let found = try catalog.domainOrdinal(ofRow: row, in: txn.reader) {
      ordinal = found
    } else {
      ordinal = checkpoint.domainCount
      checkpoint.domainCount += 1
      var value: [UInt8] = []
      value.appendBigEndian(ordinal)
      try txn.put(catalog.domains, row, value)
      try Parted.put(
        &txn, catalog.domainNames, key: Catalog.ordinalKey(ordinal),
        value: Array(payload[range]).rawSpan, append: false)
    }
    domainOrdinals[key] = ordinal
    domainKeys[ordinal] = key
    return ordinal
  }

  mutating func domainKey(_ ordinal: UInt32, in txn: borrowing ReadTransaction) throws(CairnError)
    -> NameKey
  {
    guard ordinal != ResolvedEvent.none else { return .none }
    if let key = domainKeys[ordinal] { return key }
    let key = try catalog.domainKey(ordinal, in: txn)
    domainKeys[ordinal] = key
    return key
  }

  /// Carries an update into an item's content.
  ///
  /// The merged attributes are only looked up when a searched attribute changed, or when the
  /// list of updates has grown so long that they are stored.
  mutating func merge(
    _ place: Int, _ state: inout ItemState, _ event: StoredEvent, _ layout: EventLayout,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    let before = entries[place].state
    let isFull = state.content.updates.count >= ContentSource.updateCountMax
    let isShaped = isShaped && layout.attributes != nil
    let isSearched =
      lens == nil
      ? Self.touchesSearch(event.payload, layout)
      : layout.attributes != nil || state.domain != before.domain
    // Which parts end before the item does is another matter then.
    let isEnding = !state.content.parts.isEmpty && state.expires != before.expires
    guard isFull || isShaped || isSearched || isEnding else { return }
    let ordinal = entries[place].ordinal
    var merged: [UInt8] = []
    if isShaped, let range = layout.attributes {
      let base = try catalog.ownAttributes(of: ordinal, before.content, log: log, in: txn.reader)
      merged = AttributeMap.merging(base, base.indices, with: event.payload, range)
    } else if isFull {
      merged = try catalog.ownAttributes(of: ordinal, state.content, log: log, in: txn.reader)
    }
    if isFull || isShaped {
      try store(merged, place, at: event.sequence, in: &txn)
      state.content.replaceOwn(event.sequence, isStored: true)
    }
    if isSearched || isEnding { try noteMerged(place, state, event.sequence, in: txn.reader) }
  }

  /// Notes that an item's text is now that of all its layers: what it shows for good, and before
  /// what it shows until parts of it end.
  mutating func noteMerged(
    _ place: Int, _ state: ItemState, _ sequence: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let item = entries[place].ordinal
    let endings = try catalog.endings(of: item, state, in: txn)
    if !endings.isEmpty { sawEndingParts = true }
    for owner in try catalog.owners(of: item, state.content, in: txn).dropFirst()
    where !endings.contains(where: { $0.part == owner.item }) {
      changes.append(
        ContentChange(
          item: owner.item, itemKey: try catalog.itemKey(owner.item, in: txn), sequence: sequence,
          content: .removed))
    }
    var clock: Timestamp?
    for ending in endings {
      let merged = try merged(place, state, at: clock, in: txn)
      var change = try change(place, sequence, .until(merged, item), in: state.domain, txn)
      change.item = ending.part
      change.itemKey = try catalog.itemKey(ending.part, in: txn)
      changes.append(change)
      clock = ending.end
    }
    let merged = try merged(place, state, at: clock, in: txn)
    changes.append(try change(place, sequence, .merged(merged), in: state.domain, txn))
  }

  private func merged(
    _ place: Int, _ state: ItemState, at clock: Timestamp?, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt8] {
    try catalog.encodedAttributes(
      of: entries[place].ordinal, state.content, domain: state.domain, at: clock, by: lens,
      log: log, in: txn)
  }

  private static func touchesSearch(_ payload: [UInt8], _ layout: EventLayout) -> Bool {
    guard let range = layout.attributes else { return false }
    var cursor = AttributeCursor(payload, range)
    while let (key, _) = cursor.next() { if SearchField.of(payload, key) != nil { return true } }
    return false
  }

  /// Deletes every present item of a domain and those below it, or of all.
  mutating func deleteAll(
    within domain: UInt32?, _ event: StoredEvent, _ layout: EventLayout,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    let items: [UInt32]
    var subtree: Set<UInt32>?
    // What was moved since, or before, lies elsewhere now.
    let moving = lens?.hasMoves == true && domain != nil ? lens : nil
    if let domain, moving == nil {
      let name = try catalog.domainName(domain, in: txn.reader)
      let domains = try catalog.domainOrdinals(within: name, in: txn.reader)
      items = try catalog.members(of: domains, in: txn.reader)
      subtree = Set(domains)
    } else {
      // What was purged left gaps between the ordinals.
      items = try catalog.ordinals(in: txn.reader)
    }
    var deleted: [(place: Int, before: ItemState)] = []
    for item in items {
      let name = try catalog.name(of: item, in: txn.reader)
      let place = try entry(name, name.indices, in: &txn)
      var state = entries[place].state
      guard state.isPresent || state.isPart, subtree?.contains(state.domain) ?? true else {
        continue
      }
      if let moving, try !covered(place, by: event, layout, moving, in: &txn) { continue }
      deleted.append((place, state))
      changes.append(change(place, event.sequence, .removed))
      state.disappear()
      state.versionCount &+= 1
      try setState(place, state, at: event.sequence, in: txn.reader)
    }
    try settle(deleted, at: event.sequence, in: &txn)
  }
}
