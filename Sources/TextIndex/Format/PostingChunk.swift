internal import LMDB

/// A run of a term's postings in one row: header, bounds, postings, positions.
///
/// Header: version 4, block count, and varints of the posting count, the document before the first,
/// and how far the last document lies behind it. Each block of 128 postings but the last one has a
/// bound of 12 bytes, little-endian: last document (32 bits), offsets of the block's end in the
/// postings (11) and in the positions (11), places in the title that occur (4, one bit each), those
/// whose code is a far one (4), and per place the code of the greatest impact (8 each). A code that
/// is not in 0…255 is far: there stands a quarter of what it is above −512, rounded up. Of the last
/// block only these eight bits stand there and a code for each place that occurs: the header and
/// the row's end tell the rest. Postings are
/// a `PostingBlock` for each block, positions a `PositionCode` run for each posting.
enum PostingChunk {
  static let version: UInt8 = 4
  /// Most bytes of the header and of what stands there of the last block.
  static let headByteCountMax = 19
  static let boundByteCount = 12

  /// What stands in a bound besides documents and impacts.
  struct BoundWord: Sendable {
    private(set) var packed: UInt32 = 0

    /// Where the block ends in the postings.
    var end: Int { Int(packed & 0x7FF) }
    /// Where the block ends in the positions.
    var positionEnd: Int { Int(packed >> 11 & 0x7FF) }
    /// The places in titles that occur, one bit each, and above them those with far codes.
    var places: UInt32 { packed >> 22 & 0xFF }

    init(packed: UInt32) { self.packed = packed }

    init(end: Int, positionEnd: Int, places: UInt32) {
      packed =
        UInt32(truncatingIfNeeded: end) & 0x7FF | (UInt32(truncatingIfNeeded: positionEnd) & 0x7FF)
        << 11 | places << 22
    }
  }

  /// Bounds and decodes the blocks of one chunk; holds a copy of the row without its header, with a
  /// bound for each block.
  struct Reader: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Bytes of bounds, postings and positions; what follows in `bytes` is padding.
    private(set) var byteCount = 0
    private(set) var blockCount = 0
    private(set) var postingCount = 0
    private(set) var base: UInt32 = 0
    private(set) var lastDocument: UInt32 = 0
    /// Where the postings and the positions begin in `bytes`.
    var postingStart: Int { blockCount * boundByteCount }
    private(set) var positionStart = 0

    /// Takes over a row.
    /// - Throws: `.corrupt` when the header does not fit the row.
    mutating func load(_ row: borrowing RawSpan) throws(CairnError) {
      let head = try Head(row)
      blockCount = head.blockCount
      postingCount = head.postingCount
      base = head.base
      lastDocument = head.lastDocument
      byteCount = postingStart + row.byteCount - head.byteCount
      positionStart = postingStart + head.postingByteCount
      makeRoom()
      let word = BoundWord(
        end: head.postingByteCount, positionEnd: byteCount - positionStart, places: head.places)
      let start = postingStart
      unsafe bytes.withUnsafeMutableBytes { bytes in
        // SAFETY: the row is read before the closure ends, and `makeRoom` made room for a bound of
        // each block and what comes behind them.
        unsafe row.extracting(head.bounds).withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
        let last = start - boundByteCount
        unsafe bytes.storeBytes(
          of: head.lastDocument.littleEndian, toByteOffset: last, as: UInt32.self)
        unsafe bytes.storeBytes(
          of: word.packed.littleEndian, toByteOffset: last + 4, as: UInt32.self)
        unsafe bytes.storeBytes(
          of: head.codes.littleEndian, toByteOffset: last + 8, as: UInt32.self)
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        unsafe row.extracting(head.byteCount...).withUnsafeBytes {
          unsafe target.copyMemory(from: $0)
        }
      }
    }

    private mutating func makeRoom() {
      guard bytes.count < byteCount + PostingBlock.paddingByteCount else { return }
      let room = max(byteCount, IndexLimits.rowByteCount + boundByteCount)
      bytes = Array(repeating: 0, count: room + PostingBlock.paddingByteCount)
    }

    func lastDocument(of block: Int) -> UInt32 {
      bytes.rawSpan.loadLittleEndian32(at: block * boundByteCount)
    }

    /// Where a block's postings stand in `bytes`.
    /// - Throws: `.corrupt` when that is outside.
    func postings(of block: Int) throws(CairnError) -> Range<Int> {
      let start = postingStart + (block > 0 ? word(block - 1).end : 0)
      let end = postingStart + word(block).end
      guard start <= end, end <= byteCount else { throw IndexDamage.postings }
      return start..<end
    }

    /// Where a block's positions stand in `bytes`.
    /// - Throws: `.corrupt` when that is outside.
    func positions(of block: Int) throws(CairnError) -> Range<Int> {
      let start = positionStart + (block > 0 ? word(block - 1).positionEnd : 0)
      let end = positionStart + word(block).positionEnd
      guard start <= end, end <= byteCount else { throw IndexDamage.postings }
      return start..<end
    }

    func postingCount(of block: Int) -> Int {
      Swift.min(IndexLimits.blockPostingCount, postingCount - block * IndexLimits.blockPostingCount)
    }

    private func word(_ block: Int) -> BoundWord {
      BoundWord(packed: bytes.rawSpan.loadLittleEndian32(at: block * boundByteCount + 4))
    }

    func bound(_ block: Int) -> BlockBound {
      let span = bytes.rawSpan
      let at = block * boundByteCount
      var bound = BlockBound(lastDocument: span.loadLittleEndian32(at: at))
      let places = word(block).places
      let codes = span.loadLittleEndian32(at: at + 8)
      for place in 0..<4 where places >> UInt32(place) & 1 == 1 {
        let code = codes >> UInt32(8 * place) & 0xFF
        let isFar = places >> UInt32(place + 4) & 1 == 1
        bound.units[place] = isFar ? PlaceRanks.units(far: code) : Impact.scaled(code) >> 2
      }
      return bound
    }

    /// Decodes a block into the two buffers, replacing their content; impacts come as units · 4 +
    /// place.
    /// - Complexity: O(128).
    func decode(_ block: Int, documents: inout [UInt32], impacts: inout [UInt32]) throws(CairnError)
    {
      let count = postingCount(of: block)
      documents.resize(to: count)
      impacts.resize(to: count)
      let last = try PostingBlock.read(
        bytes.rawSpan, try postings(of: block),
        after: block > 0 ? lastDocument(of: block - 1) : base, documents: &documents,
        impacts: &impacts)
      guard last == lastDocument(of: block) else { throw IndexDamage.postings }
    }
  }

  /// What stands before the postings.
  private struct Head {
    var blockCount: Int
    var postingCount: Int
    var base: UInt32
    var lastDocument: UInt32
    /// Where the bounds stand.
    var bounds: Range<Int>
    /// Of the last block, as in a bound.
    var places: UInt32
    var codes: UInt32 = 0
    var byteCount: Int
    var postingByteCount: Int

    /// Reads it.
    /// - Throws: `.corrupt` when the row begins with none.
    init(_ row: borrowing RawSpan) throws(CairnError) {
      guard row.byteCount > 2, row.byte(at: 0) == version else { throw IndexDamage.postings }
      blockCount = Int(row.byte(at: 1))
      var offset = 2
      let count = try Varint.read(row, &offset)
      let base = try Varint.read(row, &offset)
      let reach = try Varint.read(row, &offset)
      let full = (blockCount - 1) * IndexLimits.blockPostingCount
      guard blockCount > 0, count > full, count <= full + IndexLimits.blockPostingCount,
        base <= UInt64(UInt32.max), reach <= UInt64(UInt32.max) - base
      else { throw IndexDamage.postings }
      postingCount = Int(count)
      self.base = UInt32(base)
      lastDocument = UInt32(base + reach)
      bounds = offset..<offset + (blockCount - 1) * boundByteCount
      offset = bounds.upperBound
      guard offset < row.byteCount else { throw IndexDamage.postings }
      places = UInt32(row.byte(at: offset))
      offset += 1
      let present = places & 15
      guard places >> 4 & ~present == 0, offset + present.nonzeroBitCount <= row.byteCount else {
        throw IndexDamage.postings
      }
      for place in 0..<UInt32(4) where places >> place & 1 == 1 {
        codes |= UInt32(row.byte(at: offset)) << (8 * place)
        offset += 1
      }
      byteCount = offset
      var last = 0
      if !bounds.isEmpty {
        let word = row.loadLittleEndian32(at: bounds.upperBound - boundByteCount + 4)
        last = BoundWord(packed: word).end
      }
      let shape = try PostingBlock.Shape(row, at: offset + last)
      postingByteCount = last + shape.byteCount(postingCount - full)
      let rest = row.byteCount - offset - postingByteCount
      guard postingByteCount < 2_048, rest >= 0, rest < 2_048 else { throw IndexDamage.postings }
    }
  }
}

/// The greatest codes of a block by place in the title, while it grows.
struct PlaceRanks: Sendable {
  /// Sixteen bits a place: the rank of the greatest impact, 0 for none.
  private var ranks: UInt64 = 0

  @inline(__always) mutating func include(_ impact: Impact) {
    let shift = 16 * UInt64(impact.place)
    let known = ranks &>> shift & 0xFFFF
    ranks = ranks & ~(0xFFFF &<< shift) | max(known, UInt64(impact.rank)) &<< shift
  }

  private func rank(_ place: Int) -> Int { Int(ranks >> UInt64(16 * place) & 0xFFFF) }

  /// The places that occur and those with far codes, as a bound has them, and a code a place.
  var marks: (places: UInt32, codes: UInt32) {
    var (places, codes): (UInt32, UInt32) = (0, 0)
    for place in 0..<4 where rank(place) > 0 {
      let code = rank(place) - Impact.rankOfNull
      let isFar = !(0...255).contains(code)
      places |= (isFar ? 17 : 1) << UInt32(place)
      codes |= UInt32(isFar ? min((rank(place) + 3) / 4, 255) : code) << UInt32(8 * place)
    }
    return (places, codes)
  }

  /// The units of a far code, which are no less than those it was made of.
  static func units(far code: UInt32) -> UInt32 { Impact.units(4 * Int(code) - Impact.rankOfNull) }
}

extension Array where Element == UInt32 {
  /// Makes it so long, and keeps the room.
  fileprivate mutating func resize(to count: Int) {
    if self.count < count {
      append(contentsOf: repeatElement(0, count: count - self.count))
    } else {
      removeLast(self.count - count)
    }
  }
}
