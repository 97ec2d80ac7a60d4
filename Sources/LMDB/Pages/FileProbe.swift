import CLMDB
import Glibc

/// What a file is, found out before LMDB maps it.
///
/// LMDB trusts its meta pages; a truncated file it maps kills the process at the first access
/// beyond the end. Opening and closing the data file is harmless: the locks are on the lock file.
struct FileProbe {
  let identity: FileIdentity
  /// Whether the file has no content yet.
  let isNew: Bool
  /// Whether the file ends before its last page; sound, but every opening has to make sure.
  let isShort: Bool

  static func inspect(_ path: String, _ configuration: Environment.Configuration)
    throws(CairnError) -> FileProbe
  {
    let name = FileName(path).text
    let mayCreate = configuration.create && configuration.access == .readWrite
    let flags = (mayCreate ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC
    let descriptor = unsafe Glibc.open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw CairnError(status: errno, doing: "open the file", place: name)
    }
    defer { close(descriptor) }
    try NetworkFileSystem.refuse(descriptor, place: name)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw CairnError(status: errno, doing: "look at the file", place: name)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CairnError(.notAStore, "the path does not name a regular file", place: name)
    }
    let identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    if status.st_size == 0 {
      guard mayCreate else {
        throw CairnError(.notAStore, "the file is empty; create the store first", place: name)
      }
      return FileProbe(identity: identity, isNew: true, isShort: false)
    }
    let isShort = try MetaPage.check(descriptor, place: name)
    return FileProbe(identity: identity, isNew: false, isShort: isShort)
  }
}

/// Makes the name of a new file durable: `fsync` of a file does not cover its directory.
enum DirectorySync {
  static func run(containing path: String) throws(CairnError) {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = unsafe Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw CairnError(status: errno, doing: "reach the disk", place: FileName(path).text)
    }
  }
}
