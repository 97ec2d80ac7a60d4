/// Reads numbers and runs of bytes from the front of a span, and never past its end.
///
/// Every read throws `.corrupt` when the bytes run out: what is read comes from disk.
package struct ByteReader: ~Escapable {
  @usableFromInline let span: RawSpan
  @usableFromInline package internal(set) var offset = 0

  /// Starts at the first byte of `span`.
  @_lifetime(copy span) package init(_ span: RawSpan) { self.span = span }

  @inlinable package var remaining: Int { span.byteCount - offset }

  @inlinable package var isAtEnd: Bool { offset == span.byteCount }

  /// Refuses bytes after the value that was read.
  package func requireEnd() throws(CairnError) {
    guard isAtEnd else { throw CairnError(.corrupt, "a stored value has bytes left over") }
  }

  @inlinable @_lifetime(self: copy self) package mutating func readUInt8() throws(CairnError)
    -> UInt8
  { span.byte(at: try advance(1)) }

  /// Reads two bytes, most significant first.
  @_lifetime(self: copy self) package mutating func readBigEndian16() throws(CairnError) -> UInt16 {
    span.loadBigEndian16(at: try advance(2))
  }

  /// Reads four bytes, most significant first.
  @_lifetime(self: copy self) package mutating func readBigEndian32() throws(CairnError) -> UInt32 {
    span.loadBigEndian32(at: try advance(4))
  }

  /// Reads eight bytes, most significant first.
  @_lifetime(self: copy self) package mutating func readBigEndian64() throws(CairnError) -> UInt64 {
    span.loadBigEndian64(at: try advance(8))
  }

  /// Reads four bytes, least significant first.
  @inlinable @_lifetime(self: copy self) package mutating func readLittleEndian32()
    throws(CairnError) -> UInt32
  { span.loadLittleEndian32(at: try advance(4)) }

  /// Reads eight bytes, least significant first.
  @_lifetime(self: copy self) package mutating func readLittleEndian64() throws(CairnError)
    -> UInt64
  { span.loadLittleEndian64(at: try advance(8)) }

  /// Reads an unsigned LEB128 number as `ByteWriter.appendVarint` writes it.
  @inlinable @_lifetime(self: copy self) package mutating func readVarint() throws(CairnError)
    -> UInt64
  {
    // Most numbers are small, and most of reading a document is reading numbers.
    if offset < span.byteCount {
      let byte = span.byte(at: offset)
      if byte < 0x80 {
        offset += 1
        return UInt64(byte)
      }
    }
    return try readLongVarint()
  }

  @usableFromInline @_lifetime(self: copy self) mutating func readLongVarint() throws(CairnError)
    -> UInt64
  {
    if remaining >= 4 {
      // Nearly all others take two or three bytes.
      let word = span.loadLittleEndian32(at: offset)
      let low = (word & 0x7F) | (word >> 1 & 0x3F80)
      if word & 0x8000 == 0 {
        offset += 2
        return UInt64(low)
      }
      if word & 0x80_0000 == 0 {
        offset += 3
        return UInt64(low | (word >> 2 & 0x1F_C000))
      }
    }
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try readUInt8()
      guard shift < 63 || (shift == 63 && byte <= 1) else {
        throw CairnError(.corrupt, "a stored number is longer than 64 bits")
      }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// Reads the next `count` bytes without copying them.
  @_lifetime(copy self) @_lifetime(self: copy self) package mutating func readBytes(_ count: Int)
    throws(CairnError) -> RawSpan
  {
    let start = try advance(count)
    return span.extracting(start..<start + count)
  }

  @inlinable @_lifetime(self: copy self) mutating func advance(_ count: Int) throws(CairnError)
    -> Int
  {
    guard count >= 0 && count <= remaining else { throw Self.endsEarly }
    defer { offset += count }
    return offset
  }

  @usableFromInline static var endsEarly: CairnError {
    CairnError(.corrupt, "a stored value ends too early")
  }
}
