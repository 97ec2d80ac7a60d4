import Glibc

/// Tells the store that a server opened from another one that was put in its place.
struct StoreIdentity: Sendable {
  private let path: String
  private let device: UInt
  private let inode: UInt

  init(directory: String) {
    path = directory + "/log.mdb"
    (device, inode) = Self.look(path) ?? (0, 0)
  }

  /// Whether the store is where it was.
  var isThere: Bool { Self.look(path).map { $0 == (device, inode) } ?? false }

  /// - Throws: 500 `missing` when the store was removed or replaced: what would be written is
  ///   found by nobody.
  func check() throws(Refusal) {
    guard !isThere else { return }
    throw Refusal(
      500, "missing", "the store was removed or replaced while it was served; start the server anew"
    )
  }

  private static func look(_ path: String) -> (UInt, UInt)? {
    var status = stat()
    // SAFETY: the call fills the one structure it is given; the path is a NUL-ended copy.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return (UInt(status.st_dev), UInt(status.st_ino))
  }
}
