internal import LMDB

/// Item and liveness of up to 448 neighbouring merged documents; one row.
///
/// Little-endian: how many documents there are (16 bits), how many bits each item has (8), the base
/// (64), a bit of liveness for each of the 448, then the items one after the other. Items mostly
/// rise with the documents, so what stands there is how far the item less the document's place lies
/// above the base: no bit where items and documents are numbered alike.
struct ColumnBlock: Sendable {
  private static let headByteCount = 11
  static let bitByteCount = IndexLimits.columnDocumentCount / 8
  /// Words of 64 bits of liveness in a row.
  static let wordCount = bitByteCount / 8
  /// Bits of an item that lies as far above the base as can be.
  private static let widthMax = 33
  static let byteCountMax =
    headByteCount + bitByteCount + (widthMax * IndexLimits.columnDocumentCount + 7) / 8
  /// The item less the place can be no more.
  private static let baseMax = UInt64(UInt32.max) + UInt64(IndexLimits.columnDocumentCount)
  /// Bytes read at once behind the last item.
  private static let paddingByteCount = 8

  private var bytes: [UInt8] = []
  /// How many documents it tells of.
  private(set) var count = 0
  private var width = 0
  private var base: UInt64 = 0

  /// Replaces the content by a stored row.
  /// - Throws: `.corrupt` when the row has another size than it says.
  mutating func load(_ row: borrowing RawSpan) throws(CairnError) {
    guard row.byteCount >= Self.headByteCount else { throw Self.damaged }
    let count = Int(row.loadLittleEndian16(at: 0))
    let width = Int(row.byte(at: 2))
    guard count <= IndexLimits.columnDocumentCount, width <= Self.widthMax,
      row.byteCount == Self.headByteCount + Self.bitByteCount + (count * width + 7) / 8
    else { throw Self.damaged }
    (self.count, self.width, base) = (count, width, row.loadLittleEndian64(at: 3))
    guard base <= Self.baseMax else { throw Self.damaged }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(row)
    bytes.append(contentsOf: repeatElement(0, count: Self.paddingByteCount))
  }

  /// Whether a document of a place up to 447 is the present version of its item.
  func isLive(_ slot: Int) -> Bool {
    let at = Self.headByteCount + slot >> 3
    return at < bytes.count && bytes[at] >> UInt8(slot & 7) & 1 == 1
  }

  /// The first place from one on whose document is live, in a stored row; nil when there is none.
  /// - Throws: `.corrupt` when the row is too short.
  static func firstLive(_ row: borrowing RawSpan, from slot: Int) throws(CairnError) -> Int? {
    guard row.byteCount >= headByteCount + bitByteCount else { throw damaged }
    var mask = UInt64.max << UInt64(slot & 63)
    for word in slot >> 6..<bitByteCount / 8 {
      let bits = row.loadLittleEndian64(at: headByteCount + 8 * word) & mask
      if bits != 0 { return word * 64 + bits.trailingZeroBitCount }
      mask = .max
    }
    return nil
  }

  /// A word of liveness of a stored row, one bit a document.
  /// - Throws: `.corrupt` when the row is too short.
  static func liveWord(_ row: borrowing RawSpan, _ word: Int) throws(CairnError) -> UInt64 {
    guard row.byteCount >= headByteCount + bitByteCount else { throw damaged }
    return row.loadLittleEndian64(at: headByteCount + 8 * word)
  }

  /// The item of a document.
  /// - Complexity: O(1).
  /// - Throws: `.corrupt` when the row does not tell.
  func item(_ slot: Int) throws(CairnError) -> UInt32 {
    guard slot >= 0, slot < count else { throw Self.damaged }
    return try item(slot, step(slot))
  }

  @inline(__always) private func item(_ slot: Int, _ step: UInt64) throws(CairnError) -> UInt32 {
    // Counted from 447 below, so that the base is never negative.
    let item = step &+ UInt64(slot) &- UInt64(IndexLimits.columnDocumentCount - 1)
    guard item <= UInt64(UInt32.max) else { throw Self.damaged }
    return UInt32(item)
  }

  /// Replaces numbers by the items of neighbouring documents.
  /// - Complexity: O(documents), some 2 ns each.
  /// - Throws: `.corrupt` when the row does not tell.
  func readItems(_ slots: ClosedRange<Int>, into items: inout [UInt32]) throws(CairnError) {
    guard slots.lowerBound >= 0, slots.upperBound < count else { throw Self.damaged }
    items.removeAll(keepingCapacity: true)
    let bytes = bytes.rawSpan
    for slot in slots { items.append(try item(slot, step(slot, bytes))) }
  }

  /// Visits merged documents, ascending, some hundred at a time: the first of them, and the items
  /// of that and its neighbours.
  /// - Complexity: O(documents), some 2 ns each.
  /// - Throws: `.corrupt` for a damaged row.
  static func forEach(
    in documents: ClosedRange<UInt32>, _ txn: borrowing ReadTransaction, _ tables: IndexTables,
    _ body: (_ first: UInt32, _ items: [UInt32]) -> Void
  ) throws(CairnError) {
    var next = number(of: documents.lowerBound)
    var block = ColumnBlock()
    var items: [UInt32] = []
    try txn.scan(tables.columns, from: IndexTables.key(next)) { (key, row) throws(CairnError) in
      guard key.byteCount == 4, key.loadBigEndian32(at: 0) == next else {
        throw DocumentRecord.damaged
      }
      try block.load(row)
      let first = max(documents.lowerBound, document(next, 0))
      let end = min(documents.upperBound, document(next + 1, 0) - 1)
      try block.readItems(slot(of: first)...slot(of: end), into: &items)
      body(first, items)
      next += 1
      return end < documents.upperBound
    }
    guard next > number(of: documents.upperBound) else { throw DocumentRecord.damaged }
  }

  private func step(_ slot: Int) -> UInt64 { step(slot, bytes.rawSpan) }

  /// The item less the place, of a place below `count`.
  @inline(__always) private func step(_ slot: Int, _ bytes: RawSpan) -> UInt64 {
    let bit = slot * width
    let at = Self.headByteCount + Self.bitByteCount + bit >> 3
    let word = bytes.loadLittleEndian64(at: at)
    return base &+ (word >> UInt64(bit & 7) & (1 << UInt64(width) - 1))
  }

  private static var damaged: CairnError {
    CairnError(.corrupt, "a column row of the text index is damaged; rebuild the text index")
  }

  static func number(of document: UInt32) -> UInt32 {
    document / UInt32(IndexLimits.columnDocumentCount)
  }

  /// The document of a place in the block of a number.
  static func document(_ number: UInt32, _ slot: Int) -> UInt32 {
    number * UInt32(IndexLimits.columnDocumentCount) + UInt32(slot)
  }

  static func slot(of document: UInt32) -> Int {
    Int(document % UInt32(IndexLimits.columnDocumentCount))
  }

  /// A block that changes.
  struct Builder: Sendable {
    /// By place: the item less the place, from 447 below.
    private var steps = [UInt64](repeating: none, count: IndexLimits.columnDocumentCount)
    private var bits = [UInt8](repeating: 0, count: bitByteCount)

    private static let none = UInt64.max

    mutating func removeAll() {
      for slot in steps.indices { steps[slot] = Self.none }
      for at in bits.indices { bits[at] = 0 }
    }

    /// Goes on from a stored block.
    /// - Throws: `.corrupt` when it tells of items that cannot be.
    mutating func resume(_ block: ColumnBlock) throws(CairnError) {
      removeAll()
      for slot in 0..<block.count {
        steps[slot] = block.step(slot)
        // Carried on, it would make a row that nobody can read.
        guard steps[slot] <= baseMax else { throw damaged }
      }
      for at in bits.indices { bits[at] = block.bytes[headByteCount + at] }
    }

    /// Enters a live document.
    mutating func set(_ slot: Int, item: UInt32) {
      bits[slot >> 3] |= 1 << UInt8(slot & 7)
      steps[slot] = UInt64(item) + UInt64(IndexLimits.columnDocumentCount - 1 - slot)
    }

    /// Marks a document ended.
    mutating func clear(_ slot: Int) { bits[slot >> 3] &= ~(1 << UInt8(slot & 7)) }

    /// Makes a writer hold the row.
    func write(to row: inout ByteWriter) {
      let count = (steps.lastIndex { $0 != Self.none } ?? -1) + 1
      var base = UInt64.max
      var most: UInt64 = 0
      for step in steps where step != Self.none {
        base = min(base, step)
        most = max(most, step)
      }
      if count == 0 { base = 0 }
      let width = count == 0 ? 0 : UInt64.bitWidth - (most - base).leadingZeroBitCount
      row.removeAll()
      row.appendLittleEndian(UInt16(truncatingIfNeeded: count))
      row.append(UInt8(truncatingIfNeeded: width))
      row.appendLittleEndian(base)
      row.append(bits)
      var packer = BitPacker()
      for slot in 0..<count {
        // The first number is no document's.
        let step = steps[slot] == Self.none ? 0 : steps[slot] - base
        packer.append(UInt32(truncatingIfNeeded: step), min(width, 32), to: &row)
        if width > 32 { packer.append(UInt32(step >> 32), width - 32, to: &row) }
      }
      packer.finish(to: &row)
    }
  }
}

/// Writes columns block by block, keeping the present block in memory.
struct ColumnWriter: Sendable {
  private var block = ColumnBlock.Builder()
  private var stored = ColumnBlock()
  private var number: UInt32?
  private var isChanged = false
  /// Whether the table ends before the present block.
  private var isLast = false

  /// Makes a block the present one.
  private mutating func move(
    to target: UInt32, _ txn: inout WriteTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    guard number != target else { return }
    try write(&txn, tables)
    if let row = try txn.reader.get(tables.columns, IndexTables.key(target)) {
      try stored.load(row)
      try block.resume(stored)
      isLast = false
    } else {
      block.removeAll()
      isLast = try Self.ends(before: target, txn.reader, tables)
    }
    number = target
  }

  /// Enters a live document.
  mutating func set(
    _ document: UInt32, item: UInt32, _ txn: inout WriteTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    try move(to: ColumnBlock.number(of: document), &txn, tables)
    block.set(ColumnBlock.slot(of: document), item: item)
    isChanged = true
  }

  /// Marks a document ended.
  mutating func clear(_ document: UInt32, _ txn: inout WriteTransaction, _ tables: IndexTables)
    throws(CairnError)
  {
    try move(to: ColumnBlock.number(of: document), &txn, tables)
    block.clear(ColumnBlock.slot(of: document))
    isChanged = true
  }

  mutating func write(_ txn: inout WriteTransaction, _ tables: IndexTables) throws(CairnError) {
    guard isChanged, let number else { return }
    let key = IndexTables.key(number)
    var row = ByteWriter(capacity: ColumnBlock.byteCountMax)
    block.write(to: &row)
    if isLast {
      // Behind all others it fills its page to the brim; put among them it may not.
      try txn.append(tables.columns, key.rawSpan, row.bytes)
      isLast = false
    } else {
      try txn.put(tables.columns, key.rawSpan, row.bytes)
    }
    isChanged = false
  }

  private static func ends(
    before target: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> Bool {
    var cursor = try txn.cursor(tables.columns)
    guard let last = try cursor.last() else { return true }
    guard last.key.byteCount == 4 else { throw DocumentRecord.damaged }
    return last.key.loadBigEndian32(at: 0) < target
  }
}
