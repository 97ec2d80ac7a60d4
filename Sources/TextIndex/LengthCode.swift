/// Field lengths in one byte: exact below 32, then eight steps per doubling, rounded down.
///
/// Scores use the coded length everywhere, so that a document scores the same before and after
/// its merge.
enum LengthCode {
  static func encode(_ length: UInt32) -> UInt8 {
    guard length >= 32 else { return UInt8(truncatingIfNeeded: length) }
    let exponent = UInt32(31 - length.leadingZeroBitCount)
    let step = (length >> (exponent - 3)) & 7
    return UInt8(truncatingIfNeeded: 32 + (exponent - 5) * 8 + step)
  }

  static func decode(_ code: UInt8) -> UInt32 {
    guard code >= 32 else { return UInt32(code) }
    let exponent = UInt32(code - 32) / 8 + 5
    let step = UInt32(code - 32) % 8
    return (8 + step) &<< (exponent - 3)
  }
}

/// The coded lengths of a document's four fields, in the order of `TextIndex.FieldKind`.
struct FieldLengths: Hashable, Sendable {
  /// Title in the lowest byte, text in the highest.
  var packed: UInt32

  init(packed: UInt32) { self.packed = packed }

  init(_ lengths: SIMD4<UInt32>) {
    packed = 0
    for kind in 0..<4 {
      packed |= UInt32(LengthCode.encode(lengths[kind])) << UInt32(8 * kind)
    }
  }

  subscript(kind: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> UInt32(8 * kind)) }
}
