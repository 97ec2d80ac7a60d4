package import EventLog
package import Events
package import LMDB
package import Projections
package import Schema

extension Catalog {
  func ordinal(ofRow key: [UInt8], in txn: borrowing ReadTransaction) throws(CairnError) -> UInt32?
  {
    guard let value = try txn.get(items, key) else { return nil }
    return try Self.readOrdinal(value)
  }

  /// The ordinal of an item, or nil when no event ever named it, as none can name an empty one.
  ///
  /// - Complexity: O(log *n*), about 1 µs.
  package func ordinal(of item: [UInt8], in txn: borrowing ReadTransaction) throws(CairnError)
    -> UInt32?
  {
    guard !item.isEmpty else { return nil }
    let key = NameCoding.key(item, item.indices)
    if let found = try ordinal(ofRow: key, in: txn) { return found }
    try txn.checkMiss(items, key)
    return nil
  }

  /// Whether no event ever named an item or a domain.
  ///
  /// - Complexity: O(1).
  package func isEmpty(in txn: borrowing ReadTransaction) throws(CairnError) -> Bool {
    guard try txn.count(names) == 0 else { return false }
    return try txn.count(domainNames) == 0
  }

  /// The ordinals of all items ever named, ascending.
  ///
  /// - Complexity: O(items).
  package func ordinals(in txn: borrowing ReadTransaction) throws(CairnError) -> [UInt32] {
    var found: [UInt32] = []
    try forEachName(in: txn) { (item, _) in found.append(item) }
    return found
  }

  /// An item's version as of a sequence, with the sequence that made it.
  ///
  /// - Complexity: O(log *n*), about 1 µs, whatever the sequence.
  package func state(of item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction)
    throws(CairnError) -> (sequence: UInt64, state: ItemState)?
  {
    var cursor = try txn.cursor(versions)
    return try state(of: item, asOf: sequence, &cursor)
  }

  /// The same, by a cursor of the table of versions.
  func state(of item: UInt32, asOf sequence: UInt64, _ cursor: inout Cursor) throws(CairnError) -> (
    sequence: UInt64, state: ItemState
  )? {
    guard let entry = try cursor.find(Self.versionKey(item: item, sequence: sequence)) else {
      return nil
    }
    guard entry.key.loadBigEndian32(at: 0) == item else { return nil }
    return (~entry.key.loadBigEndian64(at: 4), try ItemState(decoding: entry.value))
  }

  /// Whether items are so few of all that each is sooner looked up than all are passed.
  ///
  /// - Complexity: O(1).
  package func areFew(_ few: ItemSet, in txn: borrowing ReadTransaction) throws(CairnError) -> Bool
  {
    few.count <= (try txn.count(items)) / 16
  }

  /// Visits every item's version as of a sequence, or those of some items, in order of ordinals.
  ///
  /// - Complexity: O(versions), about 50 ns each; O(log *n*) for each of few items.
  package func forEachState(
    of asked: ItemSet? = nil, asOf sequence: UInt64, in txn: borrowing ReadTransaction,
    _ body: (UInt32, UInt64, ItemState) throws(CairnError) -> Void
  ) throws(CairnError) {
    if let asked, try areFew(asked, in: txn) {
      var cursor = try txn.cursor(versions)
      for item in asked.items {
        guard let found = try state(of: item, asOf: sequence, &cursor) else { continue }
        try body(item, found.sequence, found.state)
      }
      return
    }
    var done: UInt32?
    try txn.scan(versions) { (key, row) throws(CairnError) in
      let item = key.loadBigEndian32(at: 0)
      let made = ~key.loadBigEndian64(at: 4)
      if item != done, made <= sequence {
        done = item
        guard asked?.contains(item) ?? true else { return true }
        try body(item, made, try ItemState(decoding: row))
      }
      return true
    }
  }

  /// Visits the versions that an item had up to a sequence, newest first.
  ///
  /// - Complexity: O(versions visited).
  package func forEachVersion(
    of item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction,
    _ body: (UInt64, ItemState) throws(CairnError) -> Void
  ) throws(CairnError) {
    try txn.scan(versions, from: Self.versionKey(item: item, sequence: sequence)) {
      (key, row) throws(CairnError) in
      guard key.loadBigEndian32(at: 0) == item else { return false }
      try body(~key.loadBigEndian64(at: 4), try ItemState(decoding: row))
      return true
    }
  }

  /// Visits every version there is, by item, newest first.
  ///
  /// - Complexity: O(versions), about 50 ns each.
  package func forEachVersion(
    in txn: borrowing ReadTransaction,
    _ body: (UInt32, UInt64, ItemState) throws(CairnError) -> Void
  ) throws(CairnError) {
    try txn.scan(versions) { (key, row) throws(CairnError) in
      try body(
        key.loadBigEndian32(at: 0), ~key.loadBigEndian64(at: 4), try ItemState(decoding: row))
      return true
    }
  }

  /// The attributes that a version has, as a canonical map: what an app gave, over what an activity
  /// told, over what its web page says; events as a lens makes them.
  ///
  /// `domain` is the ordinal of the version's domain, by which an activity without one is read.
  /// Where a clock is given, parts that have ended by it tell nothing.
  /// - Complexity: one read of the log for each event in the source, at most eleven.
  package func encodedAttributes(
    of item: UInt32, _ source: ContentSource, domain: UInt32, at clock: Timestamp?,
    by lens: SchemaLens?, log: EventLog, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt8] {
    guard source.page != 0 || !source.parts.isEmpty else {
      return try ownAttributes(of: item, source, log: log, in: txn)
    }
    var merged = AttributeMap.empty
    if source.page != 0 {
      merged = try merging(merged, source.page, .init(role: .index), by: lens, log)
    }
    let layers = try layers(of: item, source, domain, at: clock, by: lens, log, in: txn)
    for layer in layers.maps.reversed() {
      merged = AttributeMap.merging(merged, merged.indices, with: layer, layer.indices)
    }
    if !layers.names.isEmpty { merged = try Self.adding(layers.names, to: merged) }
    guard source.page != 0, !layers.maps.isEmpty else { return merged }
    return AttributeMap.merging(merged, merged.indices, with: Self.isPublic, Self.isPublic.indices)
  }

  /// What lies above a page, uppermost first: what apps gave the item and its parts, then what
  /// activities told; and the titles of activities that an app's front end remembers.
  private func layers(
    of item: UInt32, _ source: ContentSource, _ domain: UInt32, at clock: Timestamp?,
    by lens: SchemaLens?, _ log: EventLog, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> (maps: [[UInt8]], names: [AttributeValue]) {
    var apps: [[UInt8]] = []
    var activities: [[UInt8]] = []
    var names: [AttributeValue] = []
    for (owner, content, _) in try owners(of: item, source, at: clock, in: txn)
    where content.hasOwn {
      let own = try ownAttributes(of: owner, content, log: log, in: txn)
      if owner != item, ItemPart.isRecord(try name(of: owner, in: txn)) {
        var shown = try Attributes(encoded: own, own.indices)
        if let title = shown["title"] { names.append(title) }
        // What leads to the item, and what continues the activity, is the activity's own.
        for name in ItemPart.recordAttributes { shown[name] = nil }
        var map: [UInt8] = []
        try shown.encode(to: &map)
        activities.append(map)
      } else if try isByActivity(content, log) {
        activities.append(own)
      } else {
        apps.append(own)
      }
    }
    if source.page != 0,
      let below = try activityAttributes(source, domain: domain, by: lens, log: log, in: txn)
    {
      activities.append(below)
    }
    return (apps + activities, names)
  }

  /// Whether an activity alone gave what an item has of its own.
  ///
  /// The event says so: the note of a later activity takes the place of an earlier one's.
  package func isByActivity(_ content: ContentSource, _ log: EventLog) throws(CairnError) -> Bool {
    guard content.activity != 0, content.updates.isEmpty else { return false }
    if content.activity == content.base { return true }
    return try log.event(at: content.base)?.kind == .view
  }

  /// The titles of activities are other names of the item that they are about.
  private static func adding(_ names: [AttributeValue], to map: [UInt8]) throws(CairnError)
    -> [UInt8]
  {
    var attributes = try Attributes(encoded: map, map.indices)
    var all: [AttributeValue] = []
    switch attributes["alternateNames"] {
    case .array(let given)?: all = given
    case let given?: all = [given]
    case nil: break
    }
    for name in names where name != attributes["title"] && !all.contains(name) { all.append(name) }
    guard !all.isEmpty else { return map }
    attributes["alternateNames"] = .array(all)
    var bytes: [UInt8] = []
    try attributes.encode(to: &bytes)
    return bytes
  }

  /// What the web shows is public, whatever an app says.
  private static let isPublic: [UInt8] = {
    var map: [UInt8] = []
    // A flag can always be encoded.
    try? (["eligibleForPublicIndexing": true] as Attributes).encode(to: &map)
    return map
  }()

  /// What an app or an activity gave: a base with every update merged in.
  func ownAttributes(
    of item: UInt32, _ source: ContentSource, log: EventLog, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt8] {
    var merged = AttributeMap.empty
    if source.isStored {
      var key = Self.ordinalKey(item)
      key.appendBigEndian(source.base)
      guard let stored = try Parted.get(txn, contents, key: key) else {
        throw CairnError(
          .corrupt, "an item's merged attributes are missing",
          place: "table contents", remedy: .rebuild)
      }
      do { try AttributeMap.check(stored) } catch {
        throw CairnError(
          .corrupt, "an item's merged attributes are damaged", place: "table contents",
          remedy: .rebuild)
      }
      merged = stored
    } else if source.base != 0 {
      merged = try merging(merged, source.base, .init(role: .index), by: nil, log)
    }
    for update in source.updates {
      merged = try merging(merged, update, .init(role: .update), by: nil, log)
    }
    return merged
  }

  /// What an activity told of an item below the rest, also where it is not shown; nil for nothing.
  ///
  /// `domain` is the ordinal of the item's.
  /// - Complexity: one read of the log.
  package func activityAttributes(
    _ source: ContentSource, domain: UInt32, by lens: SchemaLens?, log: EventLog,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt8]? {
    guard source.hasActivityBelow else { return nil }
    var context = EventShaping.Context(role: .laterView)
    if let lens, let name = try domainText(domain, in: txn) {
      context.itemDomain = lens.domain(name, from: lens.node, to: lens.node(at: source.activity))
    }
    return try merging(AttributeMap.empty, source.activity, context, by: lens, log)
  }

  private func merging(
    _ base: [UInt8], _ sequence: UInt64, _ context: EventShaping.Context, by lens: SchemaLens?,
    _ log: EventLog
  ) throws(CairnError) -> [UInt8] {
    guard let event = try log.event(at: sequence) else { throw CairnError.missing(event: sequence) }
    do {
      var payload = event.payload
      var layout = try EventLayout(payload)
      if let lens, let shaped = try EventShaping.shaped(event, layout, lens, context) {
        payload = shaped
        layout = try EventLayout(payload)
      }
      guard let range = layout.attributes else { return base }
      return AttributeMap.merging(base, base.indices, with: payload, range)
    } catch { throw CairnError.unreadable(event: sequence) }
  }

  static func readOrdinal(_ value: RawSpan) throws(CairnError) -> UInt32 {
    var reader = ByteReader(value)
    let ordinal = try reader.readBigEndian32()
    try reader.requireEnd()
    return ordinal
  }

  /// Visits names in byte order, those after one, until the body returns false.
  /// - Complexity: O(names · log).
  package func forEachNameInOrder(
    after last: [UInt8] = [], in txn: borrowing ReadTransaction,
    _ body: (_ name: [UInt8], _ item: UInt32) throws(CairnError) -> Bool
  ) throws(CairnError) {
    // The rows of long names that begin alike are in another order.
    var next: [UInt8]? = Array(last.prefix(NameCoding.prefixByteCount))
    while let start = next {
      let page = try names(from: start, count: 1_024, in: txn)
      for (name, item) in page.list where last.lexicographicallyPrecedes(name) {
        guard try body(name, item) else { return }
      }
      next = page.next
    }
  }

  /// The next names in byte order from a row key on, and the key to go on from.
  ///
  /// At least `count` names when there are so many; names that share their first 440 bytes are
  /// kept together, because their rows are ordered by hash.
  /// - Complexity: O(names · log).
  package func names(from start: [UInt8], count: Int, in txn: borrowing ReadTransaction)
    throws(CairnError) -> (list: [(name: [UInt8], ordinal: UInt32)], next: [UInt8]?)
  {
    var list: [(name: [UInt8], ordinal: UInt32)] = []
    var long: [(index: Int, ordinal: UInt32)] = []
    var following: [UInt8]?
    var prefix: [UInt8] = []
    try txn.scan(items, from: start) { (key, row) throws(CairnError) in
      let bytes = key.array()
      let isLong = bytes.count > NameCoding.prefixByteCount
      let sharesPrefix = isLong && bytes.starts(with: prefix) && !prefix.isEmpty
      if list.count >= count, !sharesPrefix {
        following = bytes
        return false
      }
      let ordinal = try Self.readOrdinal(row)
      if isLong {
        long.append((list.count, ordinal))
        prefix = Array(bytes.prefix(NameCoding.prefixByteCount))
      }
      list.append((bytes, ordinal))
      return true
    }
    guard !long.isEmpty else { return (list, following) }
    long.sort { $0.ordinal < $1.ordinal }
    var next = 0
    try forEachName(of: long.map(\.ordinal), in: txn) { (_, name) in
      list[long[next].index].name = name.array()
      next += 1
    }
    list.sort { $0.name.rawSpan.lexicographicallyPrecedes($1.name.rawSpan) }
    return (list, following)
  }
}
