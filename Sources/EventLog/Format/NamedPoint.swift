package import Values

/// A name for a sequence: what `snapshot create` makes.
package struct NamedPoint: Sendable, Equatable {
  package var name: String
  /// The point: the state right after this event; 0 = empty.
  package var sequence: UInt64
  /// `recorded` of that event; `nil` at 0.
  package var recorded: Timestamp?
  /// When the name was given.
  package var created: Timestamp
  package var root: Hash32
  package var items: UInt64

  package init(
    name: String, sequence: UInt64, recorded: Timestamp?, created: Timestamp, root: Hash32,
    items: UInt64
  ) {
    self.name = name
    self.sequence = sequence
    self.recorded = recorded
    self.created = created
    self.root = root
    self.items = items
  }
}

/// The rows of table `snapshots`: key name; value record version (1) ‖ sequence (8) ‖ has recorded
/// (1) ‖ recorded (12) ‖ created (12) ‖ root (32) ‖ items (8), big-endian.
extension NamedPoint {
  private static let version: UInt8 = 1

  func append(to writer: inout ByteWriter) {
    writer.append(NamedPoint.version)
    writer.appendBigEndian(sequence)
    writer.append(recorded == nil ? UInt8(0) : 1)
    (recorded ?? Timestamp(seconds: 0)).append(to: &writer)
    created.append(to: &writer)
    root.withSpan { writer.append($0) }
    writer.appendBigEndian(items)
  }

  init(name: String, _ value: RawSpan) throws(CairnError) {
    var reader = ByteReader(value)
    let version = try reader.readUInt8()
    guard version == NamedPoint.version else {
      throw CairnError(
        .unsupportedFormat, "a named point has version \(version)",
        place: "log.mdb, table snapshots", remedy: .newerProgram)
    }
    self.name = name
    sequence = try reader.readBigEndian64()
    let hasRecorded = try reader.readUInt8() == 1
    let recorded = try Timestamp(&reader)
    self.recorded = hasRecorded ? recorded : nil
    created = try Timestamp(&reader)
    root = try Hash32(&reader)
    items = try reader.readBigEndian64()
  }
}
