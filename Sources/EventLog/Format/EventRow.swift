import Events
import HashTree
import LMDB

/// The rows of table `events`: key sequence (8) ‖ part (2), big-endian; the value in parts.
///
/// Part 0 of a live event: state (1) ‖ header (88) ‖ salt (32) ‖ `recorded` (12) ‖ own `time` (12,
/// with state bit 2) ‖ payload byte count (4, with state bit 4) ‖ payload. The parts after it hold
/// the rest of the payload. An erased event has part 0 alone: state ‖ header ‖ sequence (8) of the
/// purge event that erased it.
enum EventRow {
  /// The first byte of part 0.
  struct State: OptionSet, Sendable {
    let rawValue: UInt8
    /// Payload and salt are gone.
    static let erased = State(rawValue: 1)
    /// `time` is in the row because it differs from `recorded`, given in the payload or not.
    static let ownTime = State(rawValue: 2)
    /// The payload goes on in further parts.
    static let parted = State(rawValue: 4)
    static let known: State = [.erased, .ownTime, .parted]
  }

  /// Bytes of a key.
  static let keyByteCount = 10

  /// Appends a key.
  static func appendKey(_ sequence: UInt64, part: UInt16, to writer: inout ByteWriter) {
    writer.appendBigEndian(sequence)
    writer.appendBigEndian(part)
  }

  /// A key as an array.
  static func key(_ sequence: UInt64, part: UInt16 = 0) -> [UInt8] {
    var writer = ByteWriter()
    appendKey(sequence, part: part, to: &writer)
    return writer.array()
  }

  /// How many parts a payload takes, given what stands before it in part 0.
  static func partCount(payload: Int, prefix: Int) -> Int {
    let rest = payload - (LogLimits.rowByteCount - prefix)
    return rest <= 0 ? 1 : 1 + (rest + LogLimits.rowByteCount - 1) / LogLimits.rowByteCount
  }

  /// Part 0 up to its payload bytes.
  struct Front {
    var state: State
    var header: EventHeader
    /// Live only.
    var recorded: Timestamp?
    /// Live only: the row's own time.
    var ownTime: Timestamp?
    /// Live only: 32 random bytes.
    var salt: Hash32?
    /// Live only: bytes of the whole payload.
    var payloadByteCount: Int
    /// Erased only.
    var purge: UInt64?
    /// Where the payload bytes of part 0 begin.
    var payloadOffset: Int

    /// Reads part 0 of the event with this sequence.
    ///
    /// - Throws: `.corrupt` when a field contradicts another.
    init(_ value: RawSpan, sequence: UInt64) throws(StorageError) {
      var reader = ByteReader(value)
      state = State(rawValue: try reader.readUInt8())
      guard state.subtracting(.known).isEmpty else {
        throw StorageError(.corrupt, "the event's row has an unknown state")
      }
      header = try EventHeader(&reader)
      guard header.sequence == sequence else {
        throw StorageError(.corrupt, "the event's header names another sequence")
      }
      if state.contains(.erased) {
        purge = try reader.readBigEndian64()
        guard reader.remaining == 0, state == .erased else {
          throw StorageError(.corrupt, "an erased event still has content")
        }
        payloadByteCount = 0
        payloadOffset = value.byteCount
        return
      }
      salt = try Hash32(&reader)
      let recorded = try Timestamp(&reader)
      self.recorded = recorded
      if state.contains(.ownTime) { ownTime = try Timestamp(&reader) }
      let parted = state.contains(.parted)
      let declared = parted ? Int(try reader.readBigEndian32()) : reader.remaining
      payloadByteCount = declared
      payloadOffset = value.byteCount - reader.remaining
      guard parted == (declared > reader.remaining), declared <= LogLimits.payloadByteCount,
        header.sizeClass == EventHeader.sizeClass(of: declared), header.hour == recorded.hours
      else { throw StorageError(.corrupt, "the event's header contradicts its content") }
    }
  }
}
