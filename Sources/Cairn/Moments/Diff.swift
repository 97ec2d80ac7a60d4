public import Events

/// How an item differs between two moments.
public struct ItemChange: Sendable, Hashable {
  /// What happened to the item; open, a later release may tell more apart.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kind's word in JSON.
    public let rawValue: String

    /// A kind by its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It came.
    public static let added = Kind(rawValue: "added")
    /// It went.
    public static let removed = Kind(rawValue: "removed")
    /// It has other content.
    public static let changed = Kind(rawValue: "changed")
  }

  /// The item's identifier.
  public var item: String
  /// What happened to it.
  public var kind: Kind
  /// For a changed item, the attributes that differ, in byte order of their names, with old and
  /// new value; `domain` stands for its domain.
  public var fields: [Field]

  /// One attribute that differs; nil stands for absent.
  public struct Field: Sendable, Hashable {
    /// The attribute's name.
    public var name: String
    /// Its value at the older moment.
    public var old: AttributeValue?
    /// Its value at the newer moment.
    public var new: AttributeValue?
  }
}

extension Store {
  /// Visits the items that differ between two moments, in byte order of their identifiers.
  ///
  /// Content is compared: an item indexed again with the same attributes did not change.
  /// With a domain, only items that are in it, or below it, at either moment. What a purge takes
  /// away while the moments are compared is at neither.
  /// - Complexity: O(items at both moments), in memory too.
  /// - Throws: `busy` when purges keep coming; what `body` throws.
  /// - Note: Blocks the calling thread.
  public func forEachChange(
    from old: Moment, to new: Moment, domain: String? = nil,
    _ body: (ItemChange) throws(CairnError) -> Bool
  ) throws(CairnError) {
    let changes = try askBetweenPurges { () throws(CairnError) in
      try Self.changes(from: old, to: new, domain: domain)
    }
    for change in changes { guard try body(change) else { return } }
  }

  private static func changes(from old: Moment, to new: Moment, domain: String?) throws(CairnError)
    -> [ItemChange]
  {
    let before = try old.items(domain: domain)
    let after = try new.items(domain: domain)
    var left = before[...]
    var right = after[...]
    var changes: [ItemChange] = []
    while left.first != nil || right.first != nil {
      let order = order(left.first, right.first)
      let change: ItemChange?
      if order < 0, let item = left.popFirst() {
        change = try vanished(item, at: new, .removed)
      } else if order > 0, let item = right.popFirst() {
        change = try vanished(item, at: old, .added)
      } else if let one = left.popFirst(), let other = right.popFirst() {
        change = changed(one, other)
      } else {
        change = nil
      }
      if let change { changes.append(change) }
    }
    return changes
  }

  private static func order(_ one: Item?, _ other: Item?) -> Int {
    guard let one else { return 1 }
    guard let other else { return -1 }
    if one.id.utf8.elementsEqual(other.id.utf8) { return 0 }
    return one.id.utf8.lexicographicallyPrecedes(other.id.utf8) ? -1 : 1
  }

  /// An item seen at one moment only: gone or new, unless it merely moved out of the domain.
  private static func vanished(_ item: Item, at moment: Moment, _ kind: ItemChange.Kind)
    throws(CairnError) -> ItemChange?
  {
    guard let there = try moment.item(item.id) else {
      return ItemChange(item: item.id, kind: kind, fields: [])
    }
    return kind == .removed ? changed(item, there) : changed(there, item)
  }

  private static func changed(_ old: Item, _ new: Item) -> ItemChange? {
    guard old.encodedAttributes != new.encodedAttributes || old.domain != new.domain else {
      return nil
    }
    var fields: [ItemChange.Field] = []
    if old.domain != new.domain {
      fields.append(
        .init(
          name: "domain", old: old.domain.map { .string($0) }, new: new.domain.map { .string($0) }))
    }
    let before = old.attributes
    let after = new.attributes
    var names = before.map(\.key)
    names += after.map(\.key).filter { before[$0] == nil }
    for name in names where before[name] != after[name] {
      fields.append(.init(name: name, old: before[name], new: after[name]))
    }
    fields.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return ItemChange(item: new.id, kind: .changed, fields: fields)
  }
}
