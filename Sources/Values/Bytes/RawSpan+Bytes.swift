import Glibc

extension RawSpan {
  package func array() -> [UInt8] { unsafe withUnsafeBytes { unsafe [UInt8]($0) } }

  /// Whether both hold the same bytes.
  package func equals(_ other: RawSpan) -> Bool {
    byteCount == other.byteCount && compare(other) == 0
  }

  package func hasPrefix(_ prefix: RawSpan) -> Bool {
    byteCount >= prefix.byteCount && extracting(first: prefix.byteCount).compare(prefix) == 0
  }

  /// Byte order, a prefix before what it begins: the order of keys in a table.
  package func lexicographicallyPrecedes(_ other: RawSpan) -> Bool {
    let order = compare(other)
    return order == 0 ? byteCount < other.byteCount : order < 0
  }

  private func compare(_ other: RawSpan) -> CInt {
    let shared = Swift.min(byteCount, other.byteCount)
    guard shared > 0 else { return 0 }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        guard let a = left.baseAddress, let b = right.baseAddress else { return 0 }
        // SAFETY: both buffers hold at least `shared` bytes.
        return unsafe memcmp(a, b, shared)
      }
    }
  }

  /// The byte at `offset`; traps outside the span.
  @inlinable package func byte(at offset: Int) -> UInt8 { load(at: offset) }

  /// Two bytes at `offset`, most significant first; traps outside the span.
  @inlinable package func loadBigEndian16(at offset: Int) -> UInt16 {
    UInt16(bigEndian: load(at: offset))
  }

  /// Four bytes at `offset`, most significant first; traps outside the span.
  @inlinable package func loadBigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: load(at: offset))
  }

  /// Eight bytes at `offset`, most significant first; traps outside the span.
  @inlinable package func loadBigEndian64(at offset: Int) -> UInt64 {
    UInt64(bigEndian: load(at: offset))
  }

  /// Two bytes at `offset`, least significant first; traps outside the span.
  @inlinable package func loadLittleEndian16(at offset: Int) -> UInt16 {
    UInt16(littleEndian: load(at: offset))
  }

  /// Four bytes at `offset`, least significant first; traps outside the span.
  @inlinable package func loadLittleEndian32(at offset: Int) -> UInt32 {
    UInt32(littleEndian: load(at: offset))
  }

  /// Eight bytes at `offset`, least significant first; traps outside the span.
  @inlinable package func loadLittleEndian64(at offset: Int) -> UInt64 {
    UInt64(littleEndian: load(at: offset))
  }

  @inlinable func load<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Word {
    precondition(
      offset >= 0 && offset <= byteCount - MemoryLayout<Word>.size,
      "a load must lie inside the span")
    // SAFETY: the line above keeps the load inside the span; any bits make an integer.
    return unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self)
  }
}

extension Array where Element == UInt8 {
  package mutating func append(_ span: RawSpan) {
    // SAFETY: the bytes are copied before the closure returns.
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  package var rawSpan: RawSpan {
    @_lifetime(borrow self) get {
      // SAFETY: bytes have no padding, the reason why the property is marked.
      unsafe span.bytes
    }
  }
}
