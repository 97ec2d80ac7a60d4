import Events
import Projections

@testable import Catalog
@testable import Ranking

enum ProjectionDecoders {
  static func row(_ bytes: [UInt8]) throws {
    guard let which = bytes.first else { return }
    let value = Array(bytes.dropFirst())
    switch which % 4 {
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
    default:
      var reader = ByteReader(value.rawSpan)
      while !reader.isAtEnd {
        guard (try? UseRecord(&reader, first: 5, firstTime: .min)) != nil else { return }
      }
    }
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
    return [[0] + checkpoint.encoded(), [1] + state, [2] + use, [3] + record + record]
  }
}
