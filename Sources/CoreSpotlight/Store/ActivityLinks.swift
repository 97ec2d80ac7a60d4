import Cairn

/// Which stored activities belong to which items, and what they are deleted by.
struct ActivityLinks: Sendable {
  /// Records of activities that go with an item, by the item.
  private(set) var strong: [StoredName: Set<StoredName>] = [:]
  /// Records that are shown as an item when that is there, by the item.
  private(set) var weak: [StoredName: Set<StoredName>] = [:]
  /// Records by the identifier that the application gave to the activity.
  private(set) var persistent: [StoredName: Set<StoredName>] = [:]
  /// Every record with what it is linked to.
  private var links: [StoredName: Link] = [:]

  private struct Link: Sendable {
    var strong: StoredName?
    var weak: StoredName?
    var persistent: StoredName?
    var domain: String?
  }

  var records: some Sequence<StoredName> { links.keys }

  init() {}

  /// Reads the links of a store.
  /// - Complexity: O(stored activities).
  init(_ moment: Moment) throws(CairnError) {
    try moment.forEachActivity { item in
      let attributes = item.attributes
      insert(
        item.id, strong: attributes["relatedUniqueIdentifier"]?.string,
        weak: attributes["weakRelatedUniqueIdentifier"]?.string,
        persistent: ActivityRecord(attributes)?.persistentIdentifier, domain: item.domain)
    }
  }

  mutating func insert(
    _ record: String, strong item: String?, weak other: String?, persistent identifier: String?,
    domain: String?
  ) {
    let record = StoredName(record)
    remove(record)
    let link = Link(
      strong: item.map(StoredName.init), weak: other.map(StoredName.init),
      persistent: identifier.map(StoredName.init), domain: domain)
    links[record] = link
    if let item = link.strong { strong[item, default: []].insert(record) }
    if let item = link.weak { weak[item, default: []].insert(record) }
    if let identifier = link.persistent { persistent[identifier, default: []].insert(record) }
  }

  mutating func remove(_ record: StoredName) {
    guard let link = links.removeValue(forKey: record) else { return }
    if let item = link.strong { Self.remove(record, of: item, in: &strong) }
    if let item = link.weak { Self.remove(record, of: item, in: &weak) }
    if let identifier = link.persistent { Self.remove(record, of: identifier, in: &persistent) }
  }

  /// Removes the records that are in domains or below them.
  mutating func remove(in domains: [String]) {
    for (record, link) in links {
      guard let domain = link.domain else { continue }
      if domains.contains(where: { DomainPath.covers($0, domain) }) { remove(record) }
    }
  }

  private static func remove(
    _ record: StoredName, of name: StoredName, in sets: inout [StoredName: Set<StoredName>]
  ) {
    sets[name]?.remove(record)
    if sets[name]?.isEmpty ?? false { sets[name] = nil }
  }
}
