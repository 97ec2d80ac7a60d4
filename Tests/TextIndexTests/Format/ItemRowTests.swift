import LMDB
import TestSupport
import Testing

@testable import TextIndex

@Suite("Items and columns give back what was written") struct ItemRowTests {
  @Test(arguments: 0..<40) func `items of few and many versions`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let counts: [ClosedRange<UInt32>] = [0...1, 0...254, 200...300, 0...UInt32.max]
    let entries = (0..<IndexLimits.itemRowCount).map { _ in
      ItemEntry(
        UInt32.random(in: 0...UInt32.max, using: &random),
        DocumentRecord.Version(
          number: UInt32.random(in: counts[seed % 4], using: &random),
          content: UInt64.random(in: 0...UInt64.max, using: &random)))
    }
    var row = ByteWriter()
    ItemBlock.write(entries[...], to: &row)
    var found: [ItemEntry] = []
    try ItemBlock.read(row.bytes, into: &found)
    #expect(found == entries)
    if seed % 4 < 2 { #expect(row.count == ItemBlock.byteCount) }
    for count in [0, row.count - 1, row.count / 2] {
      #expect(throws: CairnError.self) {
        try ItemBlock.read(row.bytes.extracting(..<count), into: &found)
      }
    }
  }

  /// Items in the order of documents, in no order, far apart, and at both ends of the numbers.
  @Test(arguments: 0..<40) func `columns of any items`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 1...IndexLimits.columnDocumentCount, using: &random)
    let first = Int.random(in: 0...1, using: &random)
    var items: [Int: UInt32] = [:]
    var ended: Set<Int> = []
    var builder = ColumnBlock.Builder()
    var row = ByteWriter()
    var block = ColumnBlock()
    for slot in first..<max(count, first + 1) {
      items[slot] =
        switch seed % 4 {
        case 0: UInt32(slot + 7_000)
        case 1: UInt32.random(in: 0...1_000_000, using: &random)
        case 2: UInt32.random(in: 0...UInt32.max, using: &random)
        default: [0, UInt32.max].randomElement(using: &random) ?? 0
        }
      builder.set(slot, item: items[slot] ?? 0)
      if Bool.random(using: &random) {
        builder.clear(slot)
        ended.insert(slot)
      }
      guard slot % 50 == 7 else { continue }
      // Stored and gone on with.
      builder.write(to: &row)
      try block.load(row.bytes)
      builder = ColumnBlock.Builder()
      try builder.resume(block)
    }
    builder.write(to: &row)
    try block.load(row.bytes)
    for (slot, item) in items {
      #expect(try block.item(slot) == item)
      #expect(block.isLive(slot) == !ended.contains(slot))
    }
    #expect(throws: CairnError.self) { try block.item(block.count) }
    if seed % 4 == 0 { #expect(row.count < 70 + IndexLimits.columnDocumentCount / 8) }
    #expect(row.count <= ColumnBlock.byteCountMax)
    var damaged = ColumnBlock()
    for length in 0..<row.count {
      #expect(throws: CairnError.self) { try damaged.load(row.bytes.extracting(..<length)) }
    }
  }
}
