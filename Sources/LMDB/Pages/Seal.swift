import CLMDB

/// The checksum at the end of every stored value: CRC-32C over key ‖ value, little-endian.
///
/// LMDB 0.9 has no page checksums: nine of ten flipped bits would pass unseen without it. The key
/// is part of it so that a value that ended up under another key is found as well.
enum Seal {
  /// Fills `room`, as long as `value` and the checksum, with both.
  static func write(
    _ value: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into room: MDB_val
  ) {
    guard let start = unsafe room.mv_data else { return }
    let page = unsafe UnsafeMutableRawBufferPointer(start: start, count: room.mv_size)
    unsafe page.copyMemory(from: value)
    unsafe page.storeBytes(
      of: checksum(value, key: key).littleEndian, toByteOffset: value.count, as: UInt32.self)
  }

  /// The value without its checksum, or nil when it does not match.
  static func open(_ data: MDB_val, key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let stored = unsafe data.bytes
    let count = stored.count - Limits.checksumByteCount
    guard count >= 0 else { return nil }
    let value = unsafe UnsafeRawBufferPointer(rebasing: stored[..<count])
    let sum = unsafe stored.loadUnaligned(fromByteOffset: count, as: UInt32.self)
    return unsafe UInt32(littleEndian: sum) == checksum(value, key: key) ? value : nil
  }

  private static func checksum(_ value: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer)
    -> UInt32
  { unsafe CRC32C.checksum(value, seed: CRC32C.checksum(key, seed: 0)) }
}

extension Environment {
  /// The value in `data` once its checksum holds.
  func unsealed(_ data: MDB_val, key: RawSpan, _ table: Table) throws(CairnError)
    -> UnsafeRawBufferPointer
  {
    let value = unsafe key.withUnsafeBytes { unsafe Seal.open(data, key: $0) }
    guard let value = unsafe value else {
      // A hash names the row to somebody who has the key and tells nothing to others.
      let row = String(CRC32C.checksum(key), radix: 16)
      throw CairnError(
        .corrupt, "the checksum of row #\(row) does not match", place: place(of: table))
    }
    return unsafe value
  }
}
