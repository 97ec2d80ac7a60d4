package import Events

/// What the log itself knows of a live event: what stands before the payload.
///
/// In a row of version 2, and as the beginning of what its header commits to:
///
/// | bytes | content, integers big-endian |
/// |---|---|
/// | 0 | kind |
/// | 1 | flags: 1 = the log made the id, 2 = `time` differs from `recorded` |
/// | 2–3 | schema version of the payload |
/// | 4–19 | event id |
/// | 20–31 | `recorded`: seconds since 1970 (8, signed) ‖ nanoseconds (4) |
/// | 32–43 | `time`, only with flag 2 |
package struct EventFacts: Hashable, Sendable {
  package var kind: EventKind
  /// Whether the event came without an id and was given one.
  package var hasGeneratedID: Bool
  /// Schema version of the payload.
  package var schema: UInt16
  package var id: EventID
  /// When it was appended.
  package var recorded: Timestamp
  /// When it happened.
  package var time: Timestamp

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let generatedID = Flags(rawValue: 1)
    static let ownTime = Flags(rawValue: 2)
    static let known: Flags = [.generatedID, .ownTime]
  }

  /// Appends the 32 or 44 bytes.
  func append(to writer: inout ByteWriter) {
    var flags: Flags = []
    if hasGeneratedID { flags.insert(.generatedID) }
    if time != recorded { flags.insert(.ownTime) }
    writer.append(kind.rawValue)
    writer.append(flags.rawValue)
    writer.appendBigEndian(schema)
    id.append(to: &writer)
    recorded.append(to: &writer)
    if flags.contains(.ownTime) { time.append(to: &writer) }
  }
}

extension EventFacts {
  /// Reads the 32 or 44 bytes.
  /// - Throws: `.unsupportedFormat` for a kind or a flag that a newer program wrote, `.corrupt`.
  init(_ reader: inout ByteReader) throws(CairnError) {
    let kind = try reader.readUInt8()
    let flags = Flags(rawValue: try reader.readUInt8())
    guard let kind = EventKind(rawValue: kind), flags.isSubset(of: .known) else {
      throw CairnError(
        .unsupportedFormat, "the event has an unknown kind or flag", remedy: .newerProgram)
    }
    self.kind = kind
    hasGeneratedID = flags.contains(.generatedID)
    schema = try reader.readBigEndian16()
    id = try EventID(&reader)
    recorded = try Timestamp(&reader)
    time = recorded
    guard flags.contains(.ownTime) else { return }
    time = try Timestamp(&reader)
    guard time != recorded else { throw CairnError(.corrupt, "the event's time is stored twice") }
  }

  /// Puts together what a header of version 1 and its row say.
  init(_ first: FirstHeader, recorded: Timestamp, time: Timestamp) {
    self.init(
      kind: first.kind, hasGeneratedID: first.hasGeneratedID, schema: first.schema, id: first.id,
      recorded: recorded, time: time)
  }
}
