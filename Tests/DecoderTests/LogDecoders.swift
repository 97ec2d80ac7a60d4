import Events
import HashTree

@testable import EventLog

enum LogDecoders {
  static func row(_ bytes: [UInt8]) throws {
    guard let which = bytes.first else { return }
    let value = Array(bytes.dropFirst())
    switch which % 4 {
    case 0: try event(value)
    case 1: if let head = try? HeadRow(value.rawSpan) { _ = head.compactRange.root }
    case 2:
      guard let point = try? NamedPoint(name: "", value.rawSpan) else { return }
      var row = ByteWriter()
      point.append(to: &row)
      let again = try NamedPoint(name: "", row.bytes)
      try DecoderFault.require(again == point, "a named point changes when it is written again")
    default:
      let key = EventLog.metadataKey(IssuedHead.key(7))
      guard let head = try? IssuedHead(key: key.rawSpan, value.rawSpan) else { return }
      var row = ByteWriter()
      head.append(to: &row)
      let again = try IssuedHead(key: key.rawSpan, row.bytes)
      try DecoderFault.require(again == head, "a signed head changes when it is written again")
    }
  }

  /// Part 0 of an event, at whatever sequence its header names.
  private static func event(_ value: [UInt8]) throws {
    let sequence = value.count < 17 ? 1 : value.rawSpan.loadBigEndian64(at: 9)
    guard let front = try? EventRow.Front(value.rawSpan, sequence: sequence) else { return }
    try DecoderFault.require(
      front.header.bytes == Array(value[1..<1 + front.header.byteCount]),
      "a header changes when it is written again")
    guard let live = front.live else { return }
    try DecoderFault.require(
      live.payloadOffset <= value.count && live.payloadByteCount >= 0,
      "a row's payload lies beyond its end")
    guard front.header.first == nil else { return }
    var facts = ByteWriter()
    live.facts.append(to: &facts)
    try DecoderFault.require(
      facts.array() == Array(value[live.factsRange]), "facts change when they are written again")
  }

  static func rows() throws -> [[UInt8]] {
    let hash = HashTree.leaf([1, 2, 3])
    let time = Timestamp(seconds: 1_700_000_000, nanoseconds: 5)
    var rows: [[UInt8]] = []
    for (state, tail) in [(0, 40), (4, 40), (1, 8)] as [(UInt8, Int)] {
      var row = ByteWriter()
      row.append(0)
      row.append(state)
      EventHeader(sequence: 77, commitment: hash).append(to: &row)
      if state != 1 {
        hash.withSpan { row.append($0) }
        if state == 4 { row.appendBigEndian(UInt32(4_000)) }
        EventFacts(
          kind: .view, hasGeneratedID: true, schema: 2, id: EventID(high: 1, low: 2),
          recorded: time, time: state == 4 ? Timestamp(seconds: 3) : time
        ).append(to: &row)
      }
      row.append(repeating: 0xA0, byteCount: tail)
      rows.append(row.array())
    }
    for (state, tail) in [(0, 40), (2, 40), (4, 40), (1, 8)] as [(UInt8, Int)] {
      var row = ByteWriter()
      row.append(0)
      row.append(state)
      EventHeader(
        sequence: 77, commitment: hash,
        first: FirstHeader(
          kind: .view, hasGeneratedID: true, schema: 2, sizeClass: state == 4 ? 12 : 6,
          hour: time.hours, id: EventID(high: 1, low: 2))
      ).append(to: &row)
      if state != 1 {
        hash.withSpan { row.append($0) }
        time.append(to: &row)
      }
      if state == 2 { Timestamp(seconds: 3).append(to: &row) }
      if state == 4 { row.appendBigEndian(UInt32(4_000)) }
      row.append(repeating: 0xA0, byteCount: tail)
      rows.append(row.array())
    }
    var head = HeadRow()
    for leaf in UInt8(0)..<13 { head.compactRange.append(HashTree.leaf([leaf])) }
    head.recorded = time
    head.root = head.compactRange.root
    var row = ByteWriter()
    row.append(1)
    head.append(to: &row)
    rows.append(row.array())
    row.removeAll()
    row.append(2)
    NamedPoint(name: "", sequence: 3, recorded: time, created: time, root: hash, items: 4).append(
      to: &row)
    rows.append(row.array())
    row.removeAll()
    row.append(3)
    IssuedHead(size: 7, root: hash, time: time).append(to: &row)
    rows.append(row.array())
    return rows
  }
}
