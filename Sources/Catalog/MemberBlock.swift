package import LMDB
import Projections

/// Items of a domain in one row: those of 1,024 neighbouring ordinals.
///
/// Each is a varint of how far it lies behind the one before it, less one; the first behind the
/// ordinal before the row's.
enum MemberBlock {
  /// Ordinals of one row, such that it always fits.
  static let itemCount: UInt32 = 1_024

  static func number(of item: UInt32) -> UInt32 { item / itemCount }

  /// Adds the items of a row to others.
  /// - Throws: `.corrupt` for bytes that are no row of that number.
  static func read(_ row: RawSpan, _ number: UInt32, into items: inout [UInt32]) throws(CairnError)
  {
    var reader = ByteReader(row)
    var item = number &* itemCount &- 1
    while !reader.isAtEnd {
      let gap = try reader.readVarint()
      guard gap < UInt64(itemCount) else { throw damaged }
      item = item &+ 1 &+ UInt32(gap)
      guard item / itemCount == number else { throw damaged }
      items.append(item)
    }
  }

  /// The row of items of that number, ascending.
  static func row(_ items: [UInt32], _ number: UInt32) -> [UInt8] {
    var row: [UInt8] = []
    var next = number &* itemCount
    for item in items {
      row.appendVarint(UInt64(item &- next))
      next = item &+ 1
    }
    return row
  }

  static let damaged = CairnError(
    .corrupt, "a row of a domain's items is damaged", place: "table members", remedy: .rebuild)
}

extension Catalog {
  /// Ordinals of all items that were ever in one of the domains, ascending, each once.
  /// - Complexity: O(items found · log).
  package func members(of domains: [UInt32], in txn: borrowing ReadTransaction) throws(CairnError)
    -> [UInt32]
  {
    var found: [UInt32] = []
    for domain in domains {
      try txn.scan(members, from: Self.memberKey(domain: domain, number: 0)) {
        (key, row) throws(CairnError) in
        guard key.loadBigEndian32(at: 0) == domain else { return false }
        let number = key.loadBigEndian32(at: 4)
        if number != ResolvedEvent.none { try MemberBlock.read(row, number, into: &found) }
        return true
      }
    }
    found.sort()
    var unique: [UInt32] = []
    unique.reserveCapacity(found.count)
    for item in found where item != unique.last { unique.append(item) }
    return unique
  }

  /// The row of a domain that an erasure leaves; nil where it leaves none.
  static func members(_ row: RawSpan, _ number: UInt32, without erasure: Erasure)
    throws(CairnError) -> [UInt8]?
  {
    var items: [UInt32] = []
    try MemberBlock.read(row, number, into: &items)
    items.removeAll { erasure.isGone(item: $0) }
    return items.isEmpty ? nil : MemberBlock.row(items, number)
  }
}

extension CatalogFold {
  func flushMembers(in txn: inout WriteTransaction) throws(CairnError) {
    let added = memberRows.sorted()
    var items: [UInt32] = []
    var place = 0
    while place < added.count {
      let domain = UInt32(truncatingIfNeeded: added[place] >> 32)
      let number = MemberBlock.number(of: UInt32(truncatingIfNeeded: added[place]))
      let key = Catalog.memberKey(domain: domain, number: number)
      items.removeAll(keepingCapacity: true)
      if let row = try txn.reader.get(catalog.members, key) {
        try MemberBlock.read(row, number, into: &items)
      }
      let known = items.count
      while place < added.count, added[place] >> 32 == UInt64(domain) {
        let item = UInt32(truncatingIfNeeded: added[place])
        guard MemberBlock.number(of: item) == number else { break }
        place += 1
        // New items come behind all others; one that comes back may be there.
        let before = items.lastIndex { $0 <= item } ?? -1
        if before < 0 || items[before] != item { items.insert(item, at: before + 1) }
      }
      guard items.count > known else { continue }
      try txn.put(catalog.members, key, MemberBlock.row(items, number))
    }
  }
}
