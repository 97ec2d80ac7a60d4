internal import LMDB

/// Distinct terms of a build, numbered as they first appear; a term is its space and its bytes.
///
/// Open addressing over flat arrays: no allocation per term, one cache line per hit.
struct Vocabulary: Sendable {
  /// Number + 1 in the low half, the high half of the hash in the high one; 0 is free.
  private var slots: [UInt64]
  private(set) var hashes: [UInt64] = []
  private(set) var keys = TermKeys()

  private static let numberMask: UInt64 = 0xFFFF_FFFF

  init(capacity: Int = 1_024) {
    slots = Array(repeating: 0, count: Self.slotCount(for: capacity))
  }

  /// How many distinct terms there are.
  var count: Int { hashes.count }

  /// Forgets all terms and keeps the room.
  mutating func removeAll() {
    for index in slots.indices { slots[index] = 0 }
    hashes.removeAll(keepingCapacity: true)
    keys.removeAll()
  }

  /// The number of a term, new or known.
  ///
  /// - Complexity: O(`range.count`).
  mutating func intern(space: UInt8, _ source: [UInt8], _ range: Range<Int>) -> UInt32 {
    let hash = Self.hash(space: space, source.span.extracting(range))
    let found = slot(of: hash, space, source.rawSpan, range)
    if slots[found] != 0 { return Self.number(slots[found]) }
    let index = hashes.count
    slots[found] = hash & ~Self.numberMask | UInt64(index + 1)
    hashes.append(hash)
    keys.append(space: space, source, range)
    if hashes.count * 2 > slots.count { grow() }
    return UInt32(truncatingIfNeeded: index)
  }

  /// The number of a term given by its key, nil when it is not there.
  func find(_ key: [UInt8]) -> UInt32? {
    guard let space = key.first, !hashes.isEmpty else { return nil }
    let range = 1..<key.count
    let hash = Self.hash(space: space, key.span.extracting(range))
    let found = slots[slot(of: hash, space, key.rawSpan, range)]
    return found == 0 ? nil : Self.number(found)
  }

  /// Where a term is, or the free slot where it belongs.
  @inline(__always)
  private func slot(
    of hash: UInt64,
    _ space: UInt8,
    _ source: RawSpan,
    _ range: Range<Int>
  ) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let entry = slots[slot]
      if (entry ^ hash) & ~Self.numberMask == 0,
        keys.equals(Int(Self.number(entry)), space, source, range)
      {
        break
      }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private static func number(_ entry: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: entry) &- 1
  }

  /// The terms whose keys begin with the bytes given.
  ///
  /// - Complexity: O(terms).
  func indices(withPrefix prefix: [UInt8]) -> Set<UInt32> {
    var result: Set<UInt32> = []
    guard let first = prefix.first else { return result }
    for index in 0..<UInt32(truncatingIfNeeded: count) where keys.space(index) == first {
      if keys[index].starts(with: prefix) { result.insert(index) }
    }
    return result
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for (index, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = hash & ~Self.numberMask | UInt64(index + 1)
    }
  }

  private static func slotCount(for capacity: Int) -> Int {
    var count = 16
    while count < capacity * 2 { count *= 2 }
    return count
  }

  /// The hash of a term given by its key's space and a range of bytes.
  static func hash(space: UInt8, _ source: [UInt8], _ range: Range<Int>) -> UInt64 {
    hash(space: space, source.span.extracting(range))
  }

  /// FNV-1a with a final mix; part of the content hash and so of the format.
  static func hash(space: UInt8, _ term: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = (0xcbf2_9ce4_8422_2325 ^ UInt64(space)) &* 0x0000_0100_0000_01b3
    for index in term.indices {
      hash = (hash ^ UInt64(term[index])) &* 0x0000_0100_0000_01b3
    }
    hash ^= hash &>> 32
    hash = hash &* 0xD6E8_FEB8_6659_FD93
    hash ^= hash &>> 32
    return hash
  }
}
