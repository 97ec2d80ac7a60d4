internal import LMDB

/// A run of a term's postings in one row: header, one bound per 128 postings, postings, positions.
///
/// Header, 12 bytes, little-endian: version 3, block count, posting count (16 bits), document before
/// the first (32), last document (32). A bound takes 12 bytes: last document (32), offsets of the
/// block's end in the postings (11 bits) and in the positions (11), places in the title that occur
/// (4, one bit each), and per place the code of the greatest impact (8 each). Postings are a
/// `PostingBlock` for each bound, positions a `PositionCode` run for each posting.
///
/// Three rows in four have one block of few postings. Before their postings stand only: version 131,
/// postings less one, varints of the document before the first and of how far the last one lies
/// behind it, the places that occur, and a code for each of these.
enum PostingChunk {
  static let version: UInt8 = 3
  static let soleVersion: UInt8 = 131
  static let headerByteCount = 12
  static let boundByteCount = 12

  /// What stands in a bound besides documents and impacts.
  struct BoundWord: Sendable {
    private(set) var packed: UInt32 = 0

    /// Where the block ends in the postings.
    var end: Int { Int(packed & 0x7FF) }
    /// Where the block ends in the positions.
    var positionEnd: Int { Int(packed >> 11 & 0x7FF) }
    /// The places in titles that occur, one bit each.
    var places: UInt32 { packed >> 22 & 15 }

    init(packed: UInt32) { self.packed = packed }

    init(end: Int, positionEnd: Int, places: UInt32) {
      packed =
        UInt32(truncatingIfNeeded: end) & 0x7FF | (UInt32(truncatingIfNeeded: positionEnd) & 0x7FF)
        << 11 | places << 22
    }
  }

  /// Bounds and decodes the blocks of one chunk; holds a copy of the row, that of one block as one of
  /// more would be.
  struct Reader: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Bytes of the row; what follows in `bytes` is padding.
    private(set) var byteCount = 0
    private(set) var blockCount = 0
    private(set) var postingCount = 0
    private(set) var base: UInt32 = 0
    private(set) var lastDocument: UInt32 = 0
    /// Where the postings and the positions begin in `bytes`.
    var postingStart: Int { headerByteCount + blockCount * boundByteCount }
    private(set) var positionStart = 0

    /// Takes over a row.
    ///
    /// - Throws: `.corrupt` when the header does not fit the row.
    mutating func load(_ row: borrowing RawSpan) throws(StorageError) {
      if row.byteCount > 0, row.byte(at: 0) == soleVersion { return try loadSole(row) }
      guard row.byteCount >= headerByteCount, row.byte(at: 0) == version else {
        throw PostingCode.damaged
      }
      blockCount = Int(row.byte(at: 1))
      postingCount = Int(row.loadLittleEndian16(at: 2))
      base = row.loadLittleEndian32(at: 4)
      lastDocument = row.loadLittleEndian32(at: 8)
      guard blockCount > 1, headerByteCount + blockCount * boundByteCount <= row.byteCount,
        postingCount > (blockCount - 1) * IndexLimits.blockPostingCount,
        postingCount <= blockCount * IndexLimits.blockPostingCount
      else { throw PostingCode.damaged }
      byteCount = row.byteCount
      let last = BoundWord(packed: row.loadLittleEndian32(at: postingStart - 8))
      positionStart = postingStart + last.end
      guard positionStart + last.positionEnd == byteCount else { throw PostingCode.damaged }
      makeRoom()
      unsafe bytes.withUnsafeMutableBytes { bytes in
        // SAFETY: the row is read before the closure ends, and the line above made room for it.
        unsafe row.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
      }
    }

    /// Takes over a row of one block.
    private mutating func loadSole(_ row: borrowing RawSpan) throws(StorageError) {
      let head = try SoleHead(row)
      blockCount = 1
      postingCount = head.postingCount
      base = head.base
      lastDocument = head.lastDocument
      byteCount = headerByteCount + boundByteCount + row.byteCount - head.byteCount
      positionStart = postingStart + head.postingByteCount
      makeRoom()
      let word = BoundWord(
        end: head.postingByteCount, positionEnd: byteCount - positionStart, places: head.places)
      let start = postingStart
      unsafe bytes.withUnsafeMutableBytes { bytes in
        // SAFETY: the row is read before the closure ends, and `makeRoom` made room for it behind a
        // header and a bound.
        unsafe bytes.storeBytes(
          of: head.lastDocument.littleEndian, toByteOffset: 12, as: UInt32.self)
        unsafe bytes.storeBytes(of: word.packed.littleEndian, toByteOffset: 16, as: UInt32.self)
        unsafe bytes.storeBytes(of: head.codes.littleEndian, toByteOffset: 20, as: UInt32.self)
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        unsafe row.extracting(head.byteCount...).withUnsafeBytes {
          unsafe target.copyMemory(from: $0)
        }
      }
    }

    private mutating func makeRoom() {
      guard bytes.count < byteCount + PostingBlock.paddingByteCount else { return }
      let room = max(byteCount, IndexLimits.rowByteCount + headerByteCount + boundByteCount)
      bytes = Array(repeating: 0, count: room + PostingBlock.paddingByteCount)
    }

    /// Last document of a block.
    func lastDocument(of block: Int) -> UInt32 {
      bytes.rawSpan.loadLittleEndian32(at: headerByteCount + block * boundByteCount)
    }

    /// Where a block's postings stand in `bytes`.
    ///
    /// - Throws: `.corrupt` when that is outside.
    func postings(of block: Int) throws(StorageError) -> Range<Int> {
      let start = postingStart + (block > 0 ? word(block - 1).end : 0)
      let end = postingStart + word(block).end
      guard start <= end, end <= byteCount else { throw PostingCode.damaged }
      return start..<end
    }

    /// Where a block's positions stand in `bytes`.
    ///
    /// - Throws: `.corrupt` when that is outside.
    func positions(of block: Int) throws(StorageError) -> Range<Int> {
      let start = positionStart + (block > 0 ? word(block - 1).positionEnd : 0)
      let end = positionStart + word(block).positionEnd
      guard start <= end, end <= byteCount else { throw PostingCode.damaged }
      return start..<end
    }

    /// Postings of a block.
    func postingCount(of block: Int) -> Int {
      Swift.min(IndexLimits.blockPostingCount, postingCount - block * IndexLimits.blockPostingCount)
    }

    private func word(_ block: Int) -> BoundWord {
      BoundWord(
        packed: bytes.rawSpan.loadLittleEndian32(at: headerByteCount + block * boundByteCount + 4))
    }

    /// Bound of a block.
    func bound(_ block: Int) -> BlockBound {
      let span = bytes.rawSpan
      let at = headerByteCount + block * boundByteCount
      var bound = BlockBound(lastDocument: span.loadLittleEndian32(at: at))
      let places = word(block).places
      let codes = span.loadLittleEndian32(at: at + 8)
      for place in 0..<4 where places >> UInt32(place) & 1 == 1 {
        bound.units[place] = Impact.units(UInt8(truncatingIfNeeded: codes >> UInt32(8 * place)))
      }
      return bound
    }

    /// Decodes a block into the two buffers, replacing their content; impacts come as units · 4 +
    /// place.
    ///
    /// - Complexity: O(128).
    func decode(_ block: Int, documents: inout [UInt32], impacts: inout [UInt32])
      throws(StorageError)
    {
      let count = postingCount(of: block)
      if documents.count != count {
        documents = Array(repeating: 0, count: count)
        impacts = documents
      }
      let last = try PostingBlock.read(
        bytes.rawSpan, try postings(of: block),
        after: block > 0 ? lastDocument(of: block - 1) : base, documents: &documents,
        impacts: &impacts)
      guard last == lastDocument(of: block) else { throw PostingCode.damaged }
    }
  }

  /// What stands before the postings of a chunk of one block.
  struct SoleHead {
    var postingCount: Int
    var base: UInt32
    var lastDocument: UInt32
    var places: UInt32
    /// As in a bound.
    var codes: UInt32 = 0
    /// Bytes of all that.
    var byteCount: Int
    /// Bytes of the postings.
    var postingByteCount: Int

    /// Reads it.
    ///
    /// - Throws: `.corrupt` when the row begins with none.
    init(_ row: borrowing RawSpan) throws(StorageError) {
      guard row.byteCount > 2 else { throw PostingCode.damaged }
      postingCount = Int(row.byte(at: 1)) + 1
      var offset = 2
      let base = try PostingCode.varint(row, &offset)
      let reach = try PostingCode.varint(row, &offset)
      guard postingCount <= IndexLimits.blockPostingCount, base <= UInt64(UInt32.max),
        reach <= UInt64(UInt32.max) - base, offset < row.byteCount
      else { throw PostingCode.damaged }
      self.base = UInt32(base)
      lastDocument = UInt32(base + reach)
      places = UInt32(row.byte(at: offset))
      offset += 1
      guard places < 16, offset + places.nonzeroBitCount <= row.byteCount else {
        throw PostingCode.damaged
      }
      for place in 0..<UInt32(4) where places >> place & 1 == 1 {
        codes |= UInt32(row.byte(at: offset)) << (8 * place)
        offset += 1
      }
      byteCount = offset
      postingByteCount = try PostingBlock.Shape(row, at: offset).byteCount(postingCount)
      let rest = row.byteCount - offset - postingByteCount
      guard rest >= 0, rest < 2_048 else { throw PostingCode.damaged }
    }
  }
}
