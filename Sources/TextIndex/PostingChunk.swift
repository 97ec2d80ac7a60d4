internal import LMDB

/// A run of a term's postings in one row: header, one bound per 128 postings, postings, positions.
///
/// Header, 12 bytes, little-endian: version 2, block count, posting count (16 bits), document before
/// the first (32), last document (32). A bound takes 12 bytes: last document (32), offsets of the
/// block's end in the postings (11 bits) and in the positions (11), places in the title that occur
/// (4, one bit each), and per place the code of the greatest impact (8 each). Positions are a
/// `PositionCode` run for each posting. Documents stand only in header and bounds, so a chunk whose
/// documents all move by as much keeps its other bytes.
enum PostingChunk {
  static let version: UInt8 = 2
  static let headerByteCount = 12
  static let boundByteCount = 12
  private static let paddingByteCount =
    IndexLimits.blockPostingCount * PostingCode.byteCountMax

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
        UInt32(truncatingIfNeeded: end) & 0x7FF
        | (UInt32(truncatingIfNeeded: positionEnd) & 0x7FF) << 11 | places << 22
    }
  }

  /// Bounds and decodes the blocks of one chunk; holds a copy of the row.
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
      guard row.byteCount >= headerByteCount, row.byte(at: 0) == version else {
        throw PostingCode.damaged
      }
      blockCount = Int(row.byte(at: 1))
      postingCount = Int(row.loadLittleEndian16(at: 2))
      base = row.loadLittleEndian32(at: 4)
      lastDocument = row.loadLittleEndian32(at: 8)
      guard blockCount > 0, headerByteCount + blockCount * boundByteCount <= row.byteCount,
        postingCount > (blockCount - 1) * IndexLimits.blockPostingCount,
        postingCount <= blockCount * IndexLimits.blockPostingCount
      else { throw PostingCode.damaged }
      byteCount = row.byteCount
      let last = BoundWord(packed: row.loadLittleEndian32(at: postingStart - 8))
      positionStart = postingStart + last.end
      guard positionStart + last.positionEnd == byteCount else { throw PostingCode.damaged }
      // A block of garbage is read into the padding at worst, and found out by its end.
      if bytes.count < byteCount + paddingByteCount {
        let room = max(byteCount, IndexLimits.rowByteCount) + paddingByteCount
        bytes = Array(repeating: 0, count: room)
      }
      unsafe bytes.withUnsafeMutableBytes { bytes in
        // SAFETY: the row is read before the closure ends, and the lines above made room for it.
        unsafe row.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
      }
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
      Swift.min(
        IndexLimits.blockPostingCount,
        postingCount - block * IndexLimits.blockPostingCount
      )
    }

    private func word(_ block: Int) -> BoundWord {
      BoundWord(
        packed: bytes.rawSpan.loadLittleEndian32(at: headerByteCount + block * boundByteCount + 4)
      )
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
    func decode(
      _ block: Int,
      documents: inout [UInt32],
      impacts: inout [UInt32]
    ) throws(StorageError) {
      let span = bytes.rawSpan
      let payload = postingStart
      var offset = payload
      var previous = base
      if block > 0 {
        offset += word(block - 1).end
        previous = lastDocument(of: block - 1)
      }
      let count = postingCount(of: block)
      guard offset <= byteCount else { throw PostingCode.damaged }
      if documents.count != count {
        documents = Array(repeating: 0, count: count)
        impacts = documents
      }
      unsafe documents.withUnsafeMutableBufferPointer { documents in
        unsafe impacts.withUnsafeMutableBufferPointer { impacts in
          unsafe bytes.withUnsafeBufferPointer { bytes in
            // SAFETY: a posting takes at most `byteCountMax` bytes and the row is padded by as many
            // for each posting of a block, so every read is inside `bytes`; both buffers have
            // `count` elements.
            for index in 0..<count {
              let posting = unsafe PostingCode.readPadded(bytes, &offset, after: previous)
              previous = posting.document
              unsafe documents[index] = posting.document
              unsafe impacts[index] = posting.impact.units << 2 | UInt32(posting.impact.place)
            }
          }
        }
      }
      let at = headerByteCount + block * boundByteCount
      guard previous == span.loadLittleEndian32(at: at),
        offset - payload == word(block).end
      else { throw PostingCode.damaged }
    }
  }
}
