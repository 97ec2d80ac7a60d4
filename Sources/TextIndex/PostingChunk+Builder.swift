internal import LMDB

extension PostingChunk {
  /// Grows one chunk posting by posting; can go on from a stored one.
  struct Builder: ~Copyable {
    /// What stands in the row about one block.
    private struct Bound: Sendable {
      var lastDocument: UInt32 = 0
      var word = BoundWord(packed: 0)
      var codes: UInt32 = 0
    }

    private var bounds: [Bound] = []
    /// The bound of the last block, which stands in `bounds` only when the block is full.
    private var open = Bound()
    private var payload = ByteWriter(capacity: IndexLimits.rowByteCount)
    private var positions = ByteWriter(capacity: IndexLimits.rowByteCount)
    private var base: UInt32 = 0
    private(set) var postingCount = 0
    private(set) var lastDocument: UInt32 = 0

    /// Whether nothing has been added.
    var isEmpty: Bool { postingCount == 0 }

    /// Starts an empty chunk whose first posting comes after the document given.
    mutating func begin(after document: UInt32) {
      bounds.removeAll(keepingCapacity: true)
      payload.removeAll()
      positions.removeAll()
      base = document
      lastDocument = document
      postingCount = 0
    }

    /// Goes on from a stored chunk.
    mutating func resume(_ row: borrowing RawSpan) throws(StorageError) {
      var reader = Reader()
      try reader.load(row)
      begin(after: reader.base)
      for block in 0..<reader.blockCount {
        let at = headerByteCount + block * boundByteCount
        bounds.append(
          Bound(
            lastDocument: row.loadLittleEndian32(at: at),
            word: BoundWord(packed: row.loadLittleEndian32(at: at + 4)),
            codes: row.loadLittleEndian32(at: at + 8)
          )
        )
      }
      open = bounds[bounds.count - 1]
      payload.append(reader.bytes.rawSpan.extracting(reader.postingStart..<reader.positionStart))
      positions.append(reader.bytes.rawSpan.extracting(reader.positionStart..<reader.byteCount))
      postingCount = reader.postingCount
      lastDocument = reader.lastDocument
    }

    /// Whether one more posting surely fits, with so many bytes of positions, a row of at most so many.
    func hasRoom(
      positionByteCount: Int,
      rowByteCount: Int = IndexLimits.rowByteCount
    ) -> Bool {
      let opens = postingCount.isMultiple(of: IndexLimits.blockPostingCount) ? 1 : 0
      let size =
        headerByteCount + (bounds.count + opens) * boundByteCount + payload.count
        + PostingCode.byteCountMax + positions.count + positionByteCount
      return size <= rowByteCount
    }

    /// Adds a posting with its run of positions, at most `PositionCode.inlineByteCountMax` bytes;
    /// its document must come after the last one.
    mutating func append(_ posting: Posting, _ run: borrowing RawSpan) {
      precondition(posting.document > lastDocument, "postings are added in order of documents")
      if postingCount.isMultiple(of: IndexLimits.blockPostingCount) {
        if !bounds.isEmpty { bounds[bounds.count - 1] = open }
        open = Bound()
        bounds.append(open)
      }
      PostingCode.append(posting, after: lastDocument, to: &payload)
      // Most runs are a byte or two.
      if run.byteCount <= 4 {
        for at in 0..<run.byteCount { positions.append(run.byte(at: at)) }
      } else {
        positions.append(copy run)
      }
      let place = UInt32(posting.impact.place)
      let shift = 8 * place
      let places = open.word.places
      let known = places >> place & 1 == 1 ? open.codes >> shift & 0xFF : 0
      open.codes =
        open.codes & ~(0xFF << shift) | max(known, UInt32(posting.impact.code)) << shift
      open.word = BoundWord(
        end: payload.count,
        positionEnd: positions.count,
        places: places | 1 << place
      )
      open.lastDocument = posting.document
      lastDocument = posting.document
      postingCount += 1
    }

    /// Writes the row.
    func write(to row: inout ByteWriter) {
      row.removeAll()
      row.append(version)
      row.append(UInt8(truncatingIfNeeded: bounds.count))
      row.appendLittleEndian(UInt16(truncatingIfNeeded: postingCount))
      row.appendLittleEndian(base)
      row.appendLittleEndian(lastDocument)
      for bound in bounds.dropLast() { Self.write(bound, to: &row) }
      if !bounds.isEmpty { Self.write(open, to: &row) }
      row.append(payload.bytes)
      row.append(positions.bytes)
    }

    private static func write(_ bound: Bound, to row: inout ByteWriter) {
      row.appendLittleEndian(bound.lastDocument)
      row.appendLittleEndian(bound.word.packed)
      row.appendLittleEndian(bound.codes)
    }
  }
}
