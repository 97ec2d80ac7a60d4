package import Projections
import Values

/// The items whose values lie in a range.
package struct ColumnMatches: Sendable {
  /// Items of which some value lies in it.
  package var items: ItemSet
  /// Items of which the column cannot tell; nil for none.
  package var unsure: ItemSet?
}

extension ColumnData {
  /// The items that have a code in a range; of nil those of which the column cannot tell alone.
  ///
  /// Blocks whose codes all lie outside are passed over.
  /// - Complexity: O(items), a fraction of a nanosecond each.
  package func items(with codes: ClosedRange<UInt64>?) -> ColumnMatches {
    let wordCount = blocks.count * ColumnBlock.itemCount / 64
    var matches = ColumnMatches(items: ItemSet(wordCount: wordCount), unsure: nil)
    // A byte for each item: what compares vectors writes bytes, what packs them reads eight.
    var flags = [UInt8](repeating: 0, count: ColumnBlock.itemCount)
    for (number, block) in blocks.enumerated() where block.count > 0 {
      let start = number * ColumnBlock.itemCount / 64
      if block.hasElsewhere { addUnsure(number, to: &matches.unsure) }
      let last = block.base + block.span
      guard let codes, codes.lowerBound <= last, codes.upperBound >= block.base else { continue }
      let low = max(codes.lowerBound, block.base) - block.base
      let high = min(codes.upperBound, last) - block.base
      if block.isMulti {
        addLists(block, low...high, start, &matches.items)
        continue
      }
      flag(block, low + ColumnCode.first, high - low, &flags)
      Self.pack(flags, &matches.items.words, start)
    }
    return matches
  }

  /// The items that have one of some codes.
  /// - Complexity: O(items), some nanoseconds each where there are many codes.
  package func items(withAny codes: [UInt64]) -> ColumnMatches {
    guard codes.count > Self.rangeCountMax else {
      var matches = items(with: codes.first.map { $0...$0 })
      for code in codes.dropFirst() { matches.items.formUnion(items(with: code...code).items) }
      return matches
    }
    var wanted = ItemSet()
    for code in codes { wanted.insert(UInt32(truncatingIfNeeded: code)) }
    var matches = items(with: nil)
    for (number, block) in blocks.enumerated() {
      for slot in 0..<block.count {
        let item = UInt32(truncatingIfNeeded: number * ColumnBlock.itemCount + slot)
        visit(item) { code in
          if code >= ColumnCode.first, wanted.contains(UInt32(truncatingIfNeeded: code)) {
            matches.items.insert(item)
          }
        }
      }
    }
    return matches
  }

  /// Codes up to which each is looked for by itself.
  private static var rangeCountMax: Int { 8 }

  private func addUnsure(_ number: Int, to unsure: inout ItemSet?) {
    var set = unsure ?? ItemSet()
    for slot in 0..<blocks[number].count {
      let item = UInt32(truncatingIfNeeded: number * ColumnBlock.itemCount + slot)
      visit(item) { if $0 == ColumnCode.elsewhere { set.insert(item) } }
    }
    unsure = set
  }

  private func addLists(
    _ block: Block, _ range: ClosedRange<UInt64>, _ start: Int, _ items: inout ItemSet
  ) {
    let base = (start * 64)
    for slot in 0..<block.count where counts[block.listStart + slot] != 0 {
      let item = UInt32(truncatingIfNeeded: base + slot)
      visit(item) { code in
        if code >= ColumnCode.first, range.contains(code - block.base) { items.insert(item) }
      }
    }
  }

  /// Flags the items of a block whose numbers lie at most so far above one.
  private func flag(_ block: Block, _ low: UInt64, _ span: UInt64, _ flags: inout [UInt8]) {
    switch block.width {
    case 1: Self.flag(bytes, block, low, span, &flags)
    case 2: Self.flag(halves, block, low, span, &flags)
    case 4: Self.flag(words, block, low, span, &flags)
    default: Self.flag(longs, block, low, span, &flags)
    }
  }

  @inline(__always) private static func flag<Number: FixedWidthInteger & UnsignedInteger>(
    _ numbers: [Number], _ block: Block, _ low: UInt64, _ span: UInt64, _ flags: inout [UInt8]
  ) {
    let (low, span) = (Number(truncatingIfNeeded: low), Number(truncatingIfNeeded: span))
    let range = block.start..<min(block.start + block.count, numbers.count)
    unsafe flags.withUnsafeMutableBufferPointer { flags in
      unsafe numbers.withUnsafeBufferPointer { numbers in
        // SAFETY: the range lies in the numbers, and is no longer than the flags of a block.
        for index in 0..<min(range.count, flags.count) {
          unsafe flags[index] = numbers[range.lowerBound &+ index] &- low <= span ? 1 : 0
        }
        for index in range.count..<flags.count { unsafe flags[index] = 0 }
      }
    }
  }

  private static func pack(_ flags: [UInt8], _ words: inout [UInt64], _ start: Int) {
    let span = flags.rawSpan
    for word in 0..<flags.count / 64 {
      var bits: UInt64 = 0
      for byte in 0..<8 {
        // The product brings bit 8·i to bit 56 + i, and no two of them together.
        let eight = span.loadLittleEndian64(at: word * 64 + byte * 8) &* 0x0102_0408_1020_4080
        bits |= (eight >> 56) << UInt64(byte * 8)
      }
      words[start + word] = bits
    }
  }
}
