import CLMDB

/// CRC-32C, the Castagnoli checksum (RFC 3720 §12.1): reflected polynomial 0x82F63B78.
///
/// Runs on the processor's own instruction where there is one, else on a 256-entry table.
package enum CRC32C {
  /// The checksum of `span`.
  ///
  /// Give the checksum of what came before as `seed` to go on: the checksum of `a` ‖ `b` is
  /// `checksum(b, seed: checksum(a))`.
  /// - Complexity: O(n), about 8 bytes per three cycles with the instruction.
  package static func checksum(_ span: RawSpan, seed: UInt32 = 0) -> UInt32 {
    unsafe span.withUnsafeBytes { bytes in unsafe checksum(bytes, seed: seed) }
  }

  static func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32) -> UInt32 {
    guard isHardware, let start = bytes.baseAddress else {
      return unsafe tableChecksum(bytes, seed: seed)
    }
    // SAFETY: `start` and `count` describe the same live buffer.
    return unsafe ~cairn_crc32c_update(~seed, start, bytes.count)
  }

  static let isHardware = cairn_crc32c_is_supported() != 0

  static func tableChecksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32) -> UInt32 {
    var state = ~seed
    unsafe bytes.forEach { byte in state = (state >> 8) ^ table[Int((state ^ UInt32(byte)) & 0xFF)]
    }
    return ~state
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? (value >> 1) ^ 0x82F6_3B78 : value >> 1
    }
  }
}
