package import HashTree
package import LMDB

/// How far a generation has folded the log, and digests of what it holds: one row.
///
/// Written in the same transaction as the rows it speaks of, so that after a crash both are old
/// or both are new.
package struct Checkpoint: Equatable, Sendable {
  /// The projections of a generation, in the order of their digests.
  package enum Part: Int, CaseIterable, Sendable { case catalog, text, ranking, timeline }

  /// Whether items have dates or hints of their own, which decide between hits of one score.
  package enum TieBreaks: UInt8, Sendable {
    /// Nobody looked: the row is of a version that did not ask.
    case unknown = 0
    /// No item ever had any.
    case none = 2
    /// Some item had.
    case some = 4
  }

  /// The log that rows were made of.
  package struct LogState: Equatable, Sendable {
    /// Root of the hash tree over the events folded.
    package var root: Hash32
    /// Sequence of the purge event that erased last; 0 for none.
    package var erasure: UInt64

    package init(root: Hash32, erasure: UInt64) {
      self.root = root
      self.erasure = erasure
    }
  }

  /// Sequence of the last event folded; 0 for none.
  package var applied: UInt64 = 0
  /// The log as it was then; nil in rows of the first format, which are folded anew.
  package var log: LogState?
  /// Digest of the definitions that built the rows (schemas, analyzer, parameters, upcasters).
  package var definition = RowDigest()
  /// Number of items ever named; the next item's ordinal.
  package var itemCount: UInt32 = 0
  /// Number of domains ever named; the next domain's ordinal.
  package var domainCount: UInt32 = 0
  /// Items present now.
  package var presentCount: UInt32 = 0
  /// Whether any version could ever expire; without, no search has to ask.
  package var hasExpiry = false
  /// Whether any item ever had what decides between hits of one score.
  package var tieBreaks = TieBreaks.none
  /// The greatest slowest-scale sum of use that any item ever had; bounds every frecency.
  package var greatestUse = 0.0
  /// The latest use of any item, microseconds since 1970; 0 before the first.
  package var latestUseMicroseconds: Int64 = 0
  /// One digest for each part.
  package var digests: [4 of RowDigest] = .init(repeating: RowDigest())

  /// The checkpoint of an empty generation.
  package init() {}

  /// Equality of every field.
  package static func == (one: Checkpoint, other: Checkpoint) -> Bool {
    one.encoded() == other.encoded()
  }

  /// The digest of one part.
  package subscript(part: Part) -> RowDigest {
    get { digests[part.rawValue] }
    set { digests[part.rawValue] = newValue }
  }

  /// The first format has no state of the log at its end.
  private static let formatVersions: ClosedRange<UInt8> = 1...2
  private static let byteCount = 1 + 8 + 16 + 12 + 1 + 16 + 4 * 16
  private static let logStateByteCount = Hash32.byteCount + 8

  /// The row's bytes.
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount + Self.logStateByteCount)
    bytes.append(log == nil ? Self.formatVersions.lowerBound : Self.formatVersions.upperBound)
    bytes.appendBigEndian(applied)
    bytes.appendBigEndian(definition.low)
    bytes.appendBigEndian(definition.high)
    bytes.appendBigEndian(itemCount)
    bytes.appendBigEndian(domainCount)
    bytes.appendBigEndian(presentCount)
    bytes.append(tieBreaks.rawValue | (hasExpiry ? 1 : 0))
    bytes.appendBigEndian(greatestUse.bitPattern)
    bytes.appendBigEndian(UInt64(bitPattern: latestUseMicroseconds))
    for index in digests.indices {
      bytes.appendBigEndian(digests[index].low)
      bytes.appendBigEndian(digests[index].high)
    }
    if let log {
      bytes += log.root.bytes
      bytes.appendBigEndian(log.erasure)
    }
    return bytes
  }

  /// What is thrown for rows of another version.
  package static let unsupported = StorageError(
    .unsupportedFormat, "this generation was built by another version; run: cairn rebuild")

  /// Reads a row back.
  ///
  /// - Throws: `.unsupportedFormat` when another version wrote it, `.corrupt` on a wrong length.
  package init(decoding bytes: [UInt8]) throws(StorageError) {
    guard let version = bytes.first, Self.formatVersions.contains(version) else {
      throw Self.unsupported
    }
    let hasLogState = version > Self.formatVersions.lowerBound
    guard bytes.count == Self.byteCount + (hasLogState ? Self.logStateByteCount : 0) else {
      throw StorageError(.corrupt, "checkpoint has a wrong length; run: cairn rebuild")
    }
    var offset = 1
    func read<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer {
      var value: Integer = 0
      let count = Integer.bitWidth / 8
      for index in 0..<count {
        value |=
          Integer(truncatingIfNeeded: bytes[offset + index]) << Integer(8 * (count - 1 - index))
      }
      offset += count
      return value
    }
    applied = read(UInt64.self)
    let low = read(UInt64.self)
    definition = RowDigest(low: low, high: read(UInt64.self))
    itemCount = read(UInt32.self)
    domainCount = read(UInt32.self)
    presentCount = read(UInt32.self)
    let flags = read(UInt8.self)
    hasExpiry = flags & 1 != 0
    tieBreaks = TieBreaks(rawValue: flags & 6) ?? .unknown
    greatestUse = Double(bitPattern: read(UInt64.self))
    latestUseMicroseconds = Int64(bitPattern: read(UInt64.self))
    for index in digests.indices {
      let low = read(UInt64.self)
      digests[index] = RowDigest(low: low, high: read(UInt64.self))
    }
    if hasLogState, let root = Hash32(bytes: bytes[offset..<offset + Hash32.byteCount]) {
      offset += Hash32.byteCount
      log = LogState(root: root, erasure: read(UInt64.self))
    }
  }
}
