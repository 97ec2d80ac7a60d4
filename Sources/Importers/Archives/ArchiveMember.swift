import Values

/// What an archive holds under one name.
protocol ArchiveContent: AnyObject {
  /// The next bytes, unpacked; none at the end.
  func next() throws(CairnError) -> [UInt8]
}

/// How much may come out of an archive.
///
/// Deflate can make a thousand bytes of one. Histories are texts and databases, which pack to a
/// tenth or a thirtieth; who unpacks to a hundred times the archive means harm.
struct UnpackingLimit {
  private static let ratio: Int64 = 100
  private static let byteCountMin: Int64 = 64 << 20
  private let most: Int64
  private var sum: Int64 = 0

  init(archiveByteCount: Int64) {
    most = max(Self.byteCountMin, archiveByteCount.multipliedReportingOverflow(by: Self.ratio).0)
  }

  mutating func add(_ count: Int) throws(CairnError) {
    sum += Int64(count)
    guard sum <= most else {
      throw CairnError(
        .malformed,
        "unpacks to more than \(most >> 20) MiB, far more than a history does; unpack it yourself")
    }
  }
}
