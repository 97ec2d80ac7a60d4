internal import LMDB

/// One posting by itself as bytes: a varint of (gap − 1) · 4 + place in the title, with the two
/// high bits of the impact's code from bit 34 on, and the low byte of that.
///
/// For postings that are few or on their way; those of lists stand in a `PostingBlock`.
extension Posting {
  /// What a posting begins with, as a varint; behind it stands its ``codeByte``.
  @inline(__always) func head(after previous: UInt32) -> UInt64 {
    UInt64(document &- previous &- 1) << 2 | UInt64(impact.place)
      | UInt64(impact.packed >> 10) << Self.highBits
  }

  private static let highBits: UInt64 = 34

  var codeByte: UInt8 { UInt8(truncatingIfNeeded: impact.packed) }

  func append(after previous: UInt32, to bytes: inout [UInt8]) {
    bytes.appendVarint(head(after: previous))
    bytes.append(codeByte)
  }

  func append(after previous: UInt32, to bytes: inout ByteWriter) {
    bytes.appendVarint(head(after: previous))
    bytes.append(codeByte)
  }

  /// Reads one posting and moves `offset` behind it.
  /// - Throws: `.corrupt` when the bytes end early or make no posting.
  @inline(__always) static func read(
    _ bytes: borrowing RawSpan, _ offset: inout Int, after previous: UInt32
  ) throws(CairnError) -> Posting {
    let head = try Varint.read(bytes, &offset)
    let gap = head >> 2 & 0xFFFF_FFFF
    let high = head >> highBits
    guard gap < UInt64(UInt32.max - previous), high < 4, offset < bytes.byteCount else {
      throw IndexDamage.postings
    }
    // SAFETY: the line above keeps the load inside the span.
    let code = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    offset &+= 1
    return Posting(
      document: previous &+ UInt32(truncatingIfNeeded: gap) &+ 1,
      impact: Impact(
        packed: UInt16(code) | UInt16(truncatingIfNeeded: head & 3) << 8
          | UInt16(truncatingIfNeeded: high) << 10))
  }
}
