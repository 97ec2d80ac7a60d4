import Glibc

/// Tells the store that a process opened from another one that was put in its place.
package struct StoreIdentity: Sendable {
  private let path: String
  private let device: UInt
  private let inode: UInt

  package init(directory: String) {
    path = directory + "/log.mdb"
    (device, inode) = Self.look(path) ?? (0, 0)
  }

  /// Whether the store is where it was.
  package var isThere: Bool { Self.look(path).map { $0 == (device, inode) } ?? false }

  private static func look(_ path: String) -> (UInt, UInt)? {
    var status = stat()
    // SAFETY: the call fills the one structure it is given; the path is a NUL-ended copy.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return (UInt(status.st_dev), UInt(status.st_ino))
  }
}
