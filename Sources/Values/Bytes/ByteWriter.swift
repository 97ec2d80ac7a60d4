/// A growable run of bytes to build keys and values in, meant to be reused.
///
/// Keeps its room across `removeAll()`, so a loop that reuses one writer allocates nothing
/// once it has seen its longest value.
///
/// Sendable by hand: nothing else refers to its storage.
@safe package struct ByteWriter: ~Copyable, @unchecked Sendable {
  @usableFromInline var storage: UnsafeMutableRawBufferPointer
  @usableFromInline package internal(set) var count = 0

  /// Makes an empty writer with room for `capacity` bytes.
  package init(capacity: Int = 64) {
    unsafe storage = .allocate(byteCount: Swift.max(capacity, 16), alignment: 8)
  }

  deinit { unsafe storage.deallocate() }

  /// The bytes written so far, borrowed.
  package var bytes: RawSpan {
    @_lifetime(borrow self) get {
      let written = unsafe UnsafeRawBufferPointer(rebasing: storage[..<count])
      // SAFETY: the storage lives as long as the writer, and no write can happen meanwhile.
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: written), borrowing: self)
    }
  }

  /// Forgets all bytes and keeps the room.
  @inlinable package mutating func removeAll() { count = 0 }

  /// A copy of the bytes written so far.
  package func array() -> [UInt8] { bytes.array() }

  @inlinable package mutating func append(_ byte: UInt8) { appendWord(byte) }

  /// Adds a number, most significant byte first.
  @inlinable package mutating func appendBigEndian(
    _ value: some FixedWidthInteger & UnsignedInteger & BitwiseCopyable
  ) { appendWord(value.bigEndian) }

  /// Adds a number, least significant byte first.
  @inlinable package mutating func appendLittleEndian(
    _ value: some FixedWidthInteger & UnsignedInteger & BitwiseCopyable
  ) { appendWord(value.littleEndian) }

  /// Adds an unsigned LEB128 number: seven bits per byte, low bits first, 1…10 bytes.
  @inlinable package mutating func appendVarint(_ value: UInt64) {
    reserve(10)
    var rest = value
    while rest >= 0x80 {
      unsafe storage[count] = UInt8(truncatingIfNeeded: rest) | 0x80
      count += 1
      rest >>= 7
    }
    unsafe storage[count] = UInt8(rest)
    count += 1
  }

  @inlinable package mutating func append(_ span: RawSpan) {
    reserve(span.byteCount)
    unsafe span.withUnsafeBytes { bytes in
      // SAFETY: `reserve` made room for exactly these bytes.
      unsafe UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: bytes)
    }
    count += span.byteCount
  }

  /// Adds what another writer holds.
  @inlinable package mutating func append(_ other: borrowing ByteWriter) { append(other.bytes) }

  @inlinable package mutating func append(_ array: [UInt8]) { append(array.rawSpan) }

  @inlinable package mutating func append(repeating byte: UInt8, byteCount: Int) {
    reserve(byteCount)
    for offset in count..<count + byteCount { unsafe storage[offset] = byte }
    count += byteCount
  }

  @inlinable mutating func appendWord<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word) {
    reserve(MemoryLayout<Word>.size)
    unsafe storage.storeBytes(of: word, toByteOffset: count, as: Word.self)
    count += MemoryLayout<Word>.size
  }

  @inlinable mutating func reserve(_ byteCount: Int) {
    if unsafe storage.count - count < byteCount { grow(byteCount) }
  }

  @usableFromInline mutating func grow(_ byteCount: Int) {
    let room = unsafe Swift.max(storage.count * 2, count + byteCount)
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 8)
    unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<count]))
    unsafe storage.deallocate()
    unsafe storage = larger
  }
}
