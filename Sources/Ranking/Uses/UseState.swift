import LMDB
import Projections

/// What is known of an item's use: views, last view, frecency.
package struct UseState: Equatable, Sendable {
  package private(set) var viewCount: UInt32 = 0
  /// Greatest time of a view, microseconds since 1970; `Int64.min` for none.
  package private(set) var lastViewedMicroseconds: Int64 = .min
  /// Sums of use over six time scales.
  package private(set) var frecency = Frecency()

  package init() {}

  /// Folds in one use.
  /// - Complexity: O(1).
  package mutating func add(_ use: Use) {
    if use.isView {
      viewCount &+= 1
      lastViewedMicroseconds = max(lastViewedMicroseconds, use.timeMicroseconds)
    }
    frecency.add(weight: Double(use.weight), atMicroseconds: use.heldMicroseconds)
  }

  static let byteCount = 4 + 8 + Frecency.byteCount

  func encode(into bytes: inout ByteWriter) {
    bytes.appendBigEndian(viewCount)
    bytes.appendBigEndian(UInt64(bitPattern: lastViewedMicroseconds))
    frecency.encode(into: &bytes)
  }

  init(decoding row: RawSpan) throws(CairnError) {
    guard row.byteCount == Self.byteCount else {
      throw CairnError(
        .corrupt, "a ranking row has a wrong length", place: "table ranks", remedy: .rebuild)
    }
    viewCount = row.loadBigEndian32(at: 0)
    lastViewedMicroseconds = Int64(bitPattern: row.loadBigEndian64(at: 4))
    frecency = Frecency(row, at: 12)
  }

  func digestRow(item: NameKey) -> RowHasher {
    var hasher = RowHasher(kind: 3)
    hasher.add(item)
    hasher.add(UInt64(viewCount))
    hasher.add(UInt64(bitPattern: lastViewedMicroseconds))
    hasher.add(UInt64(bitPattern: frecency.referenceMicroseconds))
    let values = frecency.values
    for index in values.indices { hasher.add(values[index].bitPattern) }
    return hasher
  }
}

extension Frecency {
  static let byteCount = 8 + scaleCount * 8

  /// Appends the reference time and the six sums, big-endian.
  func encode(into bytes: inout ByteWriter) {
    bytes.appendBigEndian(UInt64(bitPattern: referenceMicroseconds))
    let values = values
    for scale in values.indices { bytes.appendBigEndian(values[scale].bitPattern) }
  }

  var row: [UInt8] {
    var row = ByteWriter(capacity: Self.byteCount)
    encode(into: &row)
    return row.array()
  }

  /// Reads it from bytes that are there at an offset.
  init(_ row: RawSpan, at offset: Int) {
    var values: [6 of Double] = [0, 0, 0, 0, 0, 0]
    for scale in values.indices {
      values[scale] = Double(bitPattern: row.loadBigEndian64(at: offset + 8 + 8 * scale))
    }
    self.init(
      referenceMicroseconds: Int64(bitPattern: row.loadBigEndian64(at: offset)), values: values)
  }
}

/// One use of an item, the only thing ranking folds.
package struct Use: Equatable, Sendable {
  /// When, microseconds since 1970.
  package var timeMicroseconds: Int64
  /// The same, held back to at most `aheadMicrosecondsMax` after recording; what frecency goes by.
  package var heldMicroseconds: Int64
  /// How much it counts; 0 for not at all.
  package var weight: Float
  package var isView: Bool

  /// Latest time a use may claim, measured from when it was recorded: a clock set wrongly must
  /// not keep an item on top for years.
  package static let aheadMicrosecondsMax = Int64(FoldConstants.current.aheadSecondsMax * 1e6)
}

extension Use {
  /// A use claimed for `timeMicroseconds` and recorded at `recordedMicroseconds`.
  package init(timeMicroseconds: Int64, recordedMicroseconds: Int64, weight: Float, isView: Bool) {
    let (latest, overflow) = recordedMicroseconds.addingReportingOverflow(Self.aheadMicrosecondsMax)
    self.init(
      timeMicroseconds: timeMicroseconds,
      heldMicroseconds: overflow ? timeMicroseconds : min(timeMicroseconds, latest),
      weight: weight, isView: isView)
  }
}
