import HashTree
package import Values

/// The bytes of an event that outlive its erasure: the leaf of the hash tree.
///
/// A header of version 2 holds nothing about the event that could be guessed or confirmed: only
/// its place and a salted commitment. The salt goes with the content.
///
/// | bytes | content, integers big-endian |
/// |---|---|
/// | 0 | header version, 2 |
/// | 1 | class, 1 = event |
/// | 2–3 | flags, none known |
/// | 4–7 | 0 |
/// | 8–15 | sequence |
/// | 16–47 | commitment, see ``Commitment`` |
///
/// Logs of format 1 also hold headers of version 1, see ``FirstHeader``.
package struct EventHeader: Hashable, Sendable {
  package var sequence: UInt64
  package var commitment: Hash32
  /// What a header of version 1 says besides; nil in version 2.
  package var first: FirstHeader?
}

extension EventHeader {
  /// Bytes of a header of version 2.
  static let secondByteCount = 48

  /// The most bytes that a header of any version has.
  package static let byteCountMax = FirstHeader.byteCount

  package var byteCount: Int {
    first == nil ? EventHeader.secondByteCount : FirstHeader.byteCount
  }

  package func append(to writer: inout ByteWriter) {
    if let first { return first.append(sequence, commitment, to: &writer) }
    writer.append(EventHeader.second)
    writer.append(EventHeader.eventClass)
    writer.appendBigEndian(UInt16(0))
    writer.appendBigEndian(UInt32(0))
    writer.appendBigEndian(sequence)
    commitment.withSpan { writer.append($0) }
  }

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    append(to: &writer)
    return writer.array()
  }

  /// The hash of this leaf: SHA-256(0x00 ‖ header).
  /// - Complexity: one SHA-256 block, two in version 1.
  package var leafHash: Hash32 {
    var writer = ByteWriter()
    append(to: &writer)
    return HashTree.leaf(writer.bytes)
  }

  /// Reads a header.
  ///
  /// Every byte is checked or kept, so writing it again gives the same bytes.
  /// - Throws: `.corrupt` when a constant byte differs, `.unsupportedFormat` for a version or a
  ///   flag that a newer program wrote.
  init(_ reader: inout ByteReader) throws(CairnError) {
    // The version decides how many bytes there are.
    var peek = reader
    let version = try peek.readUInt8()
    guard version != FirstHeader.version else {
      self = try FirstHeader.header(&reader)
      return
    }
    guard version == EventHeader.second else {
      throw CairnError(
        .unsupportedFormat, "the event header has version \(version)", remedy: .newerProgram)
    }
    // One check of the length instead of one for each field.
    let bytes = try reader.readBytes(EventHeader.secondByteCount)
    guard bytes.loadBigEndian16(at: 2) == 0 else {
      throw CairnError(
        .unsupportedFormat, "the event header has unknown flags", remedy: .newerProgram)
    }
    guard bytes.byte(at: 1) == EventHeader.eventClass, bytes.loadBigEndian32(at: 4) == 0 else {
      throw CairnError(.corrupt, "the event header names no known class")
    }
    guard let commitment = Hash32(bytes.extracting(16..<48)) else {
      throw CairnError(.corrupt, "a hash is cut short")
    }
    self.init(sequence: bytes.loadBigEndian64(at: 8), commitment: commitment)
  }

  static let second: UInt8 = 2
  static let eventClass: UInt8 = 1
}
