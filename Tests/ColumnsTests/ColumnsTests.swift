import LMDB
import Projections
import TestSupport
import Testing

@testable import Columns

/// Columns held against a dictionary of what was last said of each item.
@Suite struct ColumnsTests {
  /// What the columns tell of an item of which this was said: lists that are too long they do not.
  private static func kept(_ content: ColumnContent) -> ColumnContent {
    if case .numbers(let list) = content, list.count > ColumnBlock.valueCountMax {
      return .elsewhere
    }
    return content
  }

  private static func expect(
    _ store: ColumnStore, _ model: [UInt32: [ColumnContent]], _ itemCount: UInt32
  ) throws {
    for item in 0..<itemCount {
      for column in 0..<3 {
        let wanted = model[item].flatMap { $0.isEmpty ? nil : kept($0[column]) } ?? .none
        #expect(try store.content(item, column) == wanted, "item \(item), column \(column)")
      }
    }
    #expect(try store.audited() == store.digest)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `they tell what was last said of each item, however it was cut`(seed: UInt64) throws {
    let itemCount: UInt32 = 2_300
    var random = RandomChanges(seed: seed, itemCount: itemCount)
    let changes = random.changes(6_000)
    let (store, other) = (try ColumnStore(), try ColumnStore())
    var model: [UInt32: [ColumnContent]] = [:]
    var rest = changes[...]
    while !rest.isEmpty {
      let part = rest.prefix(random.pick(0..<3) == 0 ? 1 : random.pick(1..<700))
      rest = rest.dropFirst(part.count)
      try store.apply(Array(part))
      for change in part { model[change.item] = change.contents }
    }
    try Self.expect(store, model, itemCount)
    try other.apply(changes)
    #expect(other.digest == store.digest)
    try Self.expect(other, model, itemCount)
  }

  @Test(arguments: [4, 5] as [UInt64])
  func `ranges, codes and counts are those of all items`(seed: UInt64) throws {
    let itemCount: UInt32 = 3_000
    var random = RandomChanges(seed: seed, itemCount: itemCount)
    let store = try ColumnStore()
    try store.apply(random.changes(5_000))
    for column in 0..<3 {
      let data = try store.column(column)
      let all = Array(0..<itemCount)
      let codes = Dictionary(uniqueKeysWithValues: all.map { ($0, data.codes(of: $0)) })
      let unsure = all.filter { codes[$0] == .some(nil) }
      let known = Array(Set(codes.values.flatMap { $0 ?? [] })).sorted()
      for _ in 0..<40 {
        let (one, two) = (known[random.pick(0..<known.count)], known[random.pick(0..<known.count)])
        let range = min(one, two)...max(one, two)
        let matches = data.items(with: range)
        let wanted = all.filter { (codes[$0] ?? nil)?.contains(where: range.contains) ?? false }
        #expect(matches.items.items == wanted)
        #expect(matches.unsure?.items ?? [] == unsure)
      }
      guard column == 1 else { continue }
      for count in [0, 1, 5, 20] {
        let some = Array(Set((0..<count).map { _ in known[random.pick(0..<known.count)] }))
        let wanted = all.filter { (codes[$0] ?? nil)?.contains(where: some.contains) ?? false }
        #expect(data.items(withAny: some).items.items == wanted)
      }
    }
    for column in 0..<3 {
      let data = try store.column(column)
      for part in [Array(0..<itemCount), [3, 9, itemCount - 1, itemCount + 70_000]] {
        let tally = ColumnTally(data, of: part)
        var counts: [UInt64: Int] = [:]
        for item in part {
          for code in data.codes(of: item) ?? [] { counts[code, default: 0] += 1 }
        }
        #expect(Dictionary(uniqueKeysWithValues: tally.counts) == counts)
        #expect(tally.elsewhere == part.filter { data.codes(of: $0) == nil })
        #expect(tally.missingCount == part.filter { data.codes(of: $0) == [] }.count)
      }
    }
  }

  @Test(arguments: 1...12) func `the first few by their values are among those kept, with all ties`(
    seed: UInt64
  ) throws {
    var random = RandomChanges(seed: seed, itemCount: 2_500)
    let greatest = [2, 40, 300, 70_000, 5_000_000_000][random.pick(0..<5)]
    var changes: [ColumnChange] = []
    for item in 0..<UInt32(2_500) where random.pick(0..<9) > 0 {
      let code = ColumnCode.first + UInt64(random.pick(0..<greatest))
      changes.append(
        ColumnChange(
          item: item, itemKey: NameKey(low: UInt64(item), high: 0),
          contents: [random.pick(0..<6) > 0 ? .numbers([code]) : .none]))
    }
    let store = try ColumnStore()
    try store.apply(changes)
    let data = try store.column(0)
    let items = (0..<UInt32(2_600)).filter { _ in random.pick(0..<3) > 0 }
    for isDescending in [false, true] {
      let all: [(key: UInt64, item: UInt32)] = items.compactMap { item in
        data.codes(of: item)?.first.map { (isDescending ? ~$0 : $0, item) }
      }
      let keys = all.map(\.key).sorted()
      for count in [0, 1, 10, 200, keys.count, keys.count + 9] {
        let found = try #require(data.first(count, of: items, isDescending: isDescending))
        #expect(found.missing == items.filter { data.codes(of: $0) == [] })
        let last = count == 0 ? 0 : keys[min(count, keys.count) - 1]
        let wanted = all.filter { $0.key <= last }.map(\.item)
        #expect(found.keyed.filter { $0.key <= last }.map(\.item) == wanted)
      }
    }
  }

  @Test func `a copy without erased items is a fold without them`() throws {
    let itemCount: UInt32 = 2_100
    var random = RandomChanges(seed: 6, itemCount: itemCount)
    let changes = random.changes(4_000)
    let (store, copy, fold) = (try ColumnStore(), try ColumnStore(), try ColumnStore())
    try store.apply(changes)
    var checkpoint = Checkpoint()
    checkpoint.itemCount = itemCount
    var erasure = Erasure([], checkpoint)
    for item in 0..<itemCount where item % 3 != 0 { erasure.keep(item: item, domain: 0) }
    let source = GenerationCopy(
      of: store.environment, through: RowWriter(copy.environment), without: erasure,
      erasesUse: false, names: MadeUpNames(), replay: { (_, _) throws(CairnError) in })
    let (columns, before) = (copy.columns, store.digest)
    copy.digest = try store.environment.read { (txn) throws(CairnError) in
      try columns.fill(source, before, from: txn)
    }
    try source.writer.finish()
    try fold.apply(changes.filter { $0.item % 3 != 0 })
    #expect(copy.digest == fold.digest)
    #expect(try copy.audited() == copy.digest)
    for item in 0..<itemCount {
      for column in 0..<3 {
        #expect(try copy.content(item, column) == fold.content(item, column))
      }
    }
    // What nobody has any more is not carried along.
    try copy.apply(random.changes(300))
    #expect(try copy.audited() == copy.digest)
  }

  @Test func `a changed value shows in the digest, and a lost text is told`() throws {
    let store = try ColumnStore()
    var random = RandomChanges(seed: 7, itemCount: 50)
    try store.apply(random.changes(200))
    let columns = store.columns
    try store.environment.write { (txn) throws(CairnError) in
      let key = [UInt8](bigEndian: Columns.number(0, block: 0))
      var row = ByteWriter()
      _ = try Parted.get(txn.reader, columns.blocks, key: key, into: &row)
      let block = try ColumnBlock(row.bytes)
      var changed = ColumnBlock()
      var isFirst = true
      try block.forEach { (slot, codes, isElsewhere) throws(CairnError) in
        if isFirst, !codes.isEmpty {
          changed.append(slot, codes.map { $0 ^ 1 }, isElsewhere: false)
          isFirst = false
        } else {
          changed.append(slot, codes, isElsewhere: isElsewhere)
        }
      }
      changed.write(to: &row)
      try Parted.put(&txn, columns.blocks, key: key, value: row.bytes)
    }
    #expect(try store.audited() != store.digest)
    try store.environment.write { (txn) throws(CairnError) in
      _ = try txn.delete(columns.values, ColumnTexts.numberKey(1, 3))
    }
    expectError(.corrupt) { try store.audited() }
  }

  @Test func `rows that no fold writes are refused`() throws {
    var block = ColumnBlock()
    block.append(0, [100], isElsewhere: false)
    block.append(2, [90], isElsewhere: false)
    block.append(5, [], isElsewhere: true)
    var row = ByteWriter()
    block.write(to: &row)
    let bytes = row.array()
    #expect(try ColumnBlock(bytes.rawSpan) == block)
    for length in 0..<bytes.count {
      expectError(.corrupt) { try ColumnBlock(bytes.rawSpan.extracting(..<length)) }
    }
    for place in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << bit
        // Whatever it says, reading it ends without a trap.
        _ = try? ColumnBlock(damaged.rawSpan)
      }
    }
  }

  @Test func `codes order as values do`() {
    let wholes: [Int64] = [.min + 2, -5, -1, 0, 1, 7, .max]
    #expect(wholes.compactMap { ColumnCode.of($0) }.map(ColumnCode.integer) == wholes)
    #expect(ColumnCode.of(Int64.min) == nil && ColumnCode.of(Int64.min + 1) == nil)
    let numbers: [Double] = [
      -Double.greatestFiniteMagnitude, -1.5, -1e-300, 0, 1e-300, 2.5, 1e300,
    ]
    let codes = numbers.compactMap { ColumnCode.of($0) }
    #expect(codes == codes.sorted() && codes.map(ColumnCode.number) == numbers)
    #expect(ColumnCode.of(-0.0) == ColumnCode.of(0.0) && ColumnCode.of(Double.nan) == nil)
    let times = [(-1, 999_999_999), (0, 0), (0, 1), (1_700_000_000, 5)].map {
      Timestamp(seconds: Int64($0.0), nanoseconds: UInt32($0.1))
    }
    let marks = times.compactMap { ColumnCode.of($0) }
    #expect(marks == marks.sorted() && marks.map(ColumnCode.time) == times)
    #expect(ColumnCode.of(Timestamp.earliest) == nil && ColumnCode.of(Timestamp.latest) == nil)
    #expect(ColumnCode.flag(ColumnCode.of(true)) && !ColumnCode.flag(ColumnCode.of(false)))
  }
}
