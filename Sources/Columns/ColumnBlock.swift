import LMDB

/// What up to 1,024 neighbouring items have in one column; one row, in parts.
///
/// Little-endian: flags (8 bits), bytes of a code (8), items told of (16), the least code (64), how
/// far the greatest lies above it (64). Then, where no item has several values, for each item 0 for
/// none, 1 for what the column cannot hold, or how far its code lies above the least, plus 2; else
/// for each item how many values it has (8; 255 for what the column cannot hold), and all codes one
/// after the other, as how far they lie above the least.
struct ColumnBlock: Equatable {
  enum Flag {
    static let multi: UInt8 = 1
    /// Whether there is anything that the column cannot hold.
    static let elsewhere: UInt8 = 2
  }

  static let itemCount = 1_024
  static let headByteCount = 20
  /// Stands for what the column cannot hold.
  static let elsewhere = UInt8.max
  /// The most values of an item that the column holds.
  static let valueCountMax = 254

  /// By item: how many values it has.
  private(set) var counts = [UInt8](repeating: 0, count: itemCount)
  private(set) var codes: [UInt64] = []

  init() {}

  var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

  /// Visits what the items have, in order; of what the column cannot hold `isElsewhere` tells.
  func forEach(
    _ body: (_ slot: Int, _ codes: ArraySlice<UInt64>, _ isElsewhere: Bool) throws(CairnError)
      -> Void
  ) throws(CairnError) {
    var at = 0
    for slot in counts.indices where counts[slot] != 0 {
      guard counts[slot] != Self.elsewhere else {
        try body(slot, [], true)
        continue
      }
      let end = at + Int(counts[slot])
      try body(slot, codes[at..<end], false)
      at = end
    }
  }

  /// Adds what the next item has; nil for what the column cannot hold.
  mutating func append(_ slot: Int, _ values: some Collection<UInt64>, isElsewhere: Bool) {
    let isComplete = !isElsewhere && values.count <= Self.valueCountMax
    counts[slot] = isComplete ? UInt8(values.count) : Self.elsewhere
    if isComplete { codes.append(contentsOf: values) }
  }

  // MARK: Rows

  /// What stands at the beginning of a row.
  struct Head {
    var flags: UInt8
    var width: Int
    var count: Int
    var base: UInt64
    var span: UInt64

    var isMulti: Bool { flags & Flag.multi != 0 }
    var hasElsewhere: Bool { flags & Flag.elsewhere != 0 }

    /// - Throws: `.corrupt` for what no block begins with.
    init(_ row: borrowing RawSpan) throws(CairnError) {
      guard row.byteCount >= headByteCount else { throw Columns.damaged }
      flags = row.byte(at: 0)
      width = Int(row.byte(at: 1))
      count = Int(row.loadLittleEndian16(at: 2))
      base = row.loadLittleEndian64(at: 4)
      span = row.loadLittleEndian64(at: 12)
      guard [1, 2, 4, 8].contains(width), count <= itemCount, base >= ColumnCode.first,
        !base.addingReportingOverflow(span).overflow
      else { throw Columns.damaged }
    }
  }

  /// Reads a row.
  /// - Throws: `.corrupt` when it makes no sense.
  init(_ row: borrowing RawSpan) throws(CairnError) {
    let head = try Head(row)
    guard row.byteCount >= Self.headByteCount + head.count else { throw Columns.damaged }
    if head.isMulti {
      var total = 0
      for slot in 0..<head.count {
        counts[slot] = row.byte(at: Self.headByteCount + slot)
        if counts[slot] != Self.elsewhere { total += Int(counts[slot]) }
      }
      try Self.read(row, from: Self.headByteCount + head.count, total, head) {
        codes.append(head.base &+ $0)
      }
      return
    }
    var found: [UInt64] = []
    try Self.read(row, from: Self.headByteCount, head.count, head) { found.append($0) }
    for slot in 0..<head.count {
      switch found[slot] {
      case 0: break
      case 1: counts[slot] = Self.elsewhere
      default:
        counts[slot] = 1
        codes.append(head.base &+ (found[slot] - 2))
      }
    }
  }

  /// Reads so many numbers that end the row.
  static func read(
    _ row: borrowing RawSpan, from start: Int, _ count: Int, _ head: Head, _ body: (UInt64) -> Void
  ) throws(CairnError) {
    guard row.byteCount == start + count * head.width else { throw Columns.damaged }
    // A number further above than the greatest would be read as another value.
    let most = head.isMulti ? head.span : head.span + ColumnCode.first
    for index in 0..<count {
      let at = start + index * head.width
      let number: UInt64 =
        switch head.width {
        case 1: UInt64(row.byte(at: at))
        case 2: UInt64(row.loadLittleEndian16(at: at))
        case 4: UInt64(row.loadLittleEndian32(at: at))
        default: row.loadLittleEndian64(at: at)
        }
      guard number <= most else { throw Columns.damaged }
      body(number)
    }
  }

  func write(to row: inout ByteWriter) {
    row.removeAll()
    let count = (counts.lastIndex { $0 != 0 } ?? -1) + 1
    let isMulti = counts.contains { $0 > 1 && $0 != Self.elsewhere }
    let base = codes.min() ?? ColumnCode.first
    let span = (codes.max() ?? base) - base
    // No code is below 2, so that this never overflows.
    let most = isMulti ? span : span + ColumnCode.first
    let width = most <= 0xFF ? 1 : most <= 0xFFFF ? 2 : most <= 0xFFFF_FFFF ? 4 : 8
    row.append((isMulti ? Flag.multi : 0) | (counts.contains(Self.elsewhere) ? Flag.elsewhere : 0))
    row.append(UInt8(width))
    row.appendLittleEndian(UInt16(count))
    row.appendLittleEndian(base)
    row.appendLittleEndian(span)
    if isMulti {
      for slot in 0..<count { row.append(counts[slot]) }
      for code in codes { Self.append(code - base, width, to: &row) }
      return
    }
    var at = 0
    for slot in 0..<count {
      switch counts[slot] {
      case 0: Self.append(0, width, to: &row)
      case Self.elsewhere: Self.append(1, width, to: &row)
      default:
        Self.append(codes[at] - base + ColumnCode.first, width, to: &row)
        at += 1
      }
    }
  }

  private static func append(_ number: UInt64, _ width: Int, to row: inout ByteWriter) {
    switch width {
    case 1: row.append(UInt8(truncatingIfNeeded: number))
    case 2: row.appendLittleEndian(UInt16(truncatingIfNeeded: number))
    case 4: row.appendLittleEndian(UInt32(truncatingIfNeeded: number))
    default: row.appendLittleEndian(number)
    }
  }
}
