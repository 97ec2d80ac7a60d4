import Catalog
import Columns
import LMDB
import Projections

extension Moment.View {
  /// Names that are walked over in the time in which one is looked up.
  private static var walkedNameCount: Int { 10 }

  /// The first of some items in byte order of their identifiers.
  /// - Complexity: O(items), about 1 µs each, or a walk over all names until so many are found.
  func inOrderOfNames(
    _ count: Int, of items: [UInt32], _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32] {
    guard count > 0, !items.isEmpty else { return [] }
    let all = Int(checkpoint.itemCount)
    let walked = count < items.count ? all / items.count * count : all
    guard walked >= items.count * Self.walkedNameCount else { return try byWalk(count, items, txn) }
    var named: [(name: [UInt8], item: UInt32)] = []
    named.reserveCapacity(items.count)
    for item in items { named.append((try generation.catalog.name(of: item, in: txn), item)) }
    named.sort { $0.name.rawSpan.lexicographicallyPrecedes($1.name.rawSpan) }
    return named.prefix(count).map(\.item)
  }

  private func byWalk(_ count: Int, _ items: [UInt32], _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [UInt32]
  {
    var wanted = ItemSet()
    for item in items { wanted.insert(item) }
    var found: [UInt32] = []
    try generation.catalog.forEachNameInOrder(in: txn) { (_, item) in
      if wanted.contains(item) { found.append(item) }
      return found.count < min(count, items.count)
    }
    return found
  }
}
