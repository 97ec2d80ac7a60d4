import Catalog
import EventLog
import LMDB
import Projections
import Timeline

/// A domain right below another one, and what it and everything below it hold.
package struct DomainCount: Sendable, Hashable {
  /// Its whole name.
  package var domain: String
  package var itemCount = 0
  package var eventCount = 0
  /// Domains right below it.
  package var childCount = 0
}

extension Moment {
  /// The domains right below one, or the outermost ones: the largest first.
  /// - Complexity: O(events), some 5 ns each, and O(domains), a microsecond each; for the past, and
  ///   where some item has expired, also O(items), some 50 ns each.
  package func domains(below parent: String? = nil) throws(CairnError) -> [DomainCount] {
    let dot = UInt8(ascii: ".")
    let prefix = parent.map { Array($0.utf8) + [dot] } ?? []
    var found: [ArraySlice<UInt8>: DomainCount] = [:]
    var children: [ArraySlice<UInt8>: Set<ArraySlice<UInt8>>] = [:]
    for (name, counts) in try countedDomains() where name.starts(with: prefix) {
      let end = name[prefix.count...].firstIndex(of: dot) ?? name.endIndex
      let child = name[..<end]
      var count = found[child] ?? DomainCount(domain: String(decoding: child, as: UTF8.self))
      count.itemCount += counts.items
      count.eventCount += counts.events
      found[child] = count
      guard end < name.endIndex else { continue }
      children[child, default: []].insert(name[(end + 1)...].prefix { $0 != dot })
    }
    for (name, names) in children { found[name]?.childCount = names.count }
    return found.values.sorted { one, other in
      if one.itemCount != other.itemCount { return one.itemCount > other.itemCount }
      if one.eventCount != other.eventCount { return one.eventCount > other.eventCount }
      return one.domain.utf8.lexicographicallyPrecedes(other.domain.utf8)
    }
  }

  /// How often something in each domain was viewed in a span of time, whose end is not part of it;
  /// with a domain, only there and below.
  /// - Complexity: O(events), some 20 ns each.
  package func views(from start: Timestamp?, to end: Timestamp?, domain: String? = nil)
    throws(CairnError) -> KeyOrdered<Int>
  {
    let span = (start?.microseconds ?? .min)..<(end?.microseconds ?? .max)
    return try read { (view, txn) throws(CairnError) in
      let catalog = view.generation.catalog
      let wanted = try catalog.subtree(of: domain, in: txn)
      var counts: [UInt32: Int] = [:]
      try view.generation.timeline.forEach(from: 1, through: self.sequence, in: txn) { record in
        if record.isView, span.contains(record.timeMicroseconds),
          wanted?.contains(record.domain) ?? true
        {
          counts[record.domain, default: 0] += 1
        }
        return true
      }
      return try catalog.named(counts, in: txn)
    } ?? [:]
  }

  /// How many bytes the events of each of some domains take in the log, with what is below.
  /// - Complexity: O(events).
  package func byteCounts(of domains: [String]) throws(CairnError) -> KeyOrdered<Int> {
    var counts: [UInt32: Int] = [:]
    var first: UInt64 = 1
    while first <= sequence {
      let last = min(sequence, first + Self.byteCountStep - 1)
      let owners = try owners(from: first, through: last)
      try store.log.forEachByteCount(from: first, through: last) { (sequence, count) in
        let owner = owners[Int(sequence - first)]
        if owner != ResolvedEvent.none { counts[owner, default: 0] += count }
      }
      first = last + 1
    }
    let found = counts
    let named = try read { (view, txn) throws(CairnError) in
      try view.generation.catalog.named(found, in: txn)
    }
    var sums = KeyOrdered(unordered: domains.map { ($0, 0) })
    for named in named ?? [:] {
      for above in DomainPath.lineage(of: named.key).dropFirst() {
        if let sum = sums[above] { sums[above] = sum + named.value }
      }
    }
    return sums
  }

  /// Events whose domains are held at a time.
  private static let byteCountStep: UInt64 = 1 << 17

  /// The domains that events belong to, one after the other.
  private func owners(from first: UInt64, through last: UInt64) throws(CairnError) -> [UInt32] {
    var owners = [UInt32](repeating: ResolvedEvent.none, count: Int(last - first + 1))
    _ = try read { (view, txn) throws(CairnError) in
      try view.generation.timeline.forEach(from: first, through: last, in: txn) {
        (record) throws(CairnError) in
        owners[Int(record.sequence - first)] = record.domain
        return true
      }
    }
    return owners
  }

  /// Domains, of those that hold or held something, whose names differ from one by case, by blanks
  /// or by a star at their end; with it itself, if it is one.
  /// - Complexity: O(events), some 20 ns each.
  package func domains(like name: String) throws(CairnError) -> [String] {
    var names: Set<String> = []
    for (domain, _) in try countedDomains() {
      names.formUnion(DomainPath.lineage(of: String(decoding: domain, as: UTF8.self)).dropFirst())
    }
    return NameLikeness.names(like: name, among: names)
  }

  /// Actors whose names differ from one by case, by blanks or by a star at their end; with it
  /// itself, if it is one.
  /// - Complexity: O(events), some 20 ns each, and a read of the log for each actor.
  package func actors(like name: String) throws(CairnError) -> [String] {
    let firsts = try read { (view, txn) throws(CairnError) in
      var firsts: [UInt32: UInt64] = [:]
      try view.generation.timeline.forEach(from: 1, through: self.sequence, in: txn) {
        (record) throws(CairnError) in
        if record.actorHash != 0, firsts[record.actorHash] == nil {
          firsts[record.actorHash] = record.sequence
        }
        return true
      }
      return firsts
    }
    var names: Set<String> = []
    for sequence in (firsts ?? [:]).values {
      if let actor = try store.event(at: sequence)?.event.actor { names.insert(actor) }
    }
    return NameLikeness.names(like: name, among: names)
  }

  /// What each domain holds by itself, without what is below, of those that hold or held anything.
  private func countedDomains() throws(CairnError) -> [(
    name: [UInt8], counts: (items: Int, events: Int)
  )] {
    try read { (view, txn) throws(CairnError) in
      let catalog = view.generation.catalog
      var events = [Int](repeating: 0, count: Int(view.checkpoint.domainCount))
      try view.generation.timeline.forEach(from: 1, through: sequence, in: txn) { record in
        let domain = Int(record.domain)
        if domain < events.count { events[domain] += 1 }
        return true
      }
      let items = try itemCounts(view, txn)
      var counted: [(name: [UInt8], counts: (items: Int, events: Int))] = []
      for (domain, count) in events.enumerated() {
        let ordinal = UInt32(domain)
        let present = items[ordinal] ?? 0
        guard count > 0 || present > 0 else { continue }
        counted.append((try catalog.domainName(ordinal, in: txn), (present, count)))
      }
      return counted
    } ?? []
  }
}

extension Catalog {
  /// Counts by the names of domains; what is in none goes by the name given for it, or is left out.
  func named(
    _ counts: [UInt32: Int], none nameless: String? = nil, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> KeyOrdered<Int> {
    var named: [(String, Int)] = []
    for (ordinal, count) in counts {
      let name = try domainText(ordinal, in: txn)
      if let name = name ?? nameless { named.append((name, count)) }
    }
    return KeyOrdered(unordered: named)
  }
}
