import Catalog
import Columns
import EventLog
import LMDB
import Projections
import TextIndex

extension Moment {
  /// Visits the items present, in byte order of their identifiers.
  ///
  /// The body may take its time: items are read in pages, and no page keeps anyone waiting.
  /// - Parameters:
  ///   - domain: Only items in this domain or below it.
  ///   - filter: Only items that pass this expression of the query language.
  ///   - item: Only items after this one.
  ///   - body: Gets each item; returns whether to go on.
  /// - Complexity: O(items), a few microseconds each.
  /// - Throws: `badQuery`, `corrupt`, `noSuchPoint` before the horizon, and what `body` throws.
  /// - Note: Blocks the calling thread.
  public func forEachItem(
    domain: String? = nil, filter: String? = nil, after item: String? = nil,
    _ body: (Item) throws(CairnError) -> Bool
  ) throws(CairnError) {
    if let filter { try FilterSyntax.check(filter) }
    let moment = begun(with: try store.generation())
    var test: Filter?
    var last = item.map { Array($0.utf8) } ?? []
    // The rows of long names that begin alike are in another order.
    var start: [UInt8]? = Array(last.prefix(NameCoding.prefixByteCount))
    var known: (generation: UInt64, match: ColumnMatch)?
    while let from = start {
      let page = try moment.read(of: Extent(domain)) { (view, txn) throws(CairnError) in
        if test == nil { test = try Filter(filter, clock: clock, schema: view.schema) }
        // Later pages see later states, of which a past moment has no columns.
        if known?.generation != view.generation.number {
          let match = try test?.columnMatch(view, txn)
          known = match.map { (view.generation.number, $0) }
        }
        return try self.page(from: from, after: last, domain, known?.match, view, txn)
      }
      guard let page else { return }
      for item in page.items {
        let domain = item.domain.map { Array($0.utf8) }
        if try test?.passes(item.encodedAttributes, domain: domain) == false { continue }
        guard try body(item) else { return }
      }
      start = page.next
      if let name = page.last { last = name }
    }
  }

  /// The items present, in byte order of their identifiers; see `forEachItem`.
  /// - Throws: `badQuery` for a filter; `corrupt`, `io`.
  /// - Complexity: O(items), a few microseconds each, all in memory.
  /// - Note: Blocks the calling thread.
  public func items(domain: String? = nil, filter: String? = nil) throws(CairnError) -> [Item] {
    var items: [Item] = []
    try forEachItem(domain: domain, filter: filter) { item in
      items.append(item)
      return true
    }
    return items
  }

  /// One item, or nil when it was not there.
  /// - Complexity: O(log items), some microseconds.
  /// - Throws: `diskFull` where only events that the projections have no room for tell of it;
  ///   `noSuchPoint` where the horizon let go of what it was; `corrupt` for damaged rows, `io`.
  /// - Note: Blocks the calling thread.
  public func item(_ id: String) throws(CairnError) -> Item? {
    if let item = try knownItem(id) { return item }
    try store.requireNoneUnfolded(about: id, through: sequence)
    return nil
  }

  func knownItem(_ id: String) throws(CairnError) -> Item? {
    let name = Array(id.utf8)
    return try read(of: .item) { (view, txn) throws(CairnError) -> Item? in
      guard let ordinal = try view.generation.catalog.ordinal(of: name, in: txn) else { return nil }
      try checkKept(ordinal, view, txn)
      return try self.item(ordinal, name: name, view, txn)
    } ?? nil
  }

  /// The item with an ordinal, or nil when it is not present at this moment.
  func item(
    _ ordinal: UInt32, name: [UInt8]? = nil, _ view: borrowing View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Item? {
    let catalog = view.generation.catalog
    guard let version = try catalog.state(of: ordinal, asOf: sequence, in: txn),
      isPresent(version.state)
    else { return nil }
    return try item(ordinal, name, version.sequence, version.state, view, txn)
  }

  func item(
    _ ordinal: UInt32, _ name: [UInt8]?, _ made: UInt64, _ state: ItemState, _ view: borrowing View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Item {
    let catalog = view.generation.catalog
    let id = if let name { name } else { try catalog.name(of: ordinal, in: txn) }
    return Item(
      id: String(decoding: id, as: UTF8.self),
      domain: try catalog.domainText(state.domain, in: txn), sequence: made, expires: state.expires,
      encoded: try view.generation.shownAttributes(
        of: ordinal, state, at: clock, by: view.lens, store.log, txn))
  }

  /// Whether a version stands for an item that is there by this moment's clock.
  func isPresent(_ state: ItemState) -> Bool {
    guard state.isPresent else { return false }
    guard let expires = state.expires else { return true }
    return clock < expires
  }

  /// Which texts are shown by this moment's clock; nil where nothing ever could expire.
  func standing(_ view: borrowing Moment.View) -> TextIndex.Standing? {
    guard view.checkpoint.hasExpiry else { return nil }
    let catalog = view.generation.catalog
    guard view.checkpoint.hasEndingParts else {
      return TextIndex.Standing(
        item: { (item, txn) throws(CairnError) in
          let version = try catalog.state(of: item, asOf: sequence, in: txn)
          return version.map { isPresent($0.state) } ?? false ? item : nil
        })
    }
    return TextIndex.Standing(
      item: { (text, txn) throws(CairnError) in
        guard let (item, _, state) = try catalog.whole(of: text, asOf: sequence, in: txn),
          isPresent(state), try catalog.text(of: item, state, at: clock, in: txn) == text
        else { return nil }
        return item
      },
      text: { (item, txn) throws(CairnError) in
        guard let version = try catalog.state(of: item, asOf: sequence, in: txn) else {
          return item
        }
        return try catalog.text(of: item, version.state, at: clock, in: txn)
      })
  }

  private static let pageCount = 256
  /// Names that are passed over in the time in which so many items are read.
  private static let passedCount = 16_384

  /// The next items in byte order of names, those that may pass a filter; where they end among
  /// names that begin alike, of which there may be any number, with the last of them.
  private func page(
    from start: [UInt8], after last: [UInt8], _ domain: String?, _ match: ColumnMatch?,
    _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> (items: [Item], next: [UInt8]?, last: [UInt8]?) {
    let catalog = view.generation.catalog
    let subtree = try catalog.subtree(of: domain, in: txn)
    if let subtree, subtree.isEmpty { return ([], nil, nil) }
    var items: [Item] = []
    var names = try catalog.names(from: start, count: Self.pageCount, in: txn)
    var passed = 0
    while let match, let next = names.next, passed < Self.passedCount,
      !names.list.contains(where: { match.items.contains($0.ordinal) })
    {
      passed += names.list.count
      names = try catalog.names(from: next, count: Self.pageCount, in: txn)
    }
    for (name, ordinal) in names.list where match?.items.contains(ordinal) ?? true {
      guard last.lexicographicallyPrecedes(name),
        let version = try catalog.state(of: ordinal, asOf: sequence, in: txn),
        isPresent(version.state), subtree?.contains(version.state.domain) ?? true,
        try isKept(ordinal, view, txn)
      else { continue }
      items.append(try item(ordinal, name, version.sequence, version.state, view, txn))
      if items.count == Self.pageCount {
        return (items, Array(name.prefix(NameCoding.prefixByteCount)), name)
      }
    }
    return (items, names.next, nil)
  }
}

extension Generation {
  /// The attributes that a schema shows of a version, as a canonical map.
  /// - Complexity: one read of the log for each event in its source, at most nine.
  func shownAttributes(
    of ordinal: UInt32, _ state: ItemState, at clock: Timestamp, by lens: SchemaLens?,
    _ log: EventLog, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt8] {
    let encoded = try catalog.encodedAttributes(
      of: ordinal, state.content, domain: state.domain, at: clock, by: lens, log: log, in: txn)
    guard let lens else { return encoded }
    let domain =
      state.domain == ResolvedEvent.none ? nil : try catalog.domainName(state.domain, in: txn)
    return try lens.shown(encoded, domain: domain)
  }
}
