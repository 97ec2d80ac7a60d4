import Cairn

// What changes of an index come to in the log.

extension CSSearchableIndex {
  func events(for indexed: [Event], _ writer: inout IndexWriter) throws -> [Event] {
    let isOpen = store.policy == .allRecords
    let links = try writer.links()
    let (strong, weak) = (links.strong, links.weak)
    var events: [Event] = []
    events.reserveCapacity(indexed.count)
    // What this call indexes, which no moment shows yet.
    var made: Set<StoredName> = []
    for event in indexed {
      // Under the other policies only what is there may change.
      guard let identifier = event.item, isOpen || event.kind == .update else { continue }
      let name = StoredName(identifier)
      // Another end would bring back what has expired.
      if event.kind == .update, case .value = event.expires, !made.contains(name),
        !writer.unseenItems.contains(name), try writer.settled().item(identifier) == nil
      {
        continue
      }
      // What had expired is deleted; what comes back under its name is another thing.
      if let records = strong[name], !made.contains(name),
        try writer.settled().item(identifier) == nil
      {
        events += Self.deletions(of: records, &writer)
      }
      events.append(event)
      guard event.kind == .index else { continue }
      made.insert(name)
      guard let records = weak[name] else { continue }
      // Told again to an item that was there all along, they change nothing.
      var isThere = !writer.hasUnseenDeletions
      if isThere { isThere = try writer.settled().item(identifier) != nil }
      if !isThere { events += try Self.activities(of: records, &writer) }
    }
    return events
  }

  /// Tells activities again, so that they become parts of the item that is there now.
  private static func activities(of records: Set<StoredName>, _ writer: inout IndexWriter) throws
    -> [Event]
  {
    let moment = try writer.settled()
    return try records.sorted().compactMap { record in
      guard let item = try moment.item(record.text) else { return nil }
      let own = item.expires.map { Change.value($0) } ?? .absent
      return Event(
        kind: .index, item: item.id, domain: item.domain.map { .value($0) } ?? .absent,
        source: ActivityRecord(item.attributes)?.activityType, attributes: item.attributes,
        expires: own)
    }
  }

  func eventsDeleting(_ identifiers: [String], _ writer: inout IndexWriter) throws -> [Event] {
    let strong = try writer.links().strong
    var events: [Event] = []
    for identifier in identifiers {
      // What cannot be indexed is not there to be deleted.
      guard (try? CSSearchableItem.check(identifier)) != nil else { continue }
      events.append(Event(kind: .delete, item: identifier))
      if let records = strong[StoredName(identifier)] {
        events += Self.deletions(of: records, &writer)
      }
    }
    return events
  }

  func eventsDeleting(domains: [String], _ writer: inout IndexWriter) throws -> [Event] {
    let valid = domains.filter { Self.isDomain($0) }
    guard !valid.isEmpty else { return [] }
    let strong = try writer.links().strong
    let moment = try writer.settled()
    var events = valid.map { Event(kind: .delete, domain: .value($0)) }
    for (item, records) in strong.sorted(by: { $0.key < $1.key }) {
      guard let domain = try moment.item(item.text)?.domain,
        valid.contains(where: { DomainPath.covers($0, domain) })
      else { continue }
      events += Self.deletions(of: records, &writer)
    }
    // Activities may themselves be in the domains.
    writer.changeLinks { $0.remove(in: valid) }
    return events
  }

  static func deletions(of records: Set<StoredName>, _ writer: inout IndexWriter) -> [Event] {
    let sorted = records.sorted()
    writer.changeLinks { links in for record in sorted { links.remove(record) } }
    return sorted.map { Event(kind: .delete, item: $0.text) }
  }

  /// Whether a text names a domain, so that something may be in it.
  private static func isDomain(_ text: String) -> Bool {
    text.utf8.count <= EventLimits.domainByteCount
      && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
  }
}
