import LMDB
import Projections

/// One use of an item as its history keeps it, with the circumstances it happened in.
package struct UseRecord: Equatable, Sendable {
  /// Position in the log.
  package var sequence: UInt64
  package var use: Use
  /// 32-bit hash of the actor's name, 0 for none.
  package var actorHash: UInt32
  /// 32-bit hash of the session's name, 0 for none.
  package var sessionHash: UInt32
  /// 32-bit hash of the device's name, 0 for none.
  package var deviceHash: UInt32
  /// The item used before it on the same trail, or `ResolvedEvent.none`.
  package var previous: UInt32

  private enum Flag {
    static let view: UInt8 = 1
    static let held: UInt8 = 2
    static let actor: UInt8 = 4
    static let session: UInt8 = 8
    static let previous: UInt8 = 16
    static let device: UInt8 = 32
  }

  /// The record of an event that uses its item.
  init(_ event: ResolvedEvent, previous: UInt32) {
    sequence = event.sequence
    use = Use(event)
    actorHash = event.actorHash
    sessionHash = event.sessionHash
    deviceHash = event.deviceHash
    self.previous = previous
  }

  /// A record of what is known of a use.
  package init(sequence: UInt64, use: Use, actorHash: UInt32, sessionHash: UInt32, previous: UInt32)
  {
    self.sequence = sequence
    self.use = use
    self.actorHash = actorHash
    self.sessionHash = sessionHash
    self.previous = previous
    deviceHash = 0
  }

  /// Reads a record relative to a chunk's first sequence and time.
  init(_ reader: inout ByteReader, first: UInt64, firstTime: Int64) throws(CairnError) {
    sequence = first &+ (try reader.readVarint())
    let flags = try reader.readUInt8()
    let time = firstTime &+ Int64(zigzag: try reader.readVarint())
    let weight = Float(bitPattern: try reader.readBigEndian32())
    let held = flags & Flag.held == 0 ? time : time &+ Int64(zigzag: try reader.readVarint())
    use = Use(
      timeMicroseconds: time, heldMicroseconds: held, weight: weight, isView: flags & Flag.view != 0
    )
    actorHash = flags & Flag.actor == 0 ? 0 : try reader.readBigEndian32()
    sessionHash = flags & Flag.session == 0 ? 0 : try reader.readBigEndian32()
    previous = flags & Flag.previous == 0 ? ResolvedEvent.none : try reader.readBigEndian32()
    deviceHash = flags & Flag.device == 0 ? 0 : try reader.readBigEndian32()
  }

  func encode(into row: inout ByteWriter, first: UInt64, firstTime: Int64) {
    var flags: UInt8 = use.isView ? Flag.view : 0
    if use.heldMicroseconds != use.timeMicroseconds { flags |= Flag.held }
    if actorHash != 0 { flags |= Flag.actor }
    if sessionHash != 0 { flags |= Flag.session }
    if previous != ResolvedEvent.none { flags |= Flag.previous }
    if deviceHash != 0 { flags |= Flag.device }
    row.appendVarint(sequence &- first)
    row.append(flags)
    row.appendVarint(UInt64(zigzag: use.timeMicroseconds &- firstTime))
    row.appendBigEndian(use.weight.bitPattern)
    if flags & Flag.held != 0 {
      row.appendVarint(UInt64(zigzag: use.heldMicroseconds &- use.timeMicroseconds))
    }
    if flags & Flag.actor != 0 { row.appendBigEndian(actorHash) }
    if flags & Flag.session != 0 { row.appendBigEndian(sessionHash) }
    if flags & Flag.previous != 0 { row.appendBigEndian(previous) }
    if flags & Flag.device != 0 { row.appendBigEndian(deviceHash) }
  }
}
