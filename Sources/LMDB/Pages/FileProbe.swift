import Files
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
    // A pipe with a name is refused below, and nobody waits for who writes it.
    let flags = (mayCreate ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NONBLOCK
    let descriptor = unsafe Glibc.open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw CairnError(status: errno, doing: "open the file", place: name)
    }
    defer { close(descriptor) }
    try NetworkFileSystem.refuse(descriptor, place: name)
    let status = try FileStatus(descriptor, place: name)
    guard status.isFile else {
      throw CairnError(.notAStore, "the path does not name a regular file", place: name)
    }
    let identity = FileIdentity(device: status.device, inode: status.inode)
    if status.byteCount == 0 {
      guard mayCreate else {
        throw CairnError(.notAStore, "the file is empty; create the store first", place: name)
      }
      return FileProbe(identity: identity, isNew: true, isShort: false)
    }
    let isShort = try MetaPage.check(descriptor, place: name)
    return FileProbe(identity: identity, isNew: false, isShort: isShort)
  }
}

extension FileStatus {
  /// An open file.
  /// - Throws: What the system says.
  init(_ descriptor: CInt, place: String) throws(CairnError) {
    guard let status = FileStatus(descriptor: descriptor) else {
      throw CairnError(status: errno, doing: "look at the file", place: place)
    }
    self = status
  }
}

/// Makes the name of a new file durable: `fsync` of a file does not cover its directory.
enum DirectorySync {
  static func run(containing path: String) throws(CairnError) {
    // By bytes: a slash with an accent behind it is another character, and a slash all the same.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let parent = slash.map { String(path[...$0]) } ?? "."
    let descriptor = unsafe Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw CairnError(status: errno, doing: "reach the disk", place: FileName(path).text)
    }
  }
}
