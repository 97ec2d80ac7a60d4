internal import LMDB
internal import Text

/// Dictionary keys of terms by number, in one flat array: of each its space, then its bytes.
struct TermKeys: Sendable {
  private var starts: [UInt32] = [0]
  private var bytes: [UInt8] = []

  var count: Int { starts.count - 1 }

  /// The space and bytes of a term, as the dictionary keys them.
  subscript(_ index: UInt32) -> ArraySlice<UInt8> { bytes[range(index)] }

  private func range(_ index: UInt32) -> Range<Int> {
    Int(starts[Int(index)])..<Int(starts[Int(index) + 1])
  }

  mutating func removeAll() {
    starts.removeAll(keepingCapacity: true)
    starts.append(0)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Adds a key under the next number.
  mutating func append(space: UInt8, _ source: [UInt8], _ range: Range<Int>) {
    bytes.append(space)
    bytes.append(contentsOf: source[range])
    starts.append(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Adds the keys that another list has from a number on.
  mutating func append(_ other: TermKeys, from first: Int = 0) {
    guard first < other.count else { return }
    let start = other.starts[first]
    let end = UInt32(truncatingIfNeeded: bytes.count)
    bytes.append(contentsOf: other.bytes[Int(start)...])
    for next in other.starts[(first + 1)...] { starts.append(next - start + end) }
  }

  func space(_ index: UInt32) -> UInt8 { bytes[Int(starts[Int(index)])] }

  /// Whether a term is a pair of characters of an unspaced script.
  func isPair(_ index: UInt32) -> Bool {
    let key = self[index]
    return key.first == TermSpace.gram.rawValue && TermKey.scalarCount(key.dropFirst()) > 1
  }

  func isPart(_ index: UInt32) -> Bool { space(index) == TermSpace.part.rawValue }

  func write(_ index: UInt32, to key: inout ByteWriter) {
    key.removeAll()
    key.append(bytes.rawSpan.extracting(range(index)))
  }

  /// Adds the key of a term behind its length.
  func append(_ index: UInt32, to bytes: inout ByteWriter) {
    let range = range(index)
    bytes.appendVarint(UInt64(range.count))
    bytes.append(self.bytes.rawSpan.extracting(range))
  }

  /// Whether the key of a term comes before that of another one.
  func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
    bytes.rawSpan.extracting(range(left)).lexicographicallyPrecedes(
      bytes.rawSpan.extracting(range(right)))
  }

  /// The first eight bytes of the key, for sorting.
  func sortKey(_ index: UInt32) -> UInt64 { TermKey.word(bytes.rawSpan, range(index)) }

  func equals(_ index: Int, _ space: UInt8, _ source: RawSpan, _ range: Range<Int>) -> Bool {
    let start = Int(starts[index])
    let end = Int(starts[index + 1])
    guard end - start == range.count + 1, bytes[start] == space else { return false }
    return bytes.rawSpan.extracting(start + 1..<end).equals(source.extracting(range))
  }
}

extension TermKeys {
  /// The places of some terms among them, in byte order of their keys.
  func byteOrder(_ numbers: some Sequence<UInt32>) -> [Int] {
    var order = numbers.enumerated().map { (key: sortKey($1), number: $1, place: $0) }
    order.sort { left, right in
      left.key == right.key ? precedes(left.number, right.number) : left.key < right.key
    }
    return order.map { $0.place }
  }
}

/// What a dictionary key is: the space of the term, then its bytes.
enum TermKey {
  /// The first eight bytes of a key, zeros behind its end, as they sort.
  static func word(_ bytes: borrowing RawSpan, _ key: Range<Int>) -> UInt64 {
    guard key.lowerBound + 8 <= bytes.byteCount else {
      var word: UInt64 = 0
      for at in key.lowerBound..<key.lowerBound + 8 {
        word = word << 8 | (at < key.upperBound ? UInt64(bytes.byte(at: at)) : 0)
      }
      return word
    }
    // Twice, as a word is shifted by fewer than all its bits.
    let unused = UInt64(4 * max(0, 8 - key.count))
    let word = bytes.loadBigEndian64(at: key.lowerBound)
    return (((word &>> unused) &>> unused) &<< unused) &<< unused
  }

  /// Unicode scalars in well-formed UTF-8.
  static func scalarCount(_ bytes: some Sequence<UInt8>) -> Int {
    var count = 0
    for byte in bytes where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }
}
