import Files
import Glibc
import LMDB

/// What stands where a store should be.
enum StoreDirectory {
  /// Checks that a path is a store, or may become one, touching nothing.
  /// - Throws: `.missing` when nothing is there or in it, `.notAStore` for a file or other folder.
  static func check(_ path: String, mayCreate: Bool) throws(CairnError) {
    guard let status = FileStatus(path) else {
      guard errno != ENOTDIR else {
        throw CairnError(
          .notAStore, "lies below a file; name the directory of a store", place: path)
      }
      guard errno == ENOENT else {
        throw unseen(path)
      }
      guard FileStatus(path, followsLinks: false) == nil else {
        throw CairnError(
          .notAStore, "is a link to a folder that is not there; make it, or name another store",
          place: path)
      }
      return try require(mayCreate, path)
    }
    guard status.isFolder else {
      throw CairnError(.notAStore, "is a file; name the directory of a store", place: path)
    }
    let log = path + "/log.mdb"
    if let status = FileStatus(log) {
      if status.byteCount == 0 { try checkNeverUsed(path) }
      return
    }
    guard errno == ENOENT else { throw unseen(log) }
    guard try SmallFile.names(in: path).isEmpty else {
      throw CairnError(.notAStore, "is a directory, but no store; name another", place: path)
    }
    try require(mayCreate, path)
  }

  /// What `errno` says of a path: the folders above it decide, so that its name alone says nothing.
  private static func unseen(_ path: String) -> CairnError {
    var error = CairnError.system(errno, "cannot be looked at", path: path)
    error.place = path
    return error
  }

  /// Refuses what only reads where a store may become, and none is yet.
  private static func require(_ mayCreate: Bool, _ path: String) throws(CairnError) {
    guard mayCreate else {
      throw CairnError(
        .missing, "no store here; name another, or record something first", place: path)
    }
  }

  /// Refuses a store whose log was emptied: an append would begin another history in its place.
  ///
  /// A log that was only about to be made when its maker was killed is empty too, but alone.
  private static func checkNeverUsed(_ path: String) throws(CairnError) {
    let names = try SmallFile.names(in: path)
    guard names.contains(where: { $0 == "CURRENT" || $0 == "signer.key" || $0.hasPrefix("view-") })
    else { return }
    throw CairnError(
      .corrupt,
      "is empty, but there was a log",
      place: path + "/log.mdb", remedy: .restore)
  }
}

extension StoreDirectory {
  /// Files in a store's directory, and in folders there, that no program of ours makes there, in
  /// order of their names; a folder that is not looked into counts as one.
  ///
  /// They may hold anything: a copy of the log under another name, an export.
  static func unknownFiles(in path: String, depth: Int = 0) throws(CairnError) -> [String] {
    let own = ["view-", "CURRENT", "signer.", "serve.", "writer.", "rebuild.", "pages."]
    let names = [Store.copiesName, LogFile.name, LogFile.name + "-lock"] + LogFile.unfinishedNames
    // Only beside a log such a name tells whose a file is.
    let isStore = FileStatus("\(path)/\(LogFile.name)")?.isFile == true
    var unknown: [String] = []
    for name in try SmallFile.names(in: path)
    where !isStore || !names.contains(name) && !own.contains(where: name.hasPrefix) {
      guard let status = FileStatus("\(path)/\(name)", followsLinks: false) else { continue }
      if depth < folderDepth, isOpenFolder("\(path)/\(name)") {
        unknown += try unknownFiles(in: "\(path)/\(name)", depth: depth + 1).map { "\(name)/\($0)" }
      } else if status.isFolder || status.isFile {
        unknown.append(name)
      }
    }
    return unknown.sorted()
  }

  /// Whether a path is a folder that this user may look into.
  static func isOpenFolder(_ path: String) -> Bool {
    unsafe FileStatus(path, followsLinks: false)?.isFolder == true
      && access(path, R_OK | X_OK) == 0
  }

  /// How deep folders in a store's directory are looked into.
  static let folderDepth = 8

  /// Bytes that the store's files take on disk.
  static func byteCount(_ path: String) throws(CairnError) -> Int {
    // A file that went away meanwhile takes no room.
    try SmallFile.names(in: path)
      .reduce(0) { $0 + (FileStatus("\(path)/\($1)")?.diskByteCount ?? 0) }
  }
}
