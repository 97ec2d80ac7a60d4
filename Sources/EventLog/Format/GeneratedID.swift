import Events

/// The ids that the log makes: time-ordered UUIDs whose random bits begin with the sequence.
///
/// The id itself leads to the event, so that it needs no row in table `ids`: a commit writes one
/// tree less. It stays unique by its milliseconds, counter and the random bits that are left.
enum GeneratedID {
  /// Bits of the sequence in an id: a trillion events.
  private static let sequenceBitCount: UInt64 = 40

  /// The 64 bits from which `EventID.timeOrdered(at:random:)` takes the upper 62.
  static func random(_ sequence: UInt64, _ bits: UInt64) -> UInt64 {
    precondition(sequence >> sequenceBitCount == 0, "a log holds at most 2^40 events")
    return sequence << (64 - sequenceBitCount) | bits >> sequenceBitCount
  }

  /// Where an event with this id can be if the log made the id.
  static func sequence(of id: EventID) -> UInt64? {
    guard id.high >> 12 & 0xf == 7, id.low >> 62 == 2 else { return nil }
    return (id.low << 2) >> (64 - sequenceBitCount)
  }
}
