package import LMDB
import Projections

/// How many items of a domain are present by their newest versions.
struct PresenceCount: Equatable {
  var present: Int64 = 0
  /// When the first version of an item there expires or expired; nil where none does.
  var earliestExpiry: Timestamp?

  init() {}

  init(decoding row: RawSpan) throws(CairnError) {
    var reader = ByteReader(row)
    present = Int64(clamping: try reader.readVarint())
    guard !reader.isAtEnd else { return }
    let seconds = Int64(bitPattern: try reader.readBigEndian64())
    earliestExpiry = Timestamp(seconds: seconds, nanoseconds: try reader.readBigEndian32())
  }

  func encoded() throws(CairnError) -> [UInt8] {
    guard present >= 0 else {
      throw CairnError(
        .corrupt, "more items left a domain than came", place: "table members", remedy: .rebuild)
    }
    var row: [UInt8] = []
    row.appendVarint(UInt64(present))
    guard let earliestExpiry else { return row }
    row.appendBigEndian(UInt64(bitPattern: earliestExpiry.seconds))
    row.appendBigEndian(earliestExpiry.nanoseconds)
    return row
  }

  /// Notes that a version there expires.
  mutating func note(expiry: Timestamp?) {
    guard let expiry else { return }
    earliestExpiry = earliestExpiry.map { min($0, expiry) } ?? expiry
  }

  mutating func add(_ change: PresenceCount) {
    present += change.present
    note(expiry: change.earliestExpiry)
  }
}

/// Items present, counted when they come and go.
extension Catalog {
  /// The key of a domain's count: behind its members, so that a new item writes to one page.
  package static func countKey(_ domain: UInt32) -> [UInt8] {
    memberKey(domain: domain, number: ResolvedEvent.none)
  }

  func domainCount(_ domain: UInt32, in txn: borrowing ReadTransaction) throws(CairnError)
    -> PresenceCount
  {
    guard let row = try txn.get(members, Self.countKey(domain)) else { return PresenceCount() }
    return try PresenceCount(decoding: row)
  }

  /// How many items each of some domains has by the newest versions; nil where some item may have
  /// expired by the clock.
  ///
  /// Domains without items are left out. `ResolvedEvent.none` stands for no domain.
  /// - Complexity: O(domains · log), about 1 µs each.
  package func presentCounts(
    of domains: some Sequence<UInt32>, by clock: Timestamp, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32: Int]? {
    var counts: [UInt32: Int] = [:]
    for domain in domains {
      let count = try domainCount(domain, in: txn)
      if let expiry = count.earliestExpiry, expiry <= clock { return nil }
      if count.present > 0 { counts[domain] = Int(count.present) }
    }
    return counts
  }
}

extension CatalogFold {
  /// Counts an item that came, went, or moved.
  mutating func count(_ before: ItemState, _ after: ItemState) {
    let stays = before.isPresent && after.isPresent && before.domain == after.domain
    if !stays {
      if before.isPresent { domainCounts[before.domain, default: PresenceCount()].present -= 1 }
      if after.isPresent { domainCounts[after.domain, default: PresenceCount()].present += 1 }
    }
    if after.isPresent, let expires = after.expires {
      domainCounts[after.domain, default: PresenceCount()].note(expiry: expires)
    }
  }

  mutating func flushCounts(in txn: inout WriteTransaction) throws(CairnError) {
    for (domain, change) in domainCounts {
      var count = try catalog.domainCount(domain, in: txn.reader)
      let before = count
      count.add(change)
      if count != before { try txn.put(catalog.members, Catalog.countKey(domain), count.encoded()) }
    }
    domainCounts.removeAll(keepingCapacity: true)
  }
}
