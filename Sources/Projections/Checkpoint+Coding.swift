package import Values

/// The checkpoint's row, numbers big-endian:
///
/// | bytes | what |
/// |--:|---|
/// | 1 | format: 7 |
/// | 8 | last event folded |
/// | 16 | definition, low half first |
/// | 4 + 4 + 4 | items named, domains named, items present |
/// | 1 | 1: something may expire; 2, 4: no, some tie-breaks; 8: the log is known; 16: parts end |
/// | 8 + 8 | greatest use, latest use |
/// | 32 + 8 | the log's root and last erasure; zero where they are not known |
/// | 1 | number of projections, each as |
/// | 1 + n + 16 | length of the name, the name, the digest, low half first |
///
/// Rows of projections say nothing of their own format: this one stands for all of them. Of an
/// older one nothing is read, and all is folded anew; 3 and 4 had other rows of the catalog, 5 had
/// no texts of items whose parts end, and 6 no weights of fields.
extension Checkpoint {
  private enum Flag {
    static let hasExpiry: UInt8 = 1
    static let noTieBreaks: UInt8 = 2
    static let tieBreaks: UInt8 = 4
    static let hasLog: UInt8 = 8
    static let hasEndingParts: UInt8 = 16
  }

  package static let formatVersion: UInt8 = 7

  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = [Self.formatVersion]
    bytes.appendBigEndian(applied)
    bytes.append(definition)
    bytes.appendBigEndian(itemCount)
    bytes.appendBigEndian(domainCount)
    bytes.appendBigEndian(presentCount)
    bytes.append(
      (hasTieBreaks ? Flag.tieBreaks : Flag.noTieBreaks) | (hasExpiry ? Flag.hasExpiry : 0)
        | (log == nil ? 0 : Flag.hasLog) | (hasEndingParts ? Flag.hasEndingParts : 0))
    bytes.appendBigEndian(greatestUse.bitPattern)
    bytes.appendBigEndian(UInt64(bitPattern: latestUseMicroseconds))
    bytes += log?.root.bytes ?? Array(repeating: 0, count: Hash32.byteCount)
    bytes.appendBigEndian(log?.erasure ?? 0)
    bytes.append(UInt8(truncatingIfNeeded: digests.count))
    for (name, digest) in digests {
      bytes.append(UInt8(truncatingIfNeeded: name.text.utf8.count))
      bytes += Array(name.text.utf8)
      bytes.append(digest)
    }
    return bytes
  }

  /// Reads a row back.
  /// - Throws: `.unsupportedFormat` when another version wrote it, `.corrupt` on a wrong length.
  package init(decoding bytes: [UInt8]) throws(CairnError) {
    self.init()
    var reader = ByteReader(bytes.rawSpan)
    guard try reader.readUInt8() == Self.formatVersion else { throw Self.unsupported }
    applied = try reader.readBigEndian64()
    definition = try Self.digest(&reader)
    itemCount = try reader.readBigEndian32()
    domainCount = try reader.readBigEndian32()
    presentCount = try reader.readBigEndian32()
    let flags = try reader.readUInt8()
    hasExpiry = flags & Flag.hasExpiry != 0
    hasEndingParts = flags & Flag.hasEndingParts != 0
    hasTieBreaks = flags & Flag.tieBreaks != 0
    greatestUse = Double(bitPattern: try reader.readBigEndian64())
    latestUseMicroseconds = Int64(bitPattern: try reader.readBigEndian64())
    let root = Hash32(try reader.readBytes(Hash32.byteCount))
    let erasure = try reader.readBigEndian64()
    if flags & Flag.hasLog != 0 { log = root.map { LogState(root: $0, erasure: erasure) } }
    for _ in 0..<(try reader.readUInt8()) {
      let count = Int(try reader.readUInt8())
      let name = String(decoding: try reader.readBytes(count).array(), as: UTF8.self)
      digests.append((ProjectionName(name), try Self.digest(&reader)))
    }
    guard reader.isAtEnd else {
      throw CairnError(.corrupt, "checkpoint has a wrong length", remedy: .rebuild)
    }
  }

  private static func digest(_ reader: inout ByteReader) throws(CairnError) -> RowDigest {
    let low = try reader.readBigEndian64()
    return RowDigest(low: low, high: try reader.readBigEndian64())
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ digest: RowDigest) {
    appendBigEndian(digest.low)
    appendBigEndian(digest.high)
  }
}
