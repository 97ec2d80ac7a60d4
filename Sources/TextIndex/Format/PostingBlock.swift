internal import LMDB

/// Up to 128 postings as bytes.
///
/// Three bytes say how many bits a gap takes; the low byte of the least code of an impact; and how
/// many bits a code takes above that (4 bits) and a place in the title (2), with the high bits of
/// the least code (2). Then the gaps less one, each from the document before it, and behind the
/// last full byte of these the impacts, place in the lower bits. Bits are filled from the lowest
/// up. All have the bits of the greatest: a posting is found, and most of a block read, without a
/// branch.
struct PostingBlock: Sendable {
  static let headByteCount = 3
  /// Most bytes of a posting alone: 32 bits of gap and 12 of impact.
  static let postingByteCountMax = 6
  /// Bytes that may be read behind the last one.
  static let paddingByteCount = 8

  /// How many bits the postings of a block take.
  struct Shape: Sendable {
    var gapWidth = 0
    var codeWidth = 0
    var placeWidth = 0
    var leastCode = 0

    /// Bytes of a block of so many postings.
    func byteCount(_ count: Int) -> Int {
      headByteCount + impactStart(count) + (count * (codeWidth + placeWidth) + 7) >> 3
    }

    /// Where the impacts begin behind the head.
    func impactStart(_ count: Int) -> Int { (count * gapWidth + 7) >> 3 }

    init() {}

    /// Reads the head at an offset.
    /// - Throws: `.corrupt` when it says what cannot be.
    init(_ bytes: borrowing RawSpan, at offset: Int) throws(CairnError) {
      guard offset >= 0, offset + headByteCount <= bytes.byteCount else {
        throw IndexDamage.postings
      }
      gapWidth = Int(bytes.byte(at: offset))
      let last = bytes.byte(at: offset + 2)
      let high = UInt16(last >> 6) << 10
      leastCode = Impact(packed: UInt16(bytes.byte(at: offset + 1)) | high).code
      codeWidth = Int(last & 15)
      placeWidth = Int(last >> 4 & 3)
      guard gapWidth <= 32, codeWidth <= 10, placeWidth <= 2 else { throw IndexDamage.postings }
    }
  }

  private typealias Values = InlineArray<128, UInt32>

  /// How many postings there are, and what says how many bits they take.
  struct Extent: Sendable {
    fileprivate(set) var count = 0
    /// What gaps and places have in common by `or`, and the ends of the codes.
    fileprivate var gapBits: UInt32 = 0
    fileprivate var placeBits: UInt32 = 0
    fileprivate var leastRank: UInt16 = .max
    fileprivate var mostRank: UInt16 = 0

    @inline(__always) fileprivate mutating func add(_ gap: UInt32, _ impact: Impact) {
      let rank = impact.rank
      count += 1
      gapBits |= gap
      placeBits |= UInt32(impact.place)
      leastRank = min(leastRank, rank)
      mostRank = max(mostRank, rank)
    }

    @inline(__always) fileprivate var shape: Shape {
      var shape = Shape()
      shape.gapWidth = 32 - gapBits.leadingZeroBitCount
      shape.placeWidth = 32 - placeBits.leadingZeroBitCount
      shape.codeWidth = 16 - (mostRank &- leastRank).leadingZeroBitCount
      shape.leastCode = Int(leastRank) - Impact.rankOfNull
      return shape
    }

    @inline(__always) var byteCount: Int { shape.byteCount(count) }
  }

  private var gaps = Values(repeating: 0)
  private var impacts = Values(repeating: 0)
  private(set) var extent = Extent()

  var count: Int { extent.count }

  var byteCount: Int { extent.byteCount }

  mutating func removeAll() { extent = Extent() }

  /// Forgets the postings that came after there were so many.
  mutating func takeBack(to known: Extent) { extent = known }

  /// Bytes of the block with one more posting.
  @inline(__always) func byteCount(adding gap: UInt32, _ impact: Impact) -> Int {
    var extent = extent
    extent.add(gap, impact)
    return extent.byteCount
  }

  /// Adds a posting to fewer than 128; `gap` is one less than how far its document lies behind the
  /// last one.
  @inline(__always) mutating func append(_ gap: UInt32, _ impact: Impact) {
    gaps[count] = gap
    impacts[count] = UInt32(impact.packed)
    extent.add(gap, impact)
  }

  /// Adds the bytes of at least one posting.
  /// - Complexity: O(postings).
  func write(to bytes: inout ByteWriter) {
    let shape = extent.shape
    bytes.append(UInt8(truncatingIfNeeded: shape.gapWidth))
    bytes.append(UInt8(truncatingIfNeeded: shape.leastCode))
    let high = shape.leastCode >> 8 & 3
    bytes.append(UInt8(truncatingIfNeeded: shape.codeWidth | shape.placeWidth << 4 | high << 6))
    // As spans: what stands at an index of them is read without a copy of all.
    let (gaps, impacts) = (gaps.span, impacts.span)
    var packer = BitPacker()
    for index in 0..<count { packer.append(gaps[index], shape.gapWidth, to: &bytes) }
    packer.finish(to: &bytes)
    let width = shape.codeWidth + shape.placeWidth
    for index in 0..<count {
      let impact = Impact(packed: UInt16(truncatingIfNeeded: impacts[index]))
      let code = UInt32(truncatingIfNeeded: impact.code &- shape.leastCode)
      packer.append(code << UInt32(shape.placeWidth) | UInt32(impact.place), width, to: &bytes)
    }
    packer.finish(to: &bytes)
  }

  /// Reads the postings of a block into two buffers of so many elements, impacts as units · 4 +
  /// place, and gives the last document.
  /// - Complexity: O(postings).
  /// - Throws: `.corrupt` when the block takes another number of bytes, or fewer than
  ///   `paddingByteCount` come behind it.
  static func read(
    _ bytes: borrowing RawSpan, _ range: Range<Int>, after base: UInt32, documents: inout [UInt32],
    impacts: inout [UInt32]
  ) throws(CairnError) -> UInt32 {
    let shape = try Shape(bytes, at: range.lowerBound)
    let count = documents.count
    guard shape.byteCount(count) == range.count, impacts.count == count,
      range.upperBound + paddingByteCount <= bytes.byteCount
    else { throw IndexDamage.postings }
    let start = range.lowerBound + headByteCount
    let impactStart = start + shape.impactStart(count)
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe documents.withUnsafeMutableBufferPointer { documents in
        unsafe impacts.withUnsafeMutableBufferPointer { impacts in
          // SAFETY: both buffers have `count` elements. The last value begins inside the block,
          // whose end the guard compared with what `count` of them take, and eight bytes more may
          // be read.
          unsafe readImpacts(bytes, from: impactStart, shape, into: impacts)
          return unsafe readGaps(bytes, from: start, shape, after: base, into: documents)
        }
      }
    }
  }

  @unsafe @inline(__always) private static func readGaps(
    _ bytes: UnsafeRawBufferPointer, from start: Int, _ shape: Shape, after base: UInt32,
    into documents: UnsafeMutableBufferPointer<UInt32>
  ) -> UInt32 {
    guard let first = bytes.baseAddress else { return base }
    let width = shape.gapWidth
    let mask: UInt64 = 1 &<< UInt64(width) &- 1
    var bit = start &* 8
    var document = base
    for index in 0..<documents.count {
      let word = unsafe first.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
      let gap = UInt64(littleEndian: word) &>> UInt64(bit & 7) & mask
      document = document &+ UInt32(truncatingIfNeeded: gap) &+ 1
      unsafe documents[index] = document
      bit &+= width
    }
    return document
  }

  @unsafe @inline(__always) private static func readImpacts(
    _ bytes: UnsafeRawBufferPointer, from start: Int, _ shape: Shape,
    into impacts: UnsafeMutableBufferPointer<UInt32>
  ) {
    guard let first = bytes.baseAddress else { return }
    let width = shape.codeWidth &+ shape.placeWidth
    let mask: UInt32 = 1 &<< UInt32(width) &- 1
    let placeWidth = UInt32(shape.placeWidth)
    let placeMask: UInt32 = 1 &<< placeWidth &- 1
    let least = UInt32(truncatingIfNeeded: shape.leastCode)
    let isLow = shape.leastCode < 0
    var bit = start &* 8
    for index in 0..<impacts.count {
      let word = unsafe first.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt32.self)
      let value = UInt32(littleEndian: word) &>> UInt32(bit & 7) & mask
      let code = least &+ value &>> placeWidth
      if isLow {
        let units = Impact.units(Int(Int32(bitPattern: code)))
        unsafe impacts[index] = units << 2 | value & placeMask
      } else {
        unsafe impacts[index] = Impact.scaled(code & 511) | value & placeMask
      }
      bit &+= width
    }
  }
}

/// Writes numbers of some bits each, from the lowest bit up.
struct BitPacker {
  private var bits: UInt64 = 0
  private var filled = 0

  /// Adds a number of at most 32 bits, which has no others than its own.
  @inline(__always) mutating func append(_ value: UInt32, _ width: Int, to bytes: inout ByteWriter)
  {
    bits |= UInt64(value) &<< UInt64(filled)
    filled &+= width
    guard filled >= 32 else { return }
    bytes.appendLittleEndian(UInt32(truncatingIfNeeded: bits))
    bits &>>= 32
    filled &-= 32
  }

  /// Fills up the last byte.
  mutating func finish(to bytes: inout ByteWriter) {
    while filled > 0 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits &>>= 8
      filled &-= 8
    }
    bits = 0
    filled = 0
  }
}
