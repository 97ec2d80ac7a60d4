import Projections

/// Where the items of a batch stand, by the key of their name.
///
/// The key is a hash already, so that a slot is one multiplication away; a random factor keeps
/// names that somebody chose from meeting in one slot.
struct PlaceTable: Sendable {
  private struct Slot {
    var low: UInt64 = 0
    /// The place and one, 0 = free.
    var mark: UInt32 = 0
  }

  private var slots: [Slot] = Array(repeating: Slot(), count: 4)
  private var count = 0
  /// One for the process: most batches are of one event, and asking for it takes a call of the
  /// system.
  private static let factor = UInt64.random(in: .min ... .max) | 1

  /// The place noted for a key for which `matches` is true.
  /// - Complexity: O(1).
  func place(of key: NameKey, where matches: (Int) -> Bool) -> Int? {
    var at = start(key.low)
    while slots[at].mark != 0 {
      let place = Int(slots[at].mark) - 1
      if slots[at].low == key.low, matches(place) { return place }
      at = (at + 1) & (slots.count - 1)
    }
    return nil
  }

  mutating func note(_ key: NameKey, at place: Int) {
    if (count + 1) * 2 > slots.count { grow() }
    count += 1
    insert(Slot(low: key.low, mark: UInt32(truncatingIfNeeded: place + 1)))
  }

  private mutating func insert(_ slot: Slot) {
    var at = start(slot.low)
    while slots[at].mark != 0 { at = (at + 1) & (slots.count - 1) }
    slots[at] = slot
  }

  private func start(_ low: UInt64) -> Int {
    Int(truncatingIfNeeded: (low &* Self.factor) >> UInt64(64 - slots.count.trailingZeroBitCount))
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: Slot(), count: old.count * 4)
    for slot in old where slot.mark != 0 { insert(slot) }
  }
}
