package import Glibc
package import Values

/// What the system says of a file: equal as long as it is the same one and nobody wrote to it.
package struct FileStatus: Equatable, Sendable {
  package let device: UInt
  package let inode: UInt
  package let mode: mode_t
  package let owner: uid_t
  package let byteCount: Int
  /// What it takes on disk.
  package let diskByteCount: Int
  package let modified: Timestamp
  private let changed: Timestamp

  /// A file by its path; nil where there is none or it cannot be looked at, as `errno` says.
  package init?(_ path: String, followsLinks: Bool = true) {
    var status = stat()
    // SAFETY: the calls fill the one structure they are given; the path is a NUL-ended copy.
    guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      return nil
    }
    self.init(status)
  }

  /// What is to be read: a file, or standard input for `-`.
  package init?(input path: String) {
    if path == "-" { self.init(descriptor: STDIN_FILENO) } else { self.init(path) }
  }

  /// An open file.
  package init?(descriptor: CInt) {
    var status = stat()
    // SAFETY: the call fills the one structure it is given.
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    mode = status.st_mode
    owner = status.st_uid
    byteCount = Int(status.st_size)
    diskByteCount = Int(status.st_blocks) * 512
    modified = Timestamp(
      seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(status.st_mtim.tv_nsec))
    changed = Timestamp(
      seconds: Int64(status.st_ctim.tv_sec), nanoseconds: UInt32(status.st_ctim.tv_nsec))
  }

  /// Whether both tell of one file, whatever was written to it between.
  package func isSame(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  package var isFile: Bool { mode & S_IFMT == S_IFREG }
  package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  package var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
  /// Whether its bytes can be read once only.
  package var isPipe: Bool { mode & S_IFMT == S_IFIFO || isSocket }
  /// Whether others than its owner may do anything with it.
  package var isExposed: Bool { mode & 0o077 != 0 }
}
