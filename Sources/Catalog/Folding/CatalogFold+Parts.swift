import EventLog
package import Events
import LMDB
import Projections

/// Several items that one page is about, shown as one.
extension CatalogFold {
  /// Makes the items that a page's event lists parts of its own, and lets go of those that are
  /// parts no more.
  mutating func settleParts(
    of place: Int, _ state: inout ItemState, _ event: StoredEvent, _ layout: EventLayout,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    let (former, before) = (entries[place].state.content.page, entries[place].state.content.parts)
    if state.content.page != former, state.isPresent {
      state.content.parts = []
      for part in before where try isRecord(part, about: place, in: &txn) {
        state.content.parts.append(part)
      }
    }
    if state.content.page == event.sequence {
      for name in try ItemPart.listed(in: event.payload, layout) {
        let name = Array(name.utf8)
        let part = try entry(name, name.indices, in: &txn)
        guard !state.content.parts.contains(where: { $0.item == entries[part].ordinal }),
          try join(part, to: place, at: event.sequence, in: txn.reader)
        else { continue }
        state.content.parts.append(
          ItemPart(item: entries[part].ordinal, sequence: entries[part].made))
        state.contentKey = Self.contentKey(entries[part].state.contentKey, after: state.contentKey)
      }
    }
    let kept = Set(state.content.parts.map(\.item))
    for part in before where !kept.contains(part.item) {
      try release(part.item, from: entries[place].ordinal, at: event.sequence, in: &txn)
    }
    // What the whole shows is read from the rows of its parts.
    if !kept.isEmpty { try flush(in: &txn) }
  }

  /// Makes an item a part of another one; false where it cannot be.
  mutating func join(
    _ part: Int, to place: Int, at sequence: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    var state = entries[part].state
    let whole = entries[place].ordinal
    if state.whole == whole { return true }
    guard part != place, state.isPresent, state.content.page == 0, state.content.hasOwn else {
      return false
    }
    state.isPresent = false
    state.whole = whole
    state.versionCount &+= 1
    state.contentKey = Self.contentKey(entries[place].key, after: state.contentKey)
    changes.append(change(part, sequence, .removed))
    try setState(part, state, at: sequence, in: txn)
    return true
  }

  /// Makes a part an item of its own again.
  mutating func release(
    _ item: UInt32, from whole: UInt32, at sequence: UInt64, in txn: inout WriteTransaction
  ) throws(CairnError) {
    let part = try place(of: item, in: &txn)
    var state = entries[part].state
    guard state.whole == whole else { return }
    state.isPresent = true
    state.whole = ResolvedEvent.none
    state.versionCount &+= 1
    if !state.content.parts.isEmpty { try flush(in: &txn) }
    try noteMerged(part, state, sequence, in: txn.reader)
    try setState(part, state, at: sequence, in: txn.reader)
  }

  /// Gives an item a version that shows its parts as they are now.
  mutating func refresh(_ whole: UInt32, at sequence: UInt64, in txn: inout WriteTransaction)
    throws(CairnError)
  {
    let place = try place(of: whole, in: &txn)
    var state = entries[place].state
    guard state.isPresent || state.isPart, !state.content.parts.isEmpty else { return }
    var parts: [ItemPart] = []
    for old in state.content.parts {
      let part = try self.place(of: old.item, in: &txn)
      state.contentKey = Self.contentKey(entries[part].state.contentKey, after: state.contentKey)
      guard entries[part].state.whole == whole else { continue }
      parts.append(ItemPart(item: old.item, sequence: entries[part].made))
    }
    state.content.parts = parts
    state.versionCount &+= 1
    try flush(in: &txn)
    if state.isPresent { try noteMerged(place, state, sequence, in: txn.reader) }
    try setState(place, state, at: sequence, in: txn.reader)
    if state.isPart { try refresh(state.whole, at: sequence, in: &txn) }
  }

  /// Settles what a recursive delete leaves: parts of what is gone, and items whose parts are.
  mutating func settle(
    _ deleted: [(place: Int, before: ItemState)], at sequence: UInt64,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    var wholes: Set<UInt32> = []
    // First, so that what is let go of then has no parts any more that are gone.
    for (_, before) in deleted where before.isPart && wholes.insert(before.whole).inserted {
      try refresh(before.whole, at: sequence, in: &txn)
    }
    for (place, before) in deleted {
      for part in before.content.parts {
        try release(part.item, from: entries[place].ordinal, at: sequence, in: &txn)
      }
    }
  }

  /// The place of an item in the batch by its ordinal.
  mutating func place(of item: UInt32, in txn: inout WriteTransaction) throws(CairnError) -> Int {
    while orderedCount < entries.count {
      placesByOrdinal[entries[orderedCount].ordinal] = orderedCount
      orderedCount += 1
    }
    if let place = placesByOrdinal[item] { return place }
    let name = try catalog.name(of: item, in: txn.reader)
    return try entry(name, name.indices, in: &txn)
  }

  private static func contentKey(_ key: NameKey, after previous: NameKey) -> NameKey {
    var hasher = RowHasher(kind: 3)
    hasher.add(previous)
    hasher.add(key)
    return NameKey(hasher)
  }
}

extension ItemPart {
  /// Items of one page at most; more are left as they are.
  package static let countMax = 64

  /// The identifiers of other items that a page's event says the page is about.
  ///
  /// - Throws: `.corrupt` for an event that does not decode.
  package static func listed(in payload: [UInt8], _ layout: EventLayout) throws(CairnError)
    -> [String]
  {
    guard layout.extras != nil else { return [] }
    let list = try layout.unknownKeys(in: payload)["items"]
    guard case .array(let names)? = list else { return [] }
    var listed: [String] = []
    for case .string(let name) in names.prefix(countMax)
    where !name.isEmpty && name.utf8.count <= 4_096 && !listed.contains(name) {
      listed.append(name)
    }
    return listed
  }
}
