import Cairn

/// Which stored activities belong to which items, and what they are deleted by.
struct ActivityLinks: Sendable {
  /// Records of activities that go with an item, by the item.
  private(set) var strong: [String: Set<String>] = [:]
  /// Records that are shown as an item when that is there, by the item.
  private(set) var weak: [String: Set<String>] = [:]
  /// Records by the identifier that the application gave to the activity.
  private(set) var persistent: [String: Set<String>] = [:]
  /// Every record with what it is linked to.
  private var links: [String: Link] = [:]

  private struct Link: Sendable {
    var strong: String?
    var weak: String?
    var persistent: String?
    var domain: String?
  }

  var records: some Sequence<String> { links.keys }

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
    remove(record)
    links[record] = Link(strong: item, weak: other, persistent: identifier, domain: domain)
    if let item { strong[item, default: []].insert(record) }
    if let other { weak[other, default: []].insert(record) }
    if let identifier { persistent[identifier, default: []].insert(record) }
  }

  mutating func remove(_ record: String) {
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
    _ record: String, of name: String, in sets: inout [String: Set<String>]
  ) {
    sets[name]?.remove(record)
    if sets[name]?.isEmpty ?? false { sets[name] = nil }
  }
}
