import Events

/// The rows of table `events`: key sequence (8) ‖ part (2), big-endian; the value in parts.
///
/// Part 0 of a live event: state (1) ‖ header (48) ‖ salt (32) ‖ payload byte count (4, with state
/// bit 4) ‖ facts, see ``EventFacts`` ‖ payload. The parts after it hold the rest of the payload.
/// An erased event has part 0 alone: state ‖ header ‖ sequence (8) of the purge event.
///
/// Under a header of version 1: state (1) ‖ header (88) ‖ salt (32) ‖ `recorded` (12) ‖ own `time`
/// (12, with state bit 2) ‖ payload byte count (4, with state bit 4) ‖ payload.
enum EventRow {
  /// The first byte of part 0.
  struct State: OptionSet, Sendable {
    let rawValue: UInt8
    /// Content and salt are gone.
    static let erased = State(rawValue: 1)
    /// Version 1: `time` is in the row because it differs from `recorded`.
    static let ownTime = State(rawValue: 2)
    /// The payload goes on in further parts.
    static let parted = State(rawValue: 4)
    static let known: State = [.erased, .parted]
    static let knownFirst: State = [.erased, .ownTime, .parted]
  }

  static let keyByteCount = 10

  static func appendKey(_ sequence: UInt64, part: UInt16, to writer: inout ByteWriter) {
    writer.appendBigEndian(sequence)
    writer.appendBigEndian(part)
  }

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
    var header: EventHeader
    /// What there is of a live event; nil when it is erased.
    var live: Live?
    /// The purge event that erased it; nil when it is live.
    var purge: UInt64?

    /// Reads part 0 of the event with this sequence.
    /// - Throws: `.corrupt` when a field contradicts another, `.unsupportedFormat` for what a newer
    ///   program wrote.
    init(_ value: RawSpan, sequence: UInt64) throws(CairnError) {
      var reader = ByteReader(value)
      let state = State(rawValue: try reader.readUInt8())
      header = try EventHeader(&reader)
      guard state.isSubset(of: header.first == nil ? .known : .knownFirst) else {
        throw CairnError(
          .unsupportedFormat, "the event's row has an unknown state", remedy: .newerProgram)
      }
      guard header.sequence == sequence else {
        throw CairnError(.corrupt, "the event's header names another sequence")
      }
      guard state.contains(.erased) else {
        live = try Live(&reader, state, header, byteCount: value.byteCount)
        return
      }
      purge = try reader.readBigEndian64()
      guard reader.remaining == 0, state == .erased else {
        throw CairnError(.corrupt, "an erased event still has content")
      }
    }
  }

  /// What part 0 of a live event holds besides the header.
  struct Live {
    var salt: Hash32
    var facts: EventFacts
    var payloadByteCount: Int
    /// Where the facts stand; in version 1 the times, the header holds the others.
    var factsRange: Range<Int>
    /// Where the payload bytes of part 0 begin.
    var payloadOffset: Int

    fileprivate init(
      _ reader: inout ByteReader, _ state: State, _ header: EventHeader, byteCount: Int
    ) throws(CairnError) {
      let isParted = state.contains(.parted)
      salt = try Hash32(&reader)
      if let first = header.first {
        let start = byteCount - reader.remaining
        let recorded = try Timestamp(&reader)
        let time = state.contains(.ownTime) ? try Timestamp(&reader) : recorded
        guard first.hour == recorded.hours, state.contains(.ownTime) == (time != recorded) else {
          throw CairnError(.corrupt, "the event's header contradicts its content")
        }
        facts = EventFacts(first, recorded: recorded, time: time)
        factsRange = start..<byteCount - reader.remaining
        payloadByteCount = isParted ? Int(try reader.readBigEndian32()) : reader.remaining
        guard first.sizeClass == FirstHeader.sizeClass(of: payloadByteCount) else {
          throw CairnError(.corrupt, "the event's header contradicts its content")
        }
      } else {
        payloadByteCount = isParted ? Int(try reader.readBigEndian32()) : 0
        let start = byteCount - reader.remaining
        facts = try EventFacts(&reader)
        factsRange = start..<byteCount - reader.remaining
        if !isParted { payloadByteCount = reader.remaining }
      }
      payloadOffset = byteCount - reader.remaining
      guard isParted == (payloadByteCount > reader.remaining),
        payloadByteCount <= LogLimits.payloadByteCount
      else { throw CairnError(.corrupt, "the event's payload has another length than its row") }
    }

    /// Whether the header commits to this content: the bytes of the facts and the whole payload.
    func isCommitted(by header: EventHeader, _ facts: RawSpan, _ payload: RawSpan) -> Bool {
      let found =
        header.first == nil
        ? Commitment.make(salt: salt, facts, payload) : Commitment.make(salt: salt, payload, facts)
      return found == header.commitment
    }
  }
}
