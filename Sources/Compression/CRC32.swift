import CZlib

/// The check sum that a zip archive has of each file in it (zlib).
package struct CRC32 {
  /// Of all bytes that were taken in so far.
  package private(set) var value: UInt = 0

  package init() {}

  package mutating func add(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    let before = value
    // SAFETY: zlib reads as many bytes as the buffer has, which is a piece of a file.
    value = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe crc32(before, buffer.baseAddress, UInt32(buffer.count))
    }
  }
}
