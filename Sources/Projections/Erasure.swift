/// Which events are erased, and which items and domains go with them: those that no other event
/// names.
///
/// For making a generation without them out of one that has them.
package struct Erasure: Sendable {
  private var isErased: [Bool]
  private var keptItems: [Bool]
  private var keptDomains: [Bool]

  /// Nothing but these events is erased of a generation with that checkpoint; nothing is kept until
  /// it is noted.
  package init(_ sequences: [UInt64], _ checkpoint: Checkpoint) {
    isErased = Array(repeating: false, count: Int(clamping: checkpoint.applied) + 1)
    keptItems = Array(repeating: false, count: Int(checkpoint.itemCount))
    keptDomains = Array(repeating: false, count: Int(checkpoint.domainCount))
    for sequence in sequences where sequence <= checkpoint.applied {
      isErased[Int(sequence)] = true
    }
  }

  /// Nothing is erased of a generation with that checkpoint, and everything is kept.
  package static func none(_ checkpoint: Checkpoint) -> Erasure {
    var erasure = Erasure([], checkpoint)
    for item in erasure.keptItems.indices { erasure.keptItems[item] = true }
    for domain in erasure.keptDomains.indices { erasure.keptDomains[domain] = true }
    return erasure
  }

  package mutating func keep(item: UInt32, domain: UInt32) {
    if item < keptItems.count { keptItems[Int(item)] = true }
    if domain < keptDomains.count { keptDomains[Int(domain)] = true }
  }

  package func contains(_ sequence: UInt64) -> Bool {
    sequence < isErased.count && isErased[Int(sequence)]
  }

  /// Whether nothing is left that names an item.
  package func isGone(item: UInt32) -> Bool { item >= keptItems.count || !keptItems[Int(item)] }

  /// Whether nothing is left that names a domain.
  package func isGone(domain: UInt32) -> Bool {
    domain >= keptDomains.count || !keptDomains[Int(domain)]
  }
}
