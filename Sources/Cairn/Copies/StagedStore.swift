import Files
import Glibc
import LMDB

/// A store in the making, inside of the directory that it is for.
///
/// All that makes the log what it is to be is done in there; then the log gets its place with one
/// rename. Until that moment nobody takes the directory for a store, and a copy that was killed is
/// begun anew.
enum StagedStore {
  static let name = "store.part"
  /// What is kept of what was made beside the log, which comes last.
  static let moved = [RunLines.name] + ServerFiles.kept

  /// Makes a log in a directory that is absent or empty.
  /// - Throws: `.badArgument` when the directory holds something; what `fill` throws. Nothing is
  ///   left in the directory then, nor the directory if it was not there.
  static func make<R>(in directory: String, _ fill: (_ staging: String) throws(CairnError) -> R)
    throws(CairnError) -> R
  {
    let staging = "\(directory)/\(name)"
    let isNew = try Store.makeEmpty(directory)
    try SmallFile.removeTree(staging)
    try removeMoved(from: directory)
    guard unsafe mkdir(staging, 0o700) == 0 else {
      throw CairnError.system(errno, "cannot be created", path: staging)
    }
    do throws(CairnError) {
      let result = try fill(staging)
      for name in try SmallFile.names(in: staging) where name != LogFile.name {
        if moved.contains(name) {
          try SmallFile.rename("\(staging)/\(name)", to: "\(directory)/\(name)")
        } else {
          try SmallFile.remove("\(staging)/\(name)")
        }
      }
      try SmallFile.rename("\(staging)/\(LogFile.name)", to: "\(directory)/\(LogFile.name)")
      try SmallFile.removeTree(staging)
      return result
    } catch {
      try removeMoved(from: directory)
      try SmallFile.removeTree(staging)
      if isNew { _ = unsafe rmdir(directory) }
      throw error
    }
  }

  private static func removeMoved(from directory: String) throws(CairnError) {
    for name in moved { try SmallFile.remove("\(directory)/\(name)") }
  }
}
