import LMDB

/// Items whose six sums of use lie between the same steps, four steps to the octave.
///
/// The steps are taken from the bits of the number, so that no logarithm is needed and a class's
/// upper bounds are exact. Within a class the item used last may be bounded for any clock by the
/// class's bounds at the time of its last use.
struct UseClass: Hashable, Comparable, Sendable {
  /// Whether its members were viewed, and not only edited.
  let isViewed: Bool
  /// Steps of the four fast scales, fastest in the highest bits.
  private let fast: UInt64
  /// Steps of the two slow scales.
  private let slow: UInt32

  static let byteCount = 13
  /// Bits below the steps: of a double's 52, two stay.
  private static let droppedBits: UInt64 = 50
  /// Bits below a refinement: ten of 52 stay.
  private static let refinedBits: UInt64 = 42

  /// The class of a state.
  init(_ frecency: Frecency, isViewed: Bool) {
    self.isViewed = isViewed
    let values = frecency.values
    fast =
      Self.step(values[0]) << 48 | Self.step(values[1]) << 32 | Self.step(values[2]) << 16
      | Self.step(values[3])
    slow = UInt32(Self.step(values[4]) << 16 | Self.step(values[5]))
  }

  /// Reads a class from the front of a key.
  init(_ key: RawSpan) {
    isViewed = key.byte(at: 0) == 0
    fast = key.loadBigEndian64(at: 1)
    slow = key.loadBigEndian32(at: 9)
  }

  /// The class's bounds as of a last use: no member used then or before, whose place in the class
  /// is this or before, has a greater frecency.
  func bound(referenceMicroseconds: Int64, refinement: UInt64 = .max) -> Frecency {
    let steps: [6 of UInt64] = [
      fast >> 48, fast >> 32, fast >> 16, fast, UInt64(slow >> 16), UInt64(slow),
    ]
    var values: [6 of Double] = [0, 0, 0, 0, 0, 0]
    for scale in values.indices {
      let step = steps[scale] & 0xFFFF
      guard step > 0 else { continue }
      let part = refinement >> UInt64(8 * (5 - scale)) & 0xFF
      values[scale] = Double(bitPattern: ((step - 1) << 8 + part + 1) << Self.refinedBits)
    }
    return Frecency(referenceMicroseconds: referenceMicroseconds, values: values)
  }

  /// Where in its class a state stands: eight more bits of each sum, fastest scale first.
  static func refinement(of frecency: Frecency) -> UInt64 {
    let values = frecency.values
    var refinement: UInt64 = 0
    for scale in values.indices {
      let value = values[scale]
      let part = value > 0 ? (value.bitPattern - 1) >> refinedBits & 0xFF : 0
      refinement = refinement << 8 | part
    }
    return refinement
  }

  func append(to key: inout ByteWriter) {
    key.append(isViewed ? 0 : 1)
    key.appendBigEndian(fast)
    key.appendBigEndian(slow)
  }

  static func < (one: UseClass, other: UseClass) -> Bool {
    if one.isViewed != other.isViewed { return one.isViewed }
    return one.fast != other.fast ? one.fast < other.fast : one.slow < other.slow
  }

  /// The least step at or above a number; sums of use are never negative.
  private static func step(_ value: Double) -> UInt64 {
    guard value > 0 else { return 0 }
    return ((value.bitPattern - 1) >> droppedBits) + 1
  }
}
