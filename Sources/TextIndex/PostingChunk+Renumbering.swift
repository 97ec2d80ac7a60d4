internal import LMDB

extension PostingChunk {
  /// Makes a chunk of another one whose documents get other numbers, or go.
  ///
  /// What stays keeps impact and positions byte for byte, so neither is decoded.
  struct Renumbering: ~Copyable {
    private let numbers: DocumentRanks
    private var bounds = ByteWriter(capacity: 256)
    private var payload = ByteWriter(capacity: IndexLimits.rowByteCount)
    private var positions = ByteWriter(capacity: IndexLimits.rowByteCount)
    private var places: UInt32 = 0
    private var codes: UInt32 = 0
    private var base: UInt32 = 0
    /// Postings that stay.
    private(set) var postingCount = 0
    /// New number of the last document that stays.
    private(set) var lastDocument: UInt32 = 0

    init(_ numbers: DocumentRanks) { self.numbers = numbers }

    /// Bytes of the row.
    var byteCount: Int {
      headerByteCount + bounds.count + payload.count + positions.count
    }

    /// Takes what stays of a chunk, behind the new number given.
    ///
    /// - Complexity: O(postings), some 10 ns each.
    /// - Throws: `.corrupt` when the chunk is damaged.
    mutating func load(
      _ chunk: borrowing Reader,
      after document: UInt32
    ) throws(StorageError) {
      bounds.removeAll()
      payload.removeAll()
      positions.removeAll()
      places = 0
      codes = 0
      base = document
      lastDocument = document
      postingCount = 0
      for block in 0..<chunk.blockCount { try add(block, of: chunk) }
      if places != 0 { writeBound() }
    }

    private mutating func add(
      _ block: Int,
      of chunk: borrowing Reader
    ) throws(StorageError) {
      let bytes = chunk.bytes.rawSpan
      let source = try chunk.postings(of: block)
      let runs = try chunk.positions(of: block)
      var offset = source.lowerBound
      var run = runs.lowerBound
      var copied = run
      var previous = block > 0 ? chunk.lastDocument(of: block - 1) : chunk.base
      for _ in 0..<chunk.postingCount(of: block) {
        let posting = try PostingCode.read(bytes, &offset, after: previous)
        previous = posting.document
        let start = run
        try PositionCode.skip(1, bytes, &run, end: runs.upperBound)
        guard previous < numbers.count, run - start <= PositionCode.inlineByteCountMax else {
          throw PostingCode.damaged
        }
        let number = numbers[previous]
        guard number != 0 else {
          positions.append(bytes.extracting(copied..<start))
          copied = run
          continue
        }
        guard number > lastDocument else { throw PostingCode.damaged }
        add(number, posting.impact)
        if postingCount.isMultiple(of: IndexLimits.blockPostingCount) {
          positions.append(bytes.extracting(copied..<run))
          copied = run
          writeBound()
        }
      }
      positions.append(bytes.extracting(copied..<run))
      guard offset == source.upperBound, run == runs.upperBound,
        previous == chunk.lastDocument(of: block)
      else { throw PostingCode.damaged }
    }

    @inline(__always)
    private mutating func add(_ number: UInt32, _ impact: Impact) {
      let place = UInt32(impact.place)
      payload.appendVarint(UInt64(number &- lastDocument &- 1) << 2 | UInt64(place))
      payload.append(impact.code)
      let shift = 8 * place
      let code = max(codes >> shift & 0xFF, UInt32(impact.code))
      codes = codes & ~(0xFF << shift) | code << shift
      places |= 1 << place
      lastDocument = number
      postingCount += 1
    }

    private mutating func writeBound() {
      bounds.appendLittleEndian(lastDocument)
      let word = BoundWord(end: payload.count, positionEnd: positions.count, places: places)
      bounds.appendLittleEndian(word.packed)
      bounds.appendLittleEndian(codes)
      places = 0
      codes = 0
    }

    /// Writes the row; there must be a posting that stays.
    func write(to row: inout ByteWriter) {
      row.removeAll()
      row.append(version)
      row.append(UInt8(truncatingIfNeeded: bounds.count / boundByteCount))
      row.appendLittleEndian(UInt16(truncatingIfNeeded: postingCount))
      row.appendLittleEndian(base)
      row.appendLittleEndian(lastDocument)
      row.append(bounds.bytes)
      row.append(payload.bytes)
      row.append(positions.bytes)
    }
  }
}
