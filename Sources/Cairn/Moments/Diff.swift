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
  /// With a domain, only items that are in it, or below it, at either moment; with `after`, only
  /// those whose identifiers come after it. What a purge takes away before it is visited is at
  /// neither moment.
  /// - Complexity: O(events between the moments + items that one of them deleted with a domain),
  ///   and some microseconds for each item visited; some 50 ns for each version more where an item
  ///   can expire, and where over one in sixteen were touched. A deletion with a domain costs
  ///   O(items) where a schema moves domains.
  /// - Throws: `busy` when purges keep coming; `noSuchPoint` before the horizon; what `body`
  ///   throws.
  /// - Note: Blocks the calling thread.
  public func forEachChange(
    from old: Moment, to new: Moment, domain: String? = nil, after: String? = nil,
    _ body: (ItemChange) throws(CairnError) -> Bool
  ) throws(CairnError) {
    try forEachPair(from: old, to: new, domain: domain, after: after) {
      (id, before, now) throws(CairnError) in
      guard let change = ItemChange(id, from: before, to: now) else { return true }
      return try body(change)
    }
  }

  /// Visits the items that may differ between two moments, with what each was and is, as
  /// ``forEachChange(from:to:domain:after:_:)`` does.
  func forEachPair(
    from old: Moment, to new: Moment, domain: String?, after: String? = nil,
    _ body: (_ id: String, _ old: Item?, _ new: Item?) throws(CairnError) -> Bool
  ) throws(CairnError) {
    let generation = try generation()
    let (old, new) = (old.begun(with: generation), new.begun(with: generation))
    // Where nothing differs nobody else looks at the older one.
    let extent = Moment.Extent(domain)
    for moment in [old, new] { _ = try moment.read(of: extent) { (_, _) in } }
    var changed: ChangedItems?
    var last = after.map { Array($0.utf8) } ?? []
    var isAtEnd = false
    while !isAtEnd {
      let (pairs, passed) = try askBetweenPurges { () throws(CairnError) in
        let page = try old.namesChanged(to: new, of: extent, after: last, &changed)
        let pairs = try Self.pairs(of: page.names, from: old, to: new, domain: domain)
        return (pairs, page.last)
      }
      for (id, old, new) in pairs { guard try body(id, old, new) else { return } }
      if let passed { last = passed } else { isAtEnd = true }
    }
  }

  private static func pairs(
    of names: [[UInt8]], from old: Moment, to new: Moment, domain: String?
  ) throws(CairnError) -> [(id: String, old: Item?, new: Item?)] {
    var pairs: [(id: String, old: Item?, new: Item?)] = []
    for name in names {
      let id = String(decoding: name, as: UTF8.self)
      let before = try old.item(id)
      let after = try new.item(id)
      guard [before, after].contains(where: { $0.map { covers(domain, $0.domain) } ?? false })
      else { continue }
      pairs.append((id, before, after))
    }
    return pairs
  }

  private static func covers(_ domain: String?, _ other: String?) -> Bool {
    guard let domain else { return true }
    // No domain is named so; only for paths the empty one is above all.
    guard let other, !domain.isEmpty else { return false }
    return DomainPath.covers(domain, other)
  }
}

extension ItemChange {
  /// What happened to an item; nil where its content is what it was.
  fileprivate init?(_ id: String, from old: Item?, to new: Item?) {
    switch (old, new) {
    case (nil, nil): return nil
    case (nil, .some): self.init(item: id, kind: .added, fields: [])
    case (.some, nil): self.init(item: id, kind: .removed, fields: [])
    case (let old?, let new?):
      guard
        old.encodedAttributes != new.encodedAttributes || !old.domain.hasBytes(of: new.domain)
      else { return nil }
      self.init(item: id, kind: .changed, fields: Self.fields(from: old, to: new))
    }
  }

  /// What differs between two states of an item; nil is one that is not there.
  package static func fields(from old: Item?, to new: Item?) -> [Field] {
    var fields: [Field] = []
    if !(old?.domain).hasBytes(of: new?.domain) {
      fields.append(
        Field(
          name: "domain", old: old?.domain.map { .string($0) }, new: new?.domain.map { .string($0) }
        ))
    }
    let before = old?.attributes ?? [:]
    let after = new?.attributes ?? [:]
    var names = before.map(\.key)
    names += after.map(\.key).filter { before[$0] == nil }
    for name in names where before[name] != after[name] {
      fields.append(Field(name: name, old: before[name], new: after[name]))
    }
    fields.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return fields
  }
}
