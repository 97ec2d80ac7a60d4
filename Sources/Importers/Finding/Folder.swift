import Files
import Glibc
import Values

/// The names in a folder.
enum Folder {
  /// Whether this user may read a file or folder: a pipe would be waited for.
  static func isReadable(_ path: String) -> Bool {
    guard let status = FileStatus(path), status.isFile || status.isFolder else { return false }
    return unsafe access(path, R_OK) == 0
  }

  /// Whether a path names a file without a byte; one whose database log has some holds something.
  static func isEmptyFile(_ path: String) -> Bool {
    guard let file = FileStatus(path), file.isFile, file.byteCount == 0 else { return false }
    return FileStatus(path + "-wal")?.byteCount ?? 0 == 0
  }

  /// The paths of what is in a folder, what was written last at the end: what the newest of several
  /// copies says of a bookmark stands.
  static func byAge(_ path: String) -> [String] {
    names(path).map { (FileStatus(path + "/" + $0)?.modified.microseconds ?? 0, path + "/" + $0) }
      .sorted { $0 < $1 }.map { $0.1 }
  }

  /// Sorted, without what a Mac keeps beside files; none where it cannot be read.
  static func names(_ path: String) -> [String] {
    let names = (try? SmallFile.names(in: path)) ?? []
    return names.filter { !isBesideFile($0) }.sorted()
  }

  /// Whether a Mac keeps the attributes of another file in it, where the disk or the archive has no
  /// place for them: `._.bash_history` is no history of bash.
  static func isBesideFile(_ name: String) -> Bool { name.hasPrefix("._") }
}
