import CLMDB
import CPageGuard
import Glibc

/// A file on its way to become an `Environment`.
struct OpenedFile {
  let path: String
  let fileName: String
  let identity: FileIdentity
  let writer: WriterThread
  let pointer: EnvironmentPointer
  let handles: [TableName: UInt32]

  init(_ path: String, _ file: FileProbe, _ configuration: Environment.Configuration)
    throws(CairnError)
  {
    self.path = path
    let fileName = FileName(path).text
    self.fileName = fileName
    identity = file.identity
    let writer = configuration.writer ?? WriterThread(name: fileName)
    self.writer = writer
    let raw = try unsafe Self.openRaw(
      path, Self.flags(path, fileName, configuration), configuration)
    do throws(CairnError) {
      unsafe mdb_reader_check(raw, nil)
      try unsafe Self.checkTables(raw, fileName)
      let tables = unsafe TableOpening(raw: raw, fileName: fileName, configuration: configuration)
      handles = try writer.run { () throws(CairnError) in try tables.run() }
      try unsafe Self.checkLockFile(raw, fileName)
      if file.isShort && configuration.access == .readWrite {
        try writer.run { () throws(CairnError) in try unsafe Self.lengthen(raw, fileName) }
      }
      if file.isNew { try DirectorySync.run(containing: path) }
    } catch {
      unsafe mdb_env_close(raw)
      throw error
    }
    pointer = unsafe EnvironmentPointer(raw)
  }

  private static func flags(
    _ path: String, _ fileName: String, _ configuration: Environment.Configuration
  ) throws(CairnError) -> UInt32 {
    var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS)
    if configuration.durability == .deferred { flags |= UInt32(MDB_NOSYNC) }
    let lockFile = LockFile(besides: path, place: fileName)
    let isLockable = try lockFile.reserve()
    guard configuration.access == .readOnly else { return flags }
    flags |= UInt32(MDB_RDONLY)
    if isLockable { return flags }
    // Without the lock file this process is no reader to others, and a writer would reuse the
    // pages under it.
    guard !lockFile.isInUse() else {
      throw CairnError(
        .busy,
        "another process has the store open and its lock file cannot be written from here; "
          + "close it there, or give this user write permission on the lock file", place: fileName)
    }
    return flags | UInt32(MDB_NOLOCK)
  }

  private static func openRaw(
    _ path: String, _ flags: UInt32, _ configuration: Environment.Configuration
  ) throws(CairnError) -> OpaquePointer {
    var mapByteCount = configuration.mapByteCount
    while true {
      var created: OpaquePointer?
      var status = unsafe mdb_env_create(&created)
      if status == 0, let raw = unsafe created {
        unsafe cairn_guard_environment(UnsafeMutableRawPointer(raw))
        unsafe mdb_env_set_maxdbs(raw, UInt32(max(configuration.tables.count, 1)))
        unsafe mdb_env_set_maxreaders(raw, Limits.readerCountMax)
        unsafe mdb_env_set_mapsize(raw, mapByteCount)
        status = unsafe mdb_env_open(raw, path, flags, 0o600)
        if status == 0 { return unsafe raw }
        unsafe mdb_env_close(raw)
      }
      // The system may refuse a large map (`ulimit -v`); the file itself needs little of it.
      guard status == ENOMEM, mapByteCount / 2 >= Limits.mapByteCountMin else {
        throw CairnError(status: status, doing: "open the file", place: FileName(path).text)
      }
      mapByteCount /= 2
    }
  }
}
