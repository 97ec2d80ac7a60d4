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

    /// Of the complete blocks.
    private var bounds: [Bound] = []
    /// Postings of the complete blocks.
    private var payload = ByteWriter(capacity: IndexLimits.rowByteCount)
    /// Positions of all blocks.
    private var positions = ByteWriter(capacity: IndexLimits.rowByteCount)
    /// The block that grows, empty only before the first posting.
    private var open = PostingBlock()
    private var openRanks = PlaceRanks()
    private var base: UInt32 = 0
    /// What a stored chunk is read with, kept for its room.
    private var chunk = Reader()
    private var documents: [UInt32] = []
    private var impacts: [UInt32] = []
    private(set) var lastDocument: UInt32 = 0

    var postingCount: Int { bounds.count * IndexLimits.blockPostingCount + open.count }

    /// Whether nothing has been added.
    var isEmpty: Bool { open.count == 0 }

    /// Starts an empty chunk whose first posting comes after the document given.
    mutating func begin(after document: UInt32) {
      bounds.removeAll(keepingCapacity: true)
      payload.removeAll()
      positions.removeAll()
      beginBlock()
      base = document
      lastDocument = document
    }

    private mutating func beginBlock() {
      open.removeAll()
      openRanks = PlaceRanks()
    }

    /// Goes on from a stored chunk.
    /// - Complexity: O(bytes).
    mutating func resume(_ row: borrowing RawSpan) throws(CairnError) {
      try chunk.load(row)
      begin(after: chunk.base)
      let last = chunk.blockCount - 1
      try chunk.decode(last, documents: &documents, impacts: &impacts)
      // A copy, as the rest of this value changes while it is read.
      let source = chunk.bytes
      let bytes = source.rawSpan
      for block in 0..<last {
        let at = block * boundByteCount
        bounds.append(
          Bound(
            lastDocument: bytes.loadLittleEndian32(at: at),
            word: BoundWord(packed: bytes.loadLittleEndian32(at: at + 4)),
            codes: bytes.loadLittleEndian32(at: at + 8)))
      }
      let postings = try chunk.postings(of: last)
      payload.append(bytes.extracting(chunk.postingStart..<postings.lowerBound))
      positions.append(bytes.extracting(chunk.positionStart..<chunk.byteCount))
      lastDocument = bounds.last?.lastDocument ?? base
      for index in documents.indices {
        let document = documents[index]
        guard document > lastDocument else { throw IndexDamage.postings }
        include(Posting(document: document, impact: Impact(decoded: impacts[index])))
      }
    }

    /// Whether one more posting fits, with so many bytes of positions, a row of at most so many;
    /// its document must come after the last one.
    @inline(__always) func hasRoom(
      for posting: Posting, positionByteCount: Int, rowByteCount: Int = IndexLimits.rowByteCount
    ) -> Bool {
      let gap = posting.document &- lastDocument &- 1
      var size = closedByteCount + positionByteCount
      if open.count == IndexLimits.blockPostingCount {
        // The block is closed, and the posting begins another.
        size += open.byteCount + boundByteCount
        size += PostingBlock.headByteCount + PostingBlock.postingByteCountMax
      } else {
        size += open.byteCount(adding: gap, posting.impact)
      }
      return size <= rowByteCount
    }

    /// Adds a posting with its run of positions, at most `PositionCode.inlineByteCountMax` bytes;
    /// its document must come after the last one.
    mutating func append(_ posting: Posting, _ run: borrowing RawSpan) {
      precondition(posting.document > lastDocument, "postings are added in order of documents")
      if open.count == IndexLimits.blockPostingCount { closeBlock() }
      include(posting)
      // Most runs are a byte or two.
      if run.byteCount <= 4 {
        for at in 0..<run.byteCount { positions.append(run.byte(at: at)) }
      } else {
        positions.append(copy run)
      }
    }

    /// Bytes of the row without the postings of the block that grows.
    private var closedByteCount: Int {
      headByteCountMax + bounds.count * boundByteCount + payload.count + positions.count
    }

    /// How many postings the block that grows has room for.
    var openRoom: Int { IndexLimits.blockPostingCount - open.count }

    /// Adds a range of at most ``openRoom`` postings with their runs of positions, or none when a
    /// row of at most so many bytes has no room for them.
    ///
    /// `impacts` are as a decoded block has them; documents must rise, and come after the last one.
    mutating func append(
      _ documents: [UInt32], _ impacts: [UInt32], _ range: Range<Int>, _ runs: borrowing RawSpan,
      rowByteCount: Int = IndexLimits.rowByteCount
    ) -> Bool {
      let known = (open.extent, lastDocument, openRanks)
      for index in range {
        precondition(documents[index] > lastDocument, "postings are added in order of documents")
        include(Posting(document: documents[index], impact: Impact(decoded: impacts[index])))
      }
      guard closedByteCount + runs.byteCount + open.byteCount <= rowByteCount else {
        open.takeBack(to: known.0)
        (_, lastDocument, openRanks) = known
        return false
      }
      positions.append(copy runs)
      return true
    }

    @inline(__always) private mutating func include(_ posting: Posting) {
      open.append(posting.document &- lastDocument &- 1, posting.impact)
      lastDocument = posting.document
      openRanks.include(posting.impact)
    }

    /// Makes the block that grows one of the complete ones.
    private mutating func closeBlock() {
      open.write(to: &payload)
      let (places, codes) = openRanks.marks
      let word = BoundWord(end: payload.count, positionEnd: positions.count, places: places)
      bounds.append(Bound(lastDocument: lastDocument, word: word, codes: codes))
      beginBlock()
    }

    /// Writes the row of at least one posting.
    func write(to row: inout ByteWriter) {
      row.removeAll()
      guard !isEmpty else { return }
      row.append(version)
      row.append(UInt8(truncatingIfNeeded: bounds.count + 1))
      row.appendVarint(UInt64(postingCount))
      row.appendVarint(UInt64(base))
      row.appendVarint(UInt64(lastDocument - base))
      for bound in bounds {
        row.appendLittleEndian(bound.lastDocument)
        row.appendLittleEndian(bound.word.packed)
        row.appendLittleEndian(bound.codes)
      }
      let (places, codes) = openRanks.marks
      row.append(UInt8(truncatingIfNeeded: places))
      for place in 0..<UInt32(4) where places >> place & 1 == 1 {
        row.append(UInt8(truncatingIfNeeded: codes >> (8 * place)))
      }
      row.append(payload)
      open.write(to: &row)
      row.append(positions)
    }
  }
}
