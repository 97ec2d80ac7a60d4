import CSQLite
import Files
import Glibc
import Synchronization
import Values

/// Copies of other programs' databases in a folder that nobody else can read.
///
/// They are deleted as soon as SQLite has them open. For the moments before, the names of what is
/// there are kept where a signal handler can reach them.
package enum PrivateCopies {
  /// Copies that may be made at a time.
  private static let groupCount = 16
  /// The folder and the files of one copy.
  private static let groupSlotCount = 5
  private static let slotCount = groupCount * groupSlotCount
  private static let slotByteCount = 4096
  private static let taken = Mutex<UInt32>(0)
  /// The names of what is to go, in memory that is zero and never freed: a handler may read them at
  /// any time, and a process that copies nothing touches none of it.
  nonisolated(unsafe) private static let slots =
    // SAFETY: memory of the size asked for, or nil.
    unsafe calloc(slotCount, slotByteCount)?
    .bindMemory(to: CChar.self, capacity: slotCount * slotByteCount)

  /// Makes what ``deleteAll()`` reads; to be called before signals are handled.
  package static func prepare() { unsafe _ = slots }

  /// Deletes what is there; safe in a signal handler.
  package static func deleteAll() { for group in 0..<groupCount { delete(group) } }

  private static func delete(_ group: Int) {
    guard let slots = unsafe slots else { return }
    // The folder has the first slot of its group and goes last.
    for index in (0..<groupSlotCount).reversed() {
      // SAFETY: every slot is a NUL-ended text at any time: a name is written from its end.
      let name = unsafe slots + (group * groupSlotCount + index) * slotByteCount
      guard unsafe name.pointee != 0 else { continue }
      if index == 0 { unsafe rmdir(name) } else { unsafe unlink(name) }
      unsafe name.pointee = 0
    }
  }

  /// Takes a group of names that nobody uses.
  private static func takeGroup() throws(CairnError) -> Int {
    let group = taken.withLock { taken in
      let group = (0..<groupCount).first { taken & 1 << UInt32($0) == 0 }
      if let group { taken |= 1 << UInt32(group) }
      return group
    }
    guard let group else { throw CairnError(.io, "too many databases are copied at a time") }
    return group
  }

  /// Notes a name; its first byte is written last, so that a handler never sees half of it.
  private static func note(_ path: String, at index: Int) throws(CairnError) {
    let bytes = Array(path.utf8)
    guard let slots = unsafe slots else { throw CairnError(.io, "there is no memory for a copy") }
    guard bytes.count < slotByteCount else { throw CairnError(.io, "the scratch path is too long") }
    let slot = unsafe slots + index * slotByteCount
    for place in stride(from: bytes.count, through: 0, by: -1) {
      unsafe slot[place] = place == bytes.count ? 0 : CChar(bitPattern: bytes[place])
    }
  }

  /// Deletes copies that a process left when it was killed; none takes an hour to make.
  private static func deleteForgotten(in scratch: String) {
    for name in Folder.names(scratch) where name.hasPrefix(folderPrefix) {
      let folder = scratch + "/" + name
      guard let status = FileStatus(folder, followsLinks: false),
        status.modified.seconds < Timestamp.now().seconds - 3600
      else { continue }
      // SAFETY: the paths are NUL-ended copies for the time of the calls.
      for ending in endings + ["-shm"] { unsafe unlink(folder + "/copy" + ending) }
      unsafe rmdir(folder)
    }
  }

  private static let folderPrefix = "cairn-import-"
  /// What a database is, with its log and its journal.
  private static let endings = ["", "-wal", "-journal"]

  /// Copies a database with its log or journal, lends the copy, says whether its end is missing,
  /// and whether nothing beside it may have that, and deletes the names.
  ///
  /// A copy during which the original changed is made again, up to five times, each time later:
  /// what a program writes at once takes a moment.
  static func withCopy<R>(
    of path: String, scratch: String,
    _ body: (String, _ isShort: Bool, _ isCutOff: Bool) throws(CairnError) -> R
  ) throws(CairnError) -> R {
    let group = try takeGroup()
    defer {
      delete(group)
      taken.withLock { $0 &= ~(1 << UInt32(group)) }
    }
    deleteForgotten(in: scratch)
    let folder = try makeFolder(in: scratch)
    let firstSlot = group * groupSlotCount
    try note(folder, at: firstSlot)
    let copy = folder + "/copy"
    // The log and the journal stand beside the file that a link leads to.
    let path = RealPath.of(path) ?? path
    // SQLite makes the shared memory of a log beside the copy.
    for (index, ending) in (endings + ["-shm"]).enumerated() {
      try note(copy + ending, at: firstSlot + index + 1)
    }
    for attempt in 1...5 {
      let before = State(of: path)
      for ending in endings {
        try copyFile(path + ending, to: copy + ending, isNeeded: ending.isEmpty)
      }
      if State(of: path) == before || attempt == 5 { break }
      usleep(20_000 << UInt32(attempt))
    }
    let isShort = lengthen(copy)
    let hasLog = endings.dropFirst().contains { (FileStatus(copy + $0)?.byteCount ?? 0) > 0 }
    return try body(copy, isShort, isShort && !hasLog)
  }

  /// What has to stay as it is for a copy to be whole.
  ///
  /// A log may grow: it is read up to the last transaction that is whole, and before any of it is
  /// written over it is begun anew.
  struct State: Equatable {
    private var files: [FileStatus?]
    /// The first bytes of the log, which have other numbers each time it is begun.
    private var log: [UInt8]?

    /// The state of a database by its path.
    init(of path: String) {
      files = ["", "-journal"].map { FileStatus(path + $0) }
      // Where there is no log there is none to compare.
      let stream = try? ByteStream(path: path + "-wal", unpacks: false)
      log = (try? stream?.next()) == true ? stream.map { Array($0.chunk.prefix(32)) } : nil
    }
  }

  /// Gives the copy of a database that was cut off the length that it tells of itself.
  ///
  /// SQLite refuses one that is shorter whole; what was cut off is now pages that are damaged. So
  /// is the one that was cut in its middle, whose rows would lack some of their bytes.
  /// - Returns: Whether it was shorter.
  private static func lengthen(_ copy: String) -> Bool {
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    let file = unsafe open(copy, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: 96)
    // SAFETY: reads at most what the buffer holds.
    guard unsafe read(file, &head, head.count) == head.count,
      let byteCount = FileStatus(descriptor: file)?.byteCount,
      // What wrote no length since the last change (SQLite before 3.7) left an old one.
      head[24..<28] == head[92..<96]
    else { return false }
    let written = Int(head[16]) << 8 | Int(head[17])
    // 65,536 does not fit, and is written as 1.
    let pageByteCount = written == 1 ? 1 << 16 : written
    let length = pageByteCount * Int(head.rawSpan.loadBigEndian32(at: 28))
    guard pageByteCount > 0, byteCount >= pageByteCount, length > byteCount, length <= lengthMax
    else { return false }
    // Where there is no room for it, SQLite says that the database is damaged.
    ftruncate(file, byteCount / pageByteCount * pageByteCount)
    ftruncate(file, length)
    return true
  }

  /// More bytes than any history has.
  private static let lengthMax = 1 << 36

  /// Makes a folder that only this user can enter, in one that is this user's.
  static func makeFolder(in scratch: String) throws(CairnError) -> String {
    _ = unsafe mkdir(scratch, 0o700)
    guard let status = FileStatus(scratch, followsLinks: false), status.isFolder,
      status.owner == geteuid(), status.mode & 0o022 == 0
    else {
      throw CairnError(
        .io, "is no folder that only you can write; remove it or set TMPDIR", place: scratch)
    }
    var template = Array("\(scratch)/\(folderPrefix)XXXXXX".utf8CString)
    // SAFETY: the template is NUL-ended, and the call writes only its last six letters.
    guard unsafe mkdtemp(&template) != nil else {
      throw .system(.io, "\(scratch): no scratch folder can be made there")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func copyFile(_ path: String, to copy: String, isNeeded: Bool) throws(CairnError) {
    // SAFETY: the paths are NUL-ended copies for the time of the calls.
    let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else {
      unsafe unlink(copy)
      guard isNeeded else { return }
      throw .system(.missing, "cannot be read")
    }
    defer { close(source) }
    let target = unsafe open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw .system(.io, "the scratch folder cannot be written") }
    defer { close(target) }
    // File systems that can share the blocks do; elsewhere they are copied.
    while true {
      let count = cairn_copy_file_range(source, nil, target, nil, 1 << 30, 0)
      if count == 0 { return }
      if count > 0 || errno == EINTR { continue }
      guard [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else {
        throw .system(.io, "cannot be copied to the scratch folder")
      }
      return try copyBytes(source, target)
    }
  }

  private static func copyBytes(_ source: Int32, _ target: Int32) throws(CairnError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      // SAFETY: reads and writes at most what the buffer holds.
      let count = unsafe read(source, &buffer, buffer.count)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        throw .system(.missing, "cannot be read")
      }
      var done = 0
      while done < count {
        let written = unsafe buffer.withUnsafeBytes { bytes in
          unsafe write(target, bytes.baseAddress.map { unsafe $0 + done }, count - done)
        }
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { throw .system(.io, "the scratch folder cannot be written") }
        done += written
      }
    }
  }
}
