internal import LMDB

extension PostingChunk {
  /// Grows one chunk posting by posting; can go on from a stored one.
  struct Builder: Sendable {
    private var bounds: [BlockBound] = []
    private var ends: [Int] = []
    private var payload: [UInt8] = []
    private var base: UInt32 = 0
    private(set) var postingCount = 0
    private(set) var lastDocument: UInt32 = 0

    /// Whether nothing has been added.
    var isEmpty: Bool { postingCount == 0 }

    /// Starts an empty chunk whose first posting comes after the document given.
    mutating func begin(after document: UInt32) {
      bounds.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
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
        bounds.append(reader.bound(block))
        let at = headerByteCount + block * boundByteCount + 4
        ends.append(Int(row.loadLittleEndian16(at: at)))
      }
      let start = headerByteCount + reader.blockCount * boundByteCount
      payload.append(contentsOf: reader.bytes[start...])
      guard ends.last == payload.count else { throw PostingCode.damaged }
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
    mutating func append(_ posting: Posting, _ lengths: FieldLengths) {
      precondition(posting.document > lastDocument, "postings are added in order of documents")
      if postingCount.isMultiple(of: IndexLimits.blockPostingCount) {
        bounds.append(.empty)
        ends.append(0)
      }
      PostingCode.append(posting, after: lastDocument, to: &payload)
      bounds[bounds.count - 1].include(posting, lengths)
      ends[ends.count - 1] = payload.count
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
      for (bound, end) in zip(bounds, ends) {
        row.appendLittleEndian(bound.lastDocument)
        row.appendLittleEndian(UInt16(truncatingIfNeeded: end))
        row.append(bound.place)
        row.append(UInt8(0))
        row.appendLittleEndian(bound.frequencies)
        row.appendLittleEndian(bound.lengths)
      }
      row.append(payload)
    }
  }
}
