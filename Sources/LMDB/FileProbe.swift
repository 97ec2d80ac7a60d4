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

  static func inspect(
    _ path: String,
    _ configuration: Environment.Configuration
  ) throws(StorageError) -> FileProbe {
    let name = FileName(path).text
    let mayCreate = configuration.create && configuration.access == .readWrite
    let flags = (mayCreate ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC
    let descriptor = unsafe Glibc.open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw StorageError(status: errno, doing: "open the file", place: name)
    }
    defer { close(descriptor) }
    try NetworkFileSystem.refuse(descriptor, place: name)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw StorageError(status: errno, doing: "look at the file", place: name)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(.notAStore, "the path does not name a regular file", place: name)
    }
    let identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    if status.st_size == 0 {
      guard mayCreate else {
        throw StorageError(.notAStore, "the file is empty; create the store first", place: name)
      }
      return FileProbe(identity: identity, isNew: true)
    }
    try MetaPage.check(descriptor, place: name)
    return FileProbe(identity: identity, isNew: false)
  }
}

/// The two pages at the start of a file that say where everything is (`mdb.c`, `MDB_meta`).
struct MetaPage {
  /// Bytes of page header and meta block on a 64-bit machine.
  private static let byteCount = 152

  let pageByteCount: Int
  let mainRoot: UInt64
  let freeRoot: UInt64
  let lastPage: UInt64
  let transaction: UInt64

  /// Checks both meta pages, and that the file is as long as the newer one says.
  static func check(_ descriptor: CInt, place: String) throws(StorageError) {
    let first = try read(descriptor, at: 0, place: place)
    let second = try read(descriptor, at: first.pageByteCount, place: place)
    let newest = second.transaction > first.transaction ? second : first
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw StorageError(status: errno, doing: "look at the file", place: place)
    }
    let pageCount = UInt64(status.st_size) / UInt64(newest.pageByteCount)
    for root in [newest.mainRoot, newest.freeRoot] where root != .max {
      guard root < pageCount else {
        throw StorageError(
          .corrupt,
          "the file is shorter than its own index says. Restore it from a copy, or "
            + "rebuild it when it is a view.",
          place: place
        )
      }
    }
  }

  private static func read(
    _ descriptor: CInt,
    at offset: Int,
    place: String
  ) throws(StorageError) -> MetaPage {
    var block = [UInt8](repeating: 0, count: byteCount)
    let count = unsafe pread(descriptor, &block, byteCount, offset)
    guard count >= 0 else {
      throw StorageError(status: errno, doing: "read the file", place: place)
    }
    let bytes = block.rawSpan
    // Page flag 0x08 marks a meta page.
    guard count == byteCount, bytes.loadLittleEndian16(at: 10) & 0x08 != 0,
      bytes.loadLittleEndian32(at: 16) == 0xBEEF_C0DE
    else {
      throw StorageError(
        offset == 0 ? .notAStore : .corrupt,
        "the start of the file is not that of a store. Check the path.",
        place: place
      )
    }
    guard bytes.loadLittleEndian32(at: 20) == 1 else {
      throw StorageError(
        .unsupportedFormat,
        "the file is in another LMDB format. Open it with the version that "
          + "wrote it.",
        place: place
      )
    }
    let pageByteCount = Int(bytes.loadLittleEndian32(at: 40))
    guard (512...65_536).contains(pageByteCount), pageByteCount.nonzeroBitCount == 1 else {
      throw StorageError(.corrupt, "the page size in the file makes no sense", place: place)
    }
    return MetaPage(
      pageByteCount: pageByteCount,
      mainRoot: bytes.loadLittleEndian64(at: 128),
      freeRoot: bytes.loadLittleEndian64(at: 80),
      lastPage: bytes.loadLittleEndian64(at: 136),
      transaction: bytes.loadLittleEndian64(at: 144)
    )
  }
}

/// File systems on which LMDB's locks or shared memory do not hold between machines.
enum NetworkFileSystem {
  /// Magic numbers of `statfs(2)`: NFS, SMB, CIFS, SMB2, Ceph, AFS, Coda, Lustre, GPFS, OCFS2.
  private static let magics: Set<UInt32> = [
    0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x00C3_6400, 0x5346_414F, 0x7375_7245, 0x0BD0_0BD0,
    0x4750_4653, 0x7461_636F,
  ]

  static func refuse(_ descriptor: CInt, place: String) throws(StorageError) {
    var status = statfs()
    guard unsafe fstatfs(descriptor, &status) == 0 else { return }
    if magics.contains(UInt32(truncatingIfNeeded: status.f_type)) {
      throw StorageError(
        .badArgument,
        "the file is on a network file system, where locks do not hold. Put the "
          + "store on a local disk.",
        place: place
      )
    }
  }
}

/// Makes the name of a new file durable: `fsync` of a file does not cover its directory.
enum DirectorySync {
  static func run(containing path: String) throws(StorageError) {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = unsafe Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw StorageError(status: errno, doing: "reach the disk", place: FileName(path).text)
    }
  }
}
