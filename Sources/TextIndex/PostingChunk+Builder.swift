internal import LMDB

extension PostingChunk {
  /// Grows one chunk posting by posting; can go on from a stored one.
  struct Builder: Sendable {
    /// What stands in the row about one block.
    private struct Bound: Sendable {
      var lastDocument: UInt32 = 0
      var end: UInt16 = 0
      var places: UInt16 = 0
      var codes: UInt32 = 0
    }

    private var bounds: [Bound] = []
    private var payload: [UInt8] = []
    private var base: UInt32 = 0
    private(set) var postingCount = 0
    private(set) var lastDocument: UInt32 = 0

    /// Whether nothing has been added.
    var isEmpty: Bool { postingCount == 0 }

    /// Starts an empty chunk whose first posting comes after the document given.
    mutating func begin(after document: UInt32) {
      bounds.removeAll(keepingCapacity: true)
      payload.removeAll(keepingCapacity: true)
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
            end: row.loadLittleEndian16(at: at + 4),
            places: row.loadLittleEndian16(at: at + 6),
            codes: row.loadLittleEndian32(at: at + 8)
          )
        )
      }
      let start = headerByteCount + reader.blockCount * boundByteCount
      payload.append(contentsOf: reader.bytes[start..<reader.byteCount])
      guard let last = bounds.last, Int(last.end) == payload.count else {
        throw PostingCode.damaged
      }
      postingCount = reader.postingCount
      lastDocument = reader.lastDocument
    }

    /// Whether one more posting surely fits.
    var hasRoom: Bool {
      let opens = postingCount.isMultiple(of: IndexLimits.blockPostingCount) ? 1 : 0
      let size =
        headerByteCount + (bounds.count + opens) * boundByteCount + payload.count
        + PostingCode.byteCountMax
      return size <= IndexLimits.rowByteCount
    }

    /// Adds a posting; its document must come after the last one.
    mutating func append(_ posting: Posting) {
      precondition(posting.document > lastDocument, "postings are added in order of documents")
      if postingCount.isMultiple(of: IndexLimits.blockPostingCount) { bounds.append(Bound()) }
      PostingCode.append(posting, after: lastDocument, to: &payload)
      var bound = bounds[bounds.count - 1]
      let place = UInt32(posting.impact.place)
      let shift = 8 * place
      let known = bound.places >> UInt16(place) & 1 == 1 ? bound.codes >> shift & 0xFF : 0
      bound.codes =
        bound.codes & ~(0xFF << shift) | max(known, UInt32(posting.impact.code)) << shift
      bound.places |= 1 << UInt16(place)
      bound.lastDocument = posting.document
      bound.end = UInt16(truncatingIfNeeded: payload.count)
      bounds[bounds.count - 1] = bound
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
      for bound in bounds {
        row.appendLittleEndian(bound.lastDocument)
        row.appendLittleEndian(bound.end)
        row.appendLittleEndian(bound.places)
        row.appendLittleEndian(bound.codes)
      }
      row.append(payload)
    }
  }
}
