internal import LMDB
internal import Text

/// Distinct terms of a build, numbered as they first appear; a term is its space and its bytes.
///
/// Open addressing over flat arrays: no allocation per term, one cache line per hit.
struct Vocabulary: Sendable {
  private var slots: [UInt32]
  private(set) var hashes: [UInt64] = []
  private var starts: [UInt32] = [0]
  private var bytes: [UInt8] = []

  init(capacity: Int = 1_024) {
    slots = Array(repeating: 0, count: Self.slotCount(for: capacity))
  }

  /// How many distinct terms there are.
  var count: Int { hashes.count }

  /// Forgets all terms and keeps the room.
  mutating func removeAll() {
    for index in slots.indices { slots[index] = 0 }
    hashes.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    starts.append(0)
    bytes.removeAll(keepingCapacity: true)
  }

  /// The number of a term, new or known.
  ///
  /// - Complexity: O(`range.count`).
  mutating func intern(space: UInt8, _ source: [UInt8], _ range: Range<Int>) -> UInt32 {
    let hash = Self.hash(space: space, source, range)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if hashes[index] == hash, equals(index, space, source, range) {
        return UInt32(truncatingIfNeeded: index)
      }
      slot = (slot + 1) & mask
    }
    let index = hashes.count
    slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    hashes.append(hash)
    bytes.append(space)
    bytes.append(contentsOf: source[range])
    starts.append(UInt32(truncatingIfNeeded: bytes.count))
    if hashes.count * 2 > slots.count { grow() }
    return UInt32(truncatingIfNeeded: index)
  }

  /// The number of a term given by its key, nil when it is not there.
  func find(_ key: [UInt8]) -> UInt32? {
    guard let space = key.first, !hashes.isEmpty else { return nil }
    let range = 1..<key.count
    let hash = Self.hash(space: space, key, range)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if hashes[index] == hash, equals(index, space, key, range) {
        return UInt32(truncatingIfNeeded: index)
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// The terms whose keys begin with the bytes given.
  ///
  /// - Complexity: O(terms).
  func indices(withPrefix prefix: [UInt8]) -> Set<UInt32> {
    var result: Set<UInt32> = []
    guard let first = prefix.first else { return result }
    for index in 0..<hashes.count where bytes[Int(starts[index])] == first {
      if key(UInt32(truncatingIfNeeded: index)).starts(with: prefix) {
        result.insert(UInt32(truncatingIfNeeded: index))
      }
    }
    return result
  }

  /// The space and bytes of a term, as the dictionary keys them.
  func key(_ index: UInt32) -> ArraySlice<UInt8> {
    bytes[Int(starts[Int(index)])..<Int(starts[Int(index) + 1])]
  }

  /// The space of a term.
  func space(_ index: UInt32) -> UInt8 { bytes[Int(starts[Int(index)])] }

  /// Whether a term is a pair of characters of an unspaced script.
  func isPair(_ index: UInt32) -> Bool {
    let key = key(index)
    return key.first == TermSpace.gram.rawValue && TermKey.scalarCount(key.dropFirst()) > 1
  }

  /// Writes the key of a term.
  func write(_ index: UInt32, to key: inout ByteWriter) {
    key.removeAll()
    for byte in self.key(index) { key.append(byte) }
  }

  /// The first eight bytes of the key, for sorting.
  func sortKey(_ index: UInt32) -> UInt64 {
    var value: UInt64 = 0
    var count = 0
    for byte in key(index).prefix(8) {
      value = value << 8 | UInt64(byte)
      count += 1
    }
    return count == 0 ? 0 : value << UInt64(8 * (8 - count))
  }

  private func equals(
    _ index: Int,
    _ space: UInt8,
    _ source: [UInt8],
    _ range: Range<Int>
  ) -> Bool {
    let start = Int(starts[index])
    guard Int(starts[index + 1]) - start == range.count + 1, bytes[start] == space else {
      return false
    }
    for offset in 0..<range.count
    where bytes[start + 1 + offset] != source[range.lowerBound + offset] {
      return false
    }
    return true
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for (index, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }
  }

  private static func slotCount(for capacity: Int) -> Int {
    var count = 16
    while count < capacity * 2 { count *= 2 }
    return count
  }

  /// FNV-1a with a final mix; part of the content hash and so of the format.
  static func hash(space: UInt8, _ source: [UInt8], _ range: Range<Int>) -> UInt64 {
    var hash: UInt64 = (0xcbf2_9ce4_8422_2325 ^ UInt64(space)) &* 0x0000_0100_0000_01b3
    for index in range {
      hash = (hash ^ UInt64(source[index])) &* 0x0000_0100_0000_01b3
    }
    hash ^= hash &>> 32
    hash = hash &* 0xD6E8_FEB8_6659_FD93
    hash ^= hash &>> 32
    return hash
  }
}

/// What a dictionary key is: the space of the term, then its bytes.
enum TermKey {
  /// Unicode scalars in well-formed UTF-8.
  static func scalarCount(_ bytes: some Sequence<UInt8>) -> Int {
    var count = 0
    for byte in bytes where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }
}
