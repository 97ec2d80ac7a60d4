import LMDB

/// A column in memory, block by block as narrow as it is stored.
package final class ColumnData: Sendable {
  /// Where a block stands; a missing one tells of no items.
  struct Block {
    var width = 1
    var isMulti = false
    var hasElsewhere = false
    /// Items told of.
    var count = 0
    /// Index of the first number in the numbers of its width.
    var start = 0
    /// Index in `counts` and `ends` of the first item, where items have several values.
    var listStart = 0
    var base: UInt64 = ColumnCode.first
    var span: UInt64 = 0
  }

  /// Whether codes number texts.
  package let hasTexts: Bool
  /// Texts that were numbered.
  package let textCount: Int
  /// Unicode scalars that no text has more of.
  package let scalarCountMax: Int
  /// Rises when the column changes.
  package let stamp: UInt64
  /// The least and the greatest code; nil for no values.
  package let bounds: ClosedRange<UInt64>?
  let blocks: [Block]
  /// Whether some items may have several values.
  let hasLists: Bool
  let bytes: [UInt8]
  let halves: [UInt16]
  let words: [UInt32]
  let longs: [UInt64]
  /// Of blocks whose items have several values: how many, and where they end behind the start.
  let counts: [UInt8]
  let ends: [UInt32]

  /// What it takes in memory.
  package var byteCount: Int {
    bytes.count + halves.count * 2 + words.count * 4 + longs.count * 8 + counts.count
      + ends.count * 4 + blocks.count * MemoryLayout<Block>.stride
  }

  init(_ columns: Columns, _ column: Int, _ info: ColumnInfo, in txn: borrowing ReadTransaction)
    throws(CairnError)
  {
    var loader = ColumnLoader()
    var value = ByteWriter(capacity: 1 << 14)
    var cursor = try txn.cursor(columns.blocks)
    var from: UInt32? = Columns.number(column, block: 0)
    while let number = try Parted.nextNumbered(&cursor, from: from, into: &value),
      Int(number >> 22) == column
    {
      from = nil
      try loader.add(Int(number & (1 << 22 - 1)), value.bytes)
    }
    hasTexts = info.hasTexts
    textCount = Int(info.textCount)
    scalarCountMax = Int(info.scalarCountMax)
    stamp = info.stamp
    bounds = loader.bounds
    hasLists = loader.blocks.contains(where: \.isMulti)
    (blocks, bytes, halves, words) = (loader.blocks, loader.bytes, loader.halves, loader.words)
    (longs, counts, ends) = (loader.longs, loader.counts, loader.ends)
  }

  @inline(__always) private func number(_ block: Block, _ index: Int) -> UInt64 {
    switch block.width {
    case 1: UInt64(bytes[block.start + index])
    case 2: UInt64(halves[block.start + index])
    case 4: UInt64(words[block.start + index])
    default: longs[block.start + index]
    }
  }

  /// Calls the body with each code of an item, ascending; with `ColumnCode.none` where it has none,
  /// with `.elsewhere` where the column cannot tell.
  @inline(__always) func visit(_ item: UInt32, _ body: (UInt64) -> Void) {
    visit(block(of: item), item, body)
  }

  /// The block that an item stands in; an empty one behind the last.
  @inline(__always) private func block(of item: UInt32) -> Block {
    let number = Int(item) / ColumnBlock.itemCount
    return number < blocks.count ? blocks[number] : Block()
  }

  @inline(__always) private func visit(_ block: Block, _ item: UInt32, _ body: (UInt64) -> Void) {
    let slot = Int(item) % ColumnBlock.itemCount
    guard slot < block.count else { return body(ColumnCode.none) }
    guard block.isMulti else {
      let stored = self.number(block, slot)
      return body(stored < ColumnCode.first ? stored : block.base + (stored - ColumnCode.first))
    }
    let count = counts[block.listStart + slot]
    if count == 0 { return body(ColumnCode.none) }
    if count == ColumnBlock.elsewhere { return body(ColumnCode.elsewhere) }
    let end = Int(ends[block.listStart + slot])
    for index in end - Int(count)..<end { body(block.base + self.number(block, index)) }
  }

  /// As `forEachCode`, where no item has several values.
  /// - Complexity: O(items), a nanosecond or two each.
  @inline(__always) private func forEachOne(
    of items: [UInt32], _ body: (_ item: UInt32, _ code: UInt64) -> Void
  ) {
    var at = 0
    while at < items.count {
      let number = Int(items[at]) / ColumnBlock.itemCount
      var end = at + 1
      while end < items.count, Int(items[end]) / ColumnBlock.itemCount == number { end += 1 }
      let block = self.block(of: items[at])
      switch block.width {
      case 1: Self.read(bytes, block, items, at..<end, body)
      case 2: Self.read(halves, block, items, at..<end, body)
      case 4: Self.read(words, block, items, at..<end, body)
      default: Self.read(longs, block, items, at..<end, body)
      }
      at = end
    }
  }

  @inline(__always) private static func read<Number: FixedWidthInteger & UnsignedInteger>(
    _ numbers: [Number], _ block: Block, _ items: [UInt32], _ range: Range<Int>,
    _ body: (_ item: UInt32, _ code: UInt64) -> Void
  ) {
    let (numbers, items) = (numbers.span, items.span)
    let first = ColumnCode.first
    for index in range {
      let slot = Int(items[index]) % ColumnBlock.itemCount
      let stored = slot < block.count ? UInt64(numbers[block.start + slot]) : ColumnCode.none
      body(items[index], stored < first ? stored : block.base &+ (stored - first))
    }
  }

  /// Calls the body with each code of each item, item by item; with `ColumnCode.none` for an item
  /// without, with `.elsewhere` where the column cannot tell.
  /// - Complexity: O(items), some nanoseconds each.
  @inline(__always) package func forEachCode(
    of items: [UInt32], _ body: (_ item: UInt32, _ code: UInt64) -> Void
  ) {
    guard hasLists else { return forEachOne(of: items, body) }
    var block = Block()
    var number = -1
    for item in items {
      // Neighbours mostly stand in one block.
      if Int(item) / ColumnBlock.itemCount != number {
        number = Int(item) / ColumnBlock.itemCount
        block = self.block(of: item)
      }
      visit(block, item) { body(item, $0) }
    }
  }
}

private struct ColumnLoader {
  var blocks: [ColumnData.Block] = []
  var bounds: ClosedRange<UInt64>?
  var bytes: [UInt8] = []
  var halves: [UInt16] = []
  var words: [UInt32] = []
  var longs: [UInt64] = []
  var counts: [UInt8] = []
  var ends: [UInt32] = []

  mutating func add(_ number: Int, _ row: borrowing RawSpan) throws(CairnError) {
    guard number >= blocks.count else { throw Columns.damaged }
    let head = try ColumnBlock.Head(row)
    blocks.append(contentsOf: repeatElement(.init(), count: number - blocks.count))
    var block = ColumnData.Block()
    (block.width, block.isMulti, block.count) = (head.width, head.isMulti, head.count)
    (block.base, block.span, block.hasElsewhere) = (head.base, head.span, head.hasElsewhere)
    block.listStart = counts.count
    let last = head.base + head.span
    bounds = min(bounds?.lowerBound ?? head.base, head.base)...max(bounds?.upperBound ?? last, last)
    var start = ColumnBlock.headByteCount
    var total = head.count
    if head.isMulti {
      guard row.byteCount >= start + head.count else { throw Columns.damaged }
      total = 0
      for slot in 0..<head.count {
        let count = row.byte(at: start + slot)
        if count != ColumnBlock.elsewhere { total += Int(count) }
        counts.append(count)
        ends.append(UInt32(total))
      }
      start += head.count
    }
    block.start =
      switch head.width {
      case 1: bytes.count
      case 2: halves.count
      case 4: words.count
      default: longs.count
      }
    blocks.append(block)
    try ColumnBlock.read(row, from: start, total, head) { number in
      switch head.width {
      case 1: bytes.append(UInt8(truncatingIfNeeded: number))
      case 2: halves.append(UInt16(truncatingIfNeeded: number))
      case 4: words.append(UInt32(truncatingIfNeeded: number))
      default: longs.append(number)
      }
    }
  }
}
