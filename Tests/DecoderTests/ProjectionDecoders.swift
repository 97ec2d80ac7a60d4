import Events
import Projections

@testable import Catalog
@testable import Columns
@testable import Ranking
@testable import Timeline

enum ProjectionDecoders {
  static func row(_ bytes: [UInt8]) throws {
    guard let which = bytes.first else { return }
    let value = Array(bytes.dropFirst())
    switch which % 9 {
    case 0:
      guard let checkpoint = try? Checkpoint(decoding: value) else { return }
      let again = try Checkpoint(decoding: checkpoint.encoded())
      try DecoderFault.require(again == checkpoint, "a checkpoint changes when written again")
    case 1:
      guard let state = try? ItemState(decoding: value.rawSpan) else { return }
      var row: [UInt8] = []
      state.encode(into: &row)
      _ = try ItemState(decoding: row.rawSpan)
    case 2:
      guard let state = try? UseState(decoding: value.rawSpan) else { return }
      var row = ByteWriter()
      state.encode(into: &row)
      try DecoderFault.require(row.array() == value, "a use state changes when it is written again")
    case 3:
      var reader = ByteReader(value.rawSpan)
      while !reader.isAtEnd {
        guard (try? UseRecord(&reader, first: 5, firstTime: .min)) != nil else { return }
      }
    case 4: try members(value)
    case 5: try names(value)
    case 6: try timeline(value)
    case 7: try column(value)
    default: small(value)
    }
  }

  private static func members(_ value: [UInt8]) throws {
    var items: [UInt32] = []
    guard (try? MemberBlock.read(value.rawSpan, 3, into: &items)) != nil else { return }
    var again: [UInt32] = []
    try MemberBlock.read(MemberBlock.row(items, 3).rawSpan, 3, into: &again)
    try DecoderFault.require(again == items, "items of a domain change when written again")
  }

  private static func names(_ value: [UInt8]) throws {
    var writer = NameBlock.Writer(3)
    var count = 0
    let isWhole: Void? = try? NameBlock.visit(value.rawSpan, 3) { (item, name) in
      writer.append(item, name)
      count += 1
      return true
    }
    guard isWhole != nil else { return }
    try NameBlock.visit(writer.row.bytes, 3) { (_, _) in
      count -= 1
      return true
    }
    try DecoderFault.require(count == 0, "names change when they are written again")
  }

  private static func timeline(_ value: [UInt8]) throws {
    var block = LastBlock(2)
    var found: [TimelineRecord] = []
    let isWhole: Bool? = try? Timeline.visit(value.rawSpan, 2) { (record) in
      block.append(record)
      found.append(record)
      return true
    }
    guard isWhole != nil else { return }
    var place = 0
    try Timeline.visit(block.records.bytes, 2) { (record) in
      // By bytes, since no weight is a number.
      let (one, other) = (record.weight.bitPattern, found[place].weight.bitPattern)
      found[place].weight = record.weight
      let isSame = one == other && (record == found[place] || record.weight.isNaN)
      place += 1
      return isSame
    }
    try DecoderFault.require(place == found.count, "records change when they are written again")
  }

  private static func column(_ value: [UInt8]) throws {
    guard let block = try? ColumnBlock(value.rawSpan) else { return }
    var row = ByteWriter()
    block.write(to: &row)
    try DecoderFault.require(
      try ColumnBlock(row.bytes) == block, "a column changes when it is written again")
  }

  /// Rows that are a few numbers.
  private static func small(_ value: [UInt8]) {
    _ = try? PresenceCount(decoding: value.rawSpan).encoded()
    _ = try? ColumnInfo(value.rawSpan)
    _ = try? Columns.text(value.rawSpan)
    _ = (try? KindCounts(decoding: value.rawSpan))?.byKind
    _ = try? ChoiceState(decoding: value.rawSpan)
    _ = try? EngagementState(decoding: value.rawSpan)
  }

  static func rows() -> [[UInt8]] {
    var checkpoint = Checkpoint()
    checkpoint.applied = 77
    checkpoint.itemCount = 3
    var state: [UInt8] = []
    var item = ItemState()
    item.isPresent = true
    item.since = 300
    item.ownDomain = 4
    item.content.page = 280
    item.pageDomain = 7
    item.expires = Timestamp(seconds: 1_700_000_000, nanoseconds: 999_999_999)
    item.content.base = 290
    item.content.updates = [291, 300]
    item.encode(into: &state)
    let use = [UInt8](repeating: 1, count: UseState.byteCount)
    let record: [UInt8] = [2, 0b1_1111, 3, 0x3F, 0x80, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]
    let members = MemberBlock.row([3_072, 3_074, 4_095], 3)
    var names = NameBlock.Writer(3)
    names.append(49, [0x61, 0x62].rawSpan)
    names.append(52, [UInt8](repeating: 0x63, count: 200).rawSpan)
    var column = ColumnBlock()
    for slot in [1, 5, 9] {
      column.append(slot, (2..<UInt64(slot + 3)).map { $0 * $0 }, isElsewhere: slot == 5)
    }
    var columnRow = ByteWriter()
    column.write(to: &columnRow)
    let steps: [UInt8] = [0x68, 1, 200, 1, 0, 0, 0x80, 0x3F, 2, 6, 0x01, 2, 3]
    return [
      [0] + checkpoint.encoded(), [1] + state, [2] + use, [3] + record + record, [4] + members,
      [5] + names.row.array(), [6] + steps, [7] + columnRow.array(),
      [8] + [UInt8](repeating: 1, count: 33), [8] + [UInt8](repeating: 2, count: 20),
    ]
  }
}
