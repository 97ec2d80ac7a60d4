import Files
import Glibc
import Projections

/// A backup or a copy that was made of a store, and that still holds what is purged later.
public struct KnownCopy: Sendable, Hashable {
  /// Its directory.
  public var directory: String
  /// When it was made.
  public var created: Timestamp
  /// The last event in it.
  public var sequence: UInt64
}

extension Store {
  static let copiesName = "copies"

  private var copiesPath: String { "\(directory)/\(Self.copiesName)" }

  /// The backups and copies made of this store that are still where they were made.
  ///
  /// Those that were restored from a backup beside this store are among them. Those in the store's
  /// own directory are not listed: a purge purges them too.
  /// - Throws: `corrupt` for a damaged line, which may have named any; `io`.
  /// - Complexity: O(copies ever made).
  /// - Note: Blocks the calling thread.
  public func knownCopies() throws(CairnError) -> [KnownCopy] { try notedCopies(areThere: true) }

  /// The backups and copies made of this store that are not where they were made: moved, deleted,
  /// or on a medium that is not there now.
  func lostCopies() throws(CairnError) -> [KnownCopy] { try notedCopies(areThere: false) }

  private func notedCopies(areThere: Bool) throws(CairnError) -> [KnownCopy] {
    var copies: [[UInt8]: KnownCopy] = [:]
    guard let bytes = try FileBytes.read(copiesPath, limit: Self.copiesByteCountMax) else {
      return []
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      // A line that a crash cut short tells of no copy that was ever acknowledged; one that was
      // written whole has an empty line behind it.
      let isWhole = !line.isEmpty && index + 1 < lines.count && lines[index + 1].isEmpty
      guard isWhole || line.contains(UInt8(ascii: "}")) else { continue }
      guard let copy = JSONObject(json: line).flatMap({ KnownCopy($0) }) else {
        throw CairnError(
          .corrupt, "line \(index + 1) is damaged; delete it when you know which copies there are",
          place: Self.copiesName)
      }
      copies[Array(copy.directory.utf8)] = copy
    }
    let own = RealPath.of(directory).map { $0 + "/" } ?? directory
    var found: [KnownCopy] = []
    for copy in copies.values where !copy.directory.utf8.starts(with: own.utf8) {
      let isThere = try SmallFile.byteCount("\(copy.directory)/\(LogFile.name)") != nil
      if isThere == areThere { found.append(copy) }
    }
    return found.sorted { ($0.created, $0.directory) < ($1.created, $1.directory) }
  }

  private static let copiesByteCountMax = 16 << 20

  /// What is wrong with the list of copies.
  func copyProblems() throws(CairnError) -> [Verification.Problem] {
    do throws(CairnError) { _ = try knownCopies() } catch  where error.code == .corrupt {
      return [.init(error, in: Self.copiesName)]
    }
    return []
  }

  /// Notes that a copy was made.
  ///
  /// One of a store that can only be read, or whose disk is full, stays unknown: what was made
  /// elsewhere is whole, and may be the way out.
  /// - Returns: Whether there was room for it.
  func noteCopy(in path: String, through sequence: UInt64) throws(CairnError) -> Bool {
    guard let directory = RealPath.of(path) else { return false }
    let copy = KnownCopy(directory: directory, created: .now(), sequence: sequence)
    do throws(CairnError) {
      // A pipe of that name is refused, and nobody waits for who reads it.
      let flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK
      let file = try OpenFile(copiesPath, flags, mode: 0o600)
      // On a line of its own, also after one that was cut short.
      let end = [UInt8(ascii: "\n")]
      try file.write((end + copy.json.text + end).rawSpan)
      try file.flush()
      return true
    } catch  where error.code == .readOnly || error.code == .diskFull { return false }
  }

  /// Whether a path, which need not be there yet, is a folder or lies in it.
  static func isInside(_ path: String, _ folder: String) -> Bool {
    guard let outer = RealPath.of(folder) else { return false }
    var path = path
    while RealPath.of(path) == nil, let slash = SmallFile.lastSlash(of: path),
      slash > path.startIndex
    {
      path = String(path[..<slash])
    }
    let found = RealPath.of(path) ?? RealPath.of(path.hasPrefix("/") ? "/" : ".") ?? path
    return found.hasBytes(of: outer) || found.utf8.starts(with: (outer + "/").utf8)
  }
}

extension KnownCopy {
  fileprivate init?(_ object: JSONObject) {
    guard let directory = object["directory"]?.string,
      let sequence: UInt64 = object["sequence"]?.number(),
      let created = object["created"]?.string.flatMap({ Timestamp(rfc3339: $0) })
    else { return nil }
    self.init(directory: directory, created: created, sequence: sequence)
    // Lines of before have none.
    guard let given = object["check"] else { return }
    guard case .number(let sum) = given, sum == check else { return nil }
  }

  fileprivate var json: JSONValue {
    .object([
      "directory": .string(directory), "created": .string(created.rfc3339),
      "sequence": .number(String(sequence)), "check": .number(check),
    ])
  }

  private var check: String {
    var hasher = RowHasher(kind: 1)
    hasher.add(NameKey(directory))
    hasher.add(NameKey(created.rfc3339))
    hasher.add(sequence)
    return String(NameKey(hasher).short)
  }
}
