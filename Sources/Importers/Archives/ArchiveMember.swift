import Values

/// What an archive holds under one name.
protocol ArchiveContent: AnyObject {
  /// When it was written, in microseconds since 1970; nil where the archive does not say.
  var modified: Int64? { get }
  /// The next bytes, unpacked; none at the end.
  func next() throws(CairnError) -> [UInt8]
}

/// Which databases of an archive are not all of themselves: what was written last stands in a log
/// or journal beside them, which is not unpacked with them.
struct ArchivedDatabases {
  /// Whether each is a history.
  private var databases: [String: Bool] = [:]
  private var logged: Set<String> = []
  private var hasHistory = false
  /// Whether one cannot be opened, of which nobody can tell what it is.
  private var isDamaged = false

  /// Notes a member that is a log in use, by its name and its first bytes.
  mutating func noteLog(_ name: String, head: [UInt8]) {
    for ending in ["-wal", "-journal"] where name.hasSuffix(ending) && head.first ?? 0 != 0 {
      logged.insert(String(name.dropLast(ending.count)))
    }
  }

  mutating func note(_ name: String, _ member: InputFile, isHistory: Bool) throws(CairnError) {
    if isHistory { hasHistory = true }
    guard member.isDatabase else { return }
    databases[name] = isHistory
    do throws(CairnError) { try member.requireReadable() } catch {
      guard error.code == .malformed else { throw error }
      isDamaged = true
    }
  }

  /// - Throws: `CairnError` where a history is not whole, or what is damaged may be one.
  func requireWhole() throws(CairnError) {
    let isWhole = databases.allSatisfy { name, isHistory in
      !logged.contains(name) || !isHistory && hasHistory
    }
    guard isWhole else {
      throw CairnError(
        .malformed, "holds a database and a log that is a part of it; unpack it first")
    }
    guard !isDamaged else {
      throw CairnError(.malformed, "holds a damaged database, which was passed over")
    }
  }
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
