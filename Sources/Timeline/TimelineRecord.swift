import Events
package import Projections

/// What the timeline keeps of an event.
///
/// Stored as what it has other than the record before it in its block, some seven bytes: flags,
/// kind, time, and what the flags name.
package struct TimelineRecord: Equatable, Sendable {
  /// Position in the log.
  package var sequence: UInt64
  /// When it happened, microseconds since 1970.
  package var timeMicroseconds: Int64 = 0
  /// When it was appended, microseconds since 1970.
  package var recordedMicroseconds: Int64 = 0
  /// The item's ordinal, or `ResolvedEvent.none`.
  package var item: UInt32
  /// The domain it belongs to, or `ResolvedEvent.none`.
  package var domain: UInt32 = 0
  package var kind: UInt8 = 0
  package var isView = false
  /// Whether the item's counters start afresh before this event is counted.
  package var startsAfresh = false
  /// How much it counts as use.
  package var weight: Float = 0
  /// 32-bit hash of the actor's name, 0 for none.
  package var actorHash: UInt32 = 0

  package init(_ event: ResolvedEvent) {
    sequence = event.sequence
    timeMicroseconds = event.timeMicroseconds
    recordedMicroseconds = event.recordedMicroseconds
    item = event.item
    domain = event.domain
    kind = event.kind.rawValue
    isView = event.isView
    startsAfresh = event.startsAfresh
    weight = event.weight
    actorHash = event.actorHash
  }

  /// What the first record of a block comes after: the sequence before it, and zeros.
  init(before block: UInt64) {
    sequence = block &* Timeline.blockCount &- 1
    item = .max
  }

  /// What a record says in its first byte.
  private enum Flag {
    static let isView: UInt8 = 1
    static let startsAfresh: UInt8 = 2
    /// It was recorded at another time than it happened.
    static let hasRecorded: UInt8 = 4
    /// The rest: another one than in the record before.
    static let hasWeight: UInt8 = 8
    static let hasActor: UInt8 = 16
    static let hasDomain: UInt8 = 32
    /// Not the item behind that of the record before.
    static let hasItem: UInt8 = 64
    /// Not the sequence behind that of the record before.
    static let hasSequence: UInt8 = 128
  }

  /// Adds what it has other than the record before it.
  func encode(after before: TimelineRecord, into row: inout ByteWriter) {
    var head = flags
    if recordedMicroseconds != timeMicroseconds { head |= Flag.hasRecorded }
    if weight.bitPattern != before.weight.bitPattern { head |= Flag.hasWeight }
    if actorHash != before.actorHash { head |= Flag.hasActor }
    if domain != before.domain { head |= Flag.hasDomain }
    if item != before.item &+ 1 { head |= Flag.hasItem }
    if sequence != before.sequence &+ 1 { head |= Flag.hasSequence }
    row.append(head)
    row.append(kind)
    row.appendVarint(UInt64(zigzag: timeMicroseconds &- before.timeMicroseconds))
    if head & Flag.hasRecorded != 0 {
      row.appendVarint(UInt64(zigzag: recordedMicroseconds &- timeMicroseconds))
    }
    if head & Flag.hasWeight != 0 { row.appendLittleEndian(weight.bitPattern) }
    if head & Flag.hasActor != 0 { row.appendLittleEndian(actorHash) }
    if head & Flag.hasDomain != 0 { row.appendVarint(Self.code(domain, before.domain)) }
    if head & Flag.hasItem != 0 { row.appendVarint(Self.code(item, before.item)) }
    if head & Flag.hasSequence != 0 { row.appendVarint(sequence &- before.sequence) }
  }

  /// Becomes the record that is stored behind it, at a place of a row; goes on behind that.
  ///
  /// The numbers are read right here: calls would take most of the time of a walk.
  /// - Throws: `.corrupt` for bytes that make none.
  @inline(__always) mutating func advance(_ row: RawSpan, _ place: inout Int) throws(CairnError) {
    guard row.byteCount - place >= 2 else { throw Timeline.damaged }
    let head = row.byte(at: place)
    isView = head & Flag.isView != 0
    startsAfresh = head & Flag.startsAfresh != 0
    kind = row.byte(at: place + 1)
    place += 2
    timeMicroseconds &+= Int64(zigzag: try Self.varint(row, &place))
    recordedMicroseconds = timeMicroseconds
    if head & Flag.hasRecorded != 0 {
      recordedMicroseconds &+= Int64(zigzag: try Self.varint(row, &place))
    }
    if head & Flag.hasWeight != 0 { weight = Float(bitPattern: try Self.word(row, &place)) }
    if head & Flag.hasActor != 0 { actorHash = try Self.word(row, &place) }
    if head & Flag.hasDomain != 0 { domain = Self.ordinal(try Self.varint(row, &place), domain) }
    item = head & Flag.hasItem != 0 ? Self.ordinal(try Self.varint(row, &place), item) : item &+ 1
    sequence &+= head & Flag.hasSequence != 0 ? try Self.varint(row, &place) : 1
  }

  @inline(__always) private static func word(_ row: RawSpan, _ place: inout Int)
    throws(CairnError) -> UInt32
  {
    guard row.byteCount - place >= 4 else { throw Timeline.damaged }
    defer { place += 4 }
    return row.loadLittleEndian32(at: place)
  }

  @inline(__always) private static func varint(_ row: RawSpan, _ place: inout Int)
    throws(CairnError) -> UInt64
  {
    guard row.byteCount - place >= 8 else { return try slowVarint(row, &place) }
    let word = row.loadLittleEndian64(at: place)
    let ends = ~word & 0x8080_8080_8080_8080
    guard ends != 0 else { return try slowVarint(row, &place) }
    let last = ends.trailingZeroBitCount
    place += last / 8 + 1
    // Seven bits of each byte, put together by pairs, fours and eights.
    var value = word & (.max >> UInt64(63 - last)) & 0x7F7F_7F7F_7F7F_7F7F
    value = (value & 0x007F_007F_007F_007F) | (value & 0x7F00_7F00_7F00_7F00) >> 1
    value = (value & 0x0000_3FFF_0000_3FFF) | (value & 0x3FFF_0000_3FFF_0000) >> 2
    return (value & 0x0FFF_FFFF) | (value & 0x0FFF_FFFF_0000_0000) >> 4
  }

  /// A number near the end of a row, or of more than eight bytes.
  private static func slowVarint(_ row: RawSpan, _ place: inout Int) throws(CairnError) -> UInt64 {
    var reader = ByteReader(row.extracting(place..<row.byteCount))
    let value = try reader.readVarint()
    place = row.byteCount - reader.remaining
    return value
  }

  private static func code(_ ordinal: UInt32, _ before: UInt32) -> UInt64 {
    UInt64(zigzag: Int64(Int32(bitPattern: ordinal &- before)))
  }

  @inline(__always) private static func ordinal(_ code: UInt64, _ before: UInt32) -> UInt32 {
    before &+ UInt32(truncatingIfNeeded: Int64(zigzag: code))
  }

  /// Whether it records a purge, which the digest leaves out: what was purged is to be as if it had
  /// never happened.
  var isPurge: Bool { kind == EventKind.purge.rawValue }

  /// Whether no purge ever takes it.
  package var isPermanent: Bool { EventKind(rawValue: kind)?.isPermanent == true }

  private var flags: UInt8 { (isView ? Flag.isView : 0) | (startsAfresh ? Flag.startsAfresh : 0) }

  /// The logical row: what happened to whom when, without the numbering of log and names.
  func digestRow(item: NameKey, domain: NameKey) -> RowHasher {
    var hasher = RowHasher(kind: 4)
    hasher.add(UInt64(kind) << 8 | UInt64(flags))
    hasher.add(UInt64(bitPattern: timeMicroseconds))
    hasher.add(item)
    hasher.add(domain)
    hasher.add(UInt64(weight.bitPattern) << 32 | UInt64(actorHash))
    return hasher
  }
}
