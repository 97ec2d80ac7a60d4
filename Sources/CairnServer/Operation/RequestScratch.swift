import Cairn
import Files
import Glibc

/// A folder of the store for what requests need for a while: bodies that are too large for memory,
/// copies of databases, events being sorted.
///
/// Nothing in it outlives a request; what a killed server left goes when the next one starts.
package struct RequestScratch: Sendable {
  package let path: String

  init(directory: String) { path = directory + "/serve.scratch" }

  /// Removes what is there.
  func clear() throws(CairnError) { try Self.remove(path) }

  private static func remove(_ path: String) throws(CairnError) {
    var status = stat()
    // SAFETY: the call fills the one structure it is given; the path is a NUL-ended copy.
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else { return try SmallFile.remove(path) }
    for name in try SmallFile.names(in: path) { try remove("\(path)/\(name)") }
    guard unsafe rmdir(path) == 0 || errno == ENOENT else {
      throw CairnError.system(errno, "cannot be deleted", path: path)
    }
  }
}
