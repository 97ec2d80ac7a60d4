internal import LMDB
internal import Text

/// Distinct terms of a build, numbered as they first appear; a term is its space and its bytes.
///
/// Open addressing over flat arrays: no allocation per term, one cache line per hit of a short one.
struct Vocabulary: Sendable {
  private struct Slot {
    /// Number + 1 in the low half, the high half of the hash in the high one; 0 is free.
    var entry: UInt64 = 0
    /// All of a short term, 0 for others.
    var head: UInt64 = 0
  }

  private var slots: [Slot]
  private(set) var hashes: [UInt64] = []
  private(set) var keys = TermKeys()
  /// Of the tokens of a text: the hash, and what stood where it leads.
  private var sought: [(hash: UInt64, slot: Slot)] = []

  private static let numberMask: UInt64 = 0xFFFF_FFFF
  private static let keptSlotCount = 256

  init(capacity: Int = 1_024) {
    slots = Array(repeating: Slot(), count: Self.slotCount(for: capacity))
  }

  var count: Int { hashes.count }

  /// Forgets all terms and keeps the room, unless it is so much that clearing it would cost more
  /// than most texts.
  mutating func removeAll() {
    if slots.count > Self.keptSlotCount {
      slots = Array(repeating: Slot(), count: Self.keptSlotCount)
    }
    removeAllKeepingRoom()
  }

  /// Forgets all terms and keeps the room, for about as many other ones.
  mutating func removeAllKeepingRoom() {
    for index in slots.indices { slots[index] = Slot() }
    hashes.removeAll(keepingCapacity: true)
    keys.removeAll()
  }

  /// Gives `body` each token of a text with the number of its term, new or known.
  ///
  /// All slots are asked for before the first one is needed: the memory they stand in is farther
  /// than the caches reach, and takes a hundred steps to come.
  /// - Complexity: O(bytes of the text).
  mutating func intern(_ buffer: borrowing TokenBuffer, _ body: (Token, UInt32) -> Void) {
    let bytes = buffer.bytes
    sought.removeAll(keepingCapacity: true)
    for token in buffer.tokens {
      let term = bytes.span.extracting(token.byteRange)
      sought.append((Self.hash(space: token.space.rawValue, term), Slot()))
    }
    let slotCount = slots.count
    for index in sought.indices {
      sought[index].slot = slots[Int(truncatingIfNeeded: sought[index].hash) & (slotCount - 1)]
    }
    for (index, token) in buffer.tokens.enumerated() {
      let (hash, slot) = sought[index]
      let range = token.byteRange
      let head = Self.head(token.space.rawValue, bytes.rawSpan, range)
      // A slot that was taken stays as it is, wherever growing moves it.
      if head != 0, slot.head == head, (slot.entry ^ hash) & ~Self.numberMask == 0 {
        body(token, Self.number(slot.entry))
      } else {
        body(token, intern(hash, head, token.space.rawValue, bytes, range))
      }
    }
  }

  /// The number of a term, new or known.
  /// - Complexity: O(`range.count`).
  mutating func intern(space: UInt8, _ source: [UInt8], _ range: Range<Int>) -> UInt32 {
    let hash = Self.hash(space: space, source.span.extracting(range))
    let head = Self.head(space, source.rawSpan, range)
    return intern(hash, head, space, source, range)
  }

  @inline(__always) private mutating func intern(
    _ hash: UInt64, _ head: UInt64, _ space: UInt8, _ source: [UInt8], _ range: Range<Int>
  ) -> UInt32 {
    let found = slot(of: hash, head, space, source.rawSpan, range)
    if slots[found].entry != 0 { return Self.number(slots[found].entry) }
    let index = hashes.count
    slots[found] = Slot(entry: hash & ~Self.numberMask | UInt64(index + 1), head: head)
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
    let head = Self.head(space, key.rawSpan, range)
    let entry = slots[slot(of: hash, head, space, key.rawSpan, range)].entry
    return entry == 0 ? nil : Self.number(entry)
  }

  /// Where a term is, or the free slot where it belongs.
  @inline(__always) private func slot(
    of hash: UInt64, _ head: UInt64, _ space: UInt8, _ source: RawSpan, _ range: Range<Int>
  ) -> Int {
    let mask = slots.count - 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while slots[at].entry != 0 {
      let slot = slots[at]
      if (slot.entry ^ hash) & ~Self.numberMask == 0, slot.head == head,
        head != 0 || keys.equals(Int(Self.number(slot.entry)), space, source, range)
      {
        break
      }
      at = (at + 1) & mask
    }
    return at
  }

  /// Up to seven bytes of a term with their count and its space; 0 when that is not all of it.
  @inline(__always) private static func head(_ space: UInt8, _ source: RawSpan, _ range: Range<Int>)
    -> UInt64
  {
    let count = range.count
    guard count > 0, count < 8, space < 32 else { return 0 }
    var bytes: UInt64 = 0
    if range.lowerBound + 8 <= source.byteCount {
      bytes = source.loadBigEndian64(at: range.lowerBound) >> UInt64(64 - 8 * count)
    } else {
      for index in range { bytes = bytes << 8 | UInt64(source.byte(at: index)) }
    }
    return bytes << 8 | UInt64(space) << 3 | UInt64(count)
  }

  private static func number(_ entry: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: entry) &- 1 }

  /// The terms whose keys begin with the bytes given.
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
    let old = slots
    slots = Array(repeating: Slot(), count: old.count * 2)
    let mask = slots.count - 1
    for slot in old where slot.entry != 0 {
      var at = Int(truncatingIfNeeded: hashes[Int(Self.number(slot.entry))]) & mask
      while slots[at].entry != 0 { at = (at + 1) & mask }
      slots[at] = slot
    }
  }

  private static func slotCount(for capacity: Int) -> Int {
    var count = 16
    while count < capacity * 2 { count *= 2 }
    return count
  }

  /// FNV-1a with a final mix; part of the content hash and so of the format.
  static func hash(space: UInt8, _ term: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = (0xcbf2_9ce4_8422_2325 ^ UInt64(space)) &* 0x0000_0100_0000_01b3
    for index in term.indices { hash = (hash ^ UInt64(term[index])) &* 0x0000_0100_0000_01b3 }
    hash ^= hash &>> 32
    hash = hash &* 0xD6E8_FEB8_6659_FD93
    hash ^= hash &>> 32
    return hash
  }
}
