/// Hashes one logical row to 128 bits.
///
/// The function is MurmurHash3 x64 128 (Appleby, public domain) over a stream of 64-bit words,
/// each field length-prefixed so that no two different rows feed the same words. It is fast and
/// the same on every machine; it detects damage and differences, it does not resist forgery
/// (the log's Merkle root does that). Inlinable because every projection hashes every row.
package struct RowHasher: Sendable {
  @usableFromInline var first: UInt64
  @usableFromInline var second: UInt64
  @usableFromInline var pending: UInt64 = 0
  @usableFromInline var wordCount: UInt64 = 0

  /// Starts a row of one kind; rows of different kinds never hash alike.
  @inlinable package init(kind: UInt64) {
    first = kind &* 0x9E37_79B9_7F4A_7C15
    second = ~kind &* 0xC2B2_AE3D_27D4_EB4F
  }

  /// Feeds one word.
  /// - Complexity: O(1).
  @inlinable package mutating func add(_ word: UInt64) {
    wordCount &+= 1
    if wordCount & 1 == 1 { pending = word } else { mix(pending, word) }
  }

  /// Feeds bytes, preceded by their count.
  /// - Complexity: O(`bytes.byteCount`).
  @inlinable package mutating func add(_ bytes: RawSpan) {
    let count = bytes.byteCount
    add(UInt64(truncatingIfNeeded: count))
    var offset = 0
    while offset &+ 8 <= count {
      // SAFETY: the load is bounds-checked and every bit pattern is a UInt64.
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      add(UInt64(littleEndian: word))
      offset &+= 8
    }
    guard offset < count else { return }
    var tail: UInt64 = 0
    while offset < count {
      // SAFETY: bounds-checked; every bit pattern is a UInt8.
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      tail = tail << 8 | UInt64(byte)
      offset &+= 1
    }
    add(tail)
  }

  /// Feeds a slice of an array, preceded by its count.
  /// - Complexity: O(`range.count`).
  @inlinable package mutating func add(_ buffer: [UInt8], _ range: Range<Int>) {
    // SAFETY: `extracting` checks the range against the array's bounds.
    let span = unsafe buffer.span.bytes.extracting(range)
    add(span)
  }

  /// Feeds a text, preceded by the count of its bytes in UTF-8.
  /// - Complexity: O(bytes).
  package mutating func add(_ text: String) {
    let bytes = Array(text.utf8)
    add(bytes, bytes.indices)
  }

  /// Feeds the hash of a name.
  /// - Complexity: O(1).
  @inlinable package mutating func add(_ key: NameKey) {
    add(key.low)
    add(key.high)
  }

  /// The 128 bits of everything fed so far.
  /// - Complexity: O(1).
  @inlinable package consuming func finish() -> (low: UInt64, high: UInt64) {
    if wordCount & 1 == 1 { mix(pending, 0) }
    first ^= wordCount
    second ^= wordCount
    first &+= second
    second &+= first
    first = Self.finalMix(first)
    second = Self.finalMix(second)
    first &+= second
    second &+= first
    return (first, second)
  }

  @inlinable mutating func mix(_ one: UInt64, _ two: UInt64) {
    let c1: UInt64 = 0x87C3_7B91_1142_53D5
    let c2: UInt64 = 0x4CF5_AD43_2745_937F
    first ^= Self.rotate(one &* c1, 31) &* c2
    first = (Self.rotate(first, 27) &+ second) &* 5 &+ 0x52DC_E729
    second ^= Self.rotate(two &* c2, 33) &* c1
    second = (Self.rotate(second, 31) &+ first) &* 5 &+ 0x3849_5AB5
  }

  @inlinable static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value &<< count | value &>> (64 &- count)
  }

  @inlinable static func finalMix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed ^= mixed &>> 33
    mixed = mixed &* 0xFF51_AFD7_ED55_8CCD
    mixed ^= mixed &>> 33
    mixed = mixed &* 0xC4CE_B9FE_1A85_EC53
    mixed ^= mixed &>> 33
    return mixed
  }
}
