import Glibc

package enum StoreDisk {
  /// Bytes that this user may still write below a directory; nil where the system does not tell.
  package static func freeByteCount(_ directory: String) -> UInt64? {
    var disk = statvfs()
    // SAFETY: the call fills the one structure it is given; the path is a NUL-ended copy.
    guard unsafe statvfs(directory, &disk) == 0 else { return nil }
    return UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
  }
}
