package import Events

/// A 128-bit hash of an item's or a domain's name, the same in every generation and store.
package struct NameKey: Hashable, Sendable {
  package var low: UInt64
  package var high: UInt64

  /// The key of the absent name.
  @inlinable package static var none: NameKey { NameKey(low: 0, high: 0) }

  @inlinable package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Inlinable because every name is compared with the absent one.
  @inlinable package static func == (one: NameKey, other: NameKey) -> Bool {
    one.low == other.low && one.high == other.high
  }

  /// One half is as good a hash as both.
  package func hash(into hasher: inout Hasher) { hasher.combine(low) }

  /// Hashes the bytes of a name.
  /// - Complexity: O(`range.count`).
  package init(_ bytes: [UInt8], _ range: Range<Int>) {
    // SAFETY: `extracting` checks the range against the array's bounds.
    self.init(unsafe bytes.span.bytes.extracting(range))
  }

  /// Hashes the bytes of a name.
  /// - Complexity: O(`name.byteCount`).
  package init(_ name: RawSpan) {
    var hasher = RowHasher(kind: 0x6E_616D_65)
    hasher.add(name)
    self.init(hasher)
  }

  /// Hashes a name.
  /// - Complexity: O(bytes).
  package init(_ name: String) {
    let bytes = Array(name.utf8)
    self.init(bytes, bytes.indices)
  }

  /// The hash of what a hasher was fed.
  package init(_ hasher: consuming RowHasher) {
    let hash = hasher.finish()
    self.init(low: hash.low, high: hash.high)
  }

  /// The 32 bits by which events name actors, sessions and devices.
  package var short: UInt32 { UInt32(truncatingIfNeeded: low) }
}

/// An event with its names resolved, as every projection but the catalog sees it.
///
/// The catalog decides what an event did (which item, in which domain, whether it counts);
/// the other projections fold that, and none needs another's tables.
package struct ResolvedEvent: Sendable {
  /// Ordinal that stands for "no item" or "no domain".
  @inlinable package static var none: UInt32 { .max }

  /// Position in the log, from 1.
  package var sequence: UInt64
  package var kind: EventKind
  /// The item's ordinal, or `none` for events about a domain or about everything.
  package var item: UInt32
  package var itemKey: NameKey
  /// The domain the event belongs to: its own, else its item's at that point.
  package var domain: UInt32
  package var domainKey: NameKey
  /// When it happened, microseconds since 1970.
  package var timeMicroseconds: Int64
  /// When it was appended, microseconds since 1970.
  package var recordedMicroseconds: Int64
  /// 32-bit hash of the actor's name, 0 for none.
  package var actorHash: UInt32
  /// 32-bit hash of the session's name, 0 for none.
  package var sessionHash: UInt32 = 0
  /// 32-bit hash of the device's name, 0 for none.
  package var deviceHash: UInt32 = 0
  /// Whether the item is in a life whose uses count.
  package var counts: Bool
  /// How much it counts as use of the item; 0 for not at all.
  package var weight: Float
  package var isView: Bool
  /// Whether the item's counters start afresh before this event is counted.
  package var startsAfresh: Bool

  /// An event about no item yet; the catalog fills in what it decides.
  package init(
    sequence: UInt64, kind: EventKind, timeMicroseconds: Int64, recordedMicroseconds: Int64,
    actorHash: UInt32
  ) {
    self.sequence = sequence
    self.kind = kind
    self.timeMicroseconds = timeMicroseconds
    self.recordedMicroseconds = recordedMicroseconds
    self.actorHash = actorHash
    (item, itemKey, domain, domainKey) = (Self.none, .none, Self.none, .none)
    (counts, weight, isView, startsAfresh) = (false, 0, false, false)
  }
}
