internal import LMDB

/// Numbers of seven bits a byte, the lowest first; the top bit says whether another byte follows.
enum Varint {
  /// Reads a number and moves behind it.
  /// - Throws: `.corrupt` when the bytes end before, or the number has more than 63 bits.
  @inline(__always) static func read(_ bytes: borrowing RawSpan, _ offset: inout Int)
    throws(CairnError) -> UInt64
  {
    guard offset < bytes.byteCount else { throw IndexDamage.postings }
    // SAFETY: the line above keeps the load inside the span.
    let first = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    offset &+= 1
    if first < 0x80 { return UInt64(first) }
    var value = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while true {
      guard offset < bytes.byteCount, shift < 63 else { throw IndexDamage.postings }
      // SAFETY: the line above keeps the load inside the span.
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      offset &+= 1
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return value }
      shift &+= 7
    }
  }
}
