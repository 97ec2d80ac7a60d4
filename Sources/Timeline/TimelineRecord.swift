import Events
import LMDB
package import Projections

/// What the timeline keeps of an event: 44 bytes.
package struct TimelineRecord: Equatable, Sendable {
  static let byteCount = 44

  /// Position in the log.
  package var sequence: UInt64
  /// When it happened, microseconds since 1970.
  package var timeMicroseconds: Int64
  /// When it was appended, microseconds since 1970.
  package var recordedMicroseconds: Int64
  /// The item's ordinal, or `ResolvedEvent.none`.
  package var item: UInt32
  /// The domain it belongs to, or `ResolvedEvent.none`.
  package var domain: UInt32
  /// What happened.
  package var kind: UInt8
  package var isView: Bool
  /// Whether the item's counters start afresh before this event is counted.
  package var startsAfresh: Bool
  /// How much it counts as use.
  package var weight: Float
  /// 32-bit hash of the actor's name, 0 for none.
  package var actorHash: UInt32

  /// The record of an event.
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

  static func sequence(_ row: RawSpan, at offset: Int) -> UInt64 {
    row.loadLittleEndian64(at: offset)
  }

  static func item(_ row: RawSpan, at offset: Int) -> UInt32 {
    row.loadLittleEndian32(at: offset + 24)
  }

  static func kind(_ row: RawSpan, at offset: Int) -> UInt8 { row.byte(at: offset + 40) }

  init(_ row: RawSpan, at offset: Int) {
    sequence = Self.sequence(row, at: offset)
    timeMicroseconds = Int64(bitPattern: row.loadLittleEndian64(at: offset + 8))
    recordedMicroseconds = Int64(bitPattern: row.loadLittleEndian64(at: offset + 16))
    item = Self.item(row, at: offset)
    domain = row.loadLittleEndian32(at: offset + 28)
    weight = Float(bitPattern: row.loadLittleEndian32(at: offset + 32))
    actorHash = row.loadLittleEndian32(at: offset + 36)
    kind = Self.kind(row, at: offset)
    isView = row.byte(at: offset + 41) & 1 != 0
    startsAfresh = row.byte(at: offset + 41) & 2 != 0
  }

  func encode(into row: inout ByteWriter) {
    row.appendLittleEndian(sequence)
    row.appendLittleEndian(UInt64(bitPattern: timeMicroseconds))
    row.appendLittleEndian(UInt64(bitPattern: recordedMicroseconds))
    row.appendLittleEndian(item)
    row.appendLittleEndian(domain)
    row.appendLittleEndian(weight.bitPattern)
    row.appendLittleEndian(actorHash)
    row.append(kind)
    row.append(flags)
    row.appendLittleEndian(UInt16(0))
  }

  /// Whether it records a purge, which the digest leaves out: what was purged is to be as if it had
  /// never happened.
  var isPurge: Bool { kind == EventKind.purge.rawValue }

  /// Whether no purge ever takes it.
  package var isPermanent: Bool { EventKind(rawValue: kind)?.isPermanent == true }

  private var flags: UInt8 { (isView ? 1 : 0) | (startsAfresh ? 2 : 0) }

  /// The logical row: what happened to whom when, without the numbering of log and names.
  func digestRow(item: NameKey, domain: NameKey) -> RowHasher {
    var hasher = RowHasher(kind: 4)
    hasher.add(UInt64(kind) << 8 | UInt64(flags))
    hasher.add(UInt64(bitPattern: timeMicroseconds))
    hasher.add(item.low)
    hasher.add(item.high)
    hasher.add(domain.low)
    hasher.add(domain.high)
    hasher.add(UInt64(weight.bitPattern) << 32 | UInt64(actorHash))
    return hasher
  }
}
