/// A SHA-256 value: 32 bytes, held inline without a heap allocation.
///
/// Equality, order and hashing go by the bytes from first to last.
public struct Hash32: Hashable, Sendable {
  /// How many bytes a hash has.
  public static let byteCount = 32

  // Inlinable throughout: the tree of a log compares and joins millions of these.
  // Memory order: the raw bytes of the four words, one after the other, are the hash.
  @usableFromInline package let words: (UInt64, UInt64, UInt64, UInt64)

  @inlinable package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

  /// The hash with exactly these bytes, or `nil` when there are not 32 of them.
  ///
  /// A truncated or extended hash is never accepted, which is a rule of every verifier here.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Hash32.byteCount else { return nil }
    var iterator = bytes.makeIterator()
    func word() -> UInt64 {
      var value: UInt64 = 0
      for shift in stride(from: 0, to: 64, by: 8) {
        value |= UInt64(iterator.next() ?? 0) << UInt64(shift)
      }
      return UInt64(littleEndian: value)
    }
    self.init(words: (word(), word(), word(), word()))
  }

  /// The hash held by the span, or `nil` when the span does not have exactly 32 bytes.
  @inlinable package init?(_ span: RawSpan) {
    guard span.byteCount == Hash32.byteCount else { return nil }
    // SAFETY: an integer may have any bit pattern, and the four offsets lie within the 32 bytes.
    self.init(
      words: unsafe (
        span.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self),
        span.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self),
        span.unsafeLoadUnaligned(fromByteOffset: 16, as: UInt64.self),
        span.unsafeLoadUnaligned(fromByteOffset: 24, as: UInt64.self)
      ))
  }

  /// The 32 bytes as a new array.
  public var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(Hash32.byteCount)
    append(to: &result)
    return result
  }

  @inlinable package func append(to buffer: inout [UInt8]) {
    // SAFETY: the bytes are copied before the closure returns.
    unsafe withUnsafeBytes(of: words) { unsafe buffer.append(contentsOf: $0) }
  }

  /// Lends the 32 bytes to the closure, without a copy on the heap.
  @inlinable package func withSpan<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    // SAFETY: the span cannot escape the closure, and the words live until it returns.
    try unsafe withUnsafeBytes(of: words) { (buffer) throws(E) -> R in
      let span = unsafe RawSpan(_unsafeBytes: buffer)
      return try body(span)
    }
  }

  /// Whether the bytes are equal; takes the same time wherever they differ.
  @inlinable public static func == (a: Hash32, b: Hash32) -> Bool {
    // Every word is compared whatever the outcome, so time tells nothing about where they differ.
    let difference =
      (a.words.0 ^ b.words.0) | (a.words.1 ^ b.words.1) | (a.words.2 ^ b.words.2)
      | (a.words.3 ^ b.words.3)
    return difference == 0
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    // The bits of a SHA-256 value are uniform: two words carry all the hasher can use.
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}

extension Hash32: Comparable {
  /// Orders by the bytes, first to last.
  @inlinable public static func < (a: Hash32, b: Hash32) -> Bool {
    if a.words.0 != b.words.0 { return a.words.0.bigEndian < b.words.0.bigEndian }
    if a.words.1 != b.words.1 { return a.words.1.bigEndian < b.words.1.bigEndian }
    if a.words.2 != b.words.2 { return a.words.2.bigEndian < b.words.2.bigEndian }
    return a.words.3.bigEndian < b.words.3.bigEndian
  }
}

extension Hash32: CustomStringConvertible {
  /// The hash in base64, as proofs, checkpoints and JSON show it.
  public var description: String { base64 }
}
