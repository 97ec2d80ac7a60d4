import CLMDB
import Glibc

extension Environment {
  /// Opens the file at `path`, or gives the environment this process already has for it.
  ///
  /// Looks at the file before LMDB does, so that a foreign, truncated or newer file is an error.
  /// - Throws: `.missing`, `.notAStore`, `.unsupportedFormat`, `.corrupt`, `.readOnly`,
  ///   `.badArgument` for a network file system or when the file is open with other tables or for
  ///   reading only. (`mdb_env_open`)
  package static func open(
    _ path: String,
    _ configuration: Configuration
  ) throws(StorageError) -> Environment {
    let file = try FileProbe.inspect(path, configuration)
    let environment = try EnvironmentRegistry.shared.environment(of: file.identity) {
      () throws(StorageError) -> Environment in
      let opened = try OpenedFile(path, file, configuration)
      return Environment(opened, configuration: configuration)
    }
    do throws(StorageError) {
      try environment.checkProcess()
      try environment.serve(configuration)
    } catch {
      environment.close()
      throw error
    }
    return environment
  }

  /// Throws unless this environment can do what `other` asks for.
  private func serve(_ other: Configuration) throws(StorageError) {
    guard hasTables(other.tables) else {
      throw StorageError(
        .badArgument,
        "the file is already open in this process with other tables",
        place: fileName
      )
    }
    guard other.access == .readOnly || configuration.access == .readWrite else {
      throw StorageError(
        .readOnly,
        "the file is already open in this process for reading; close that first",
        place: fileName
      )
    }
  }
}

/// A file on its way to become an `Environment`.
struct OpenedFile {
  let path: String
  let fileName: String
  let identity: FileIdentity
  let writer: WriterThread
  let pointer: EnvironmentPointer
  let handles: [TableName: UInt32]

  init(
    _ path: String,
    _ file: FileProbe,
    _ configuration: Environment.Configuration
  ) throws(StorageError) {
    self.path = path
    let fileName = FileName(path).text
    self.fileName = fileName
    identity = file.identity
    let writer = configuration.writer ?? WriterThread(name: fileName)
    self.writer = writer
    let raw = try unsafe Self.openRaw(path, fileName, configuration)
    do throws(StorageError) {
      unsafe mdb_reader_check(raw, nil)
      let tables = unsafe TableOpening(
        raw: raw,
        fileName: fileName,
        configuration: configuration
      )
      handles = try writer.run { () throws(StorageError) in try tables.run() }
      if file.isNew { try DirectorySync.run(containing: path) }
    } catch {
      unsafe mdb_env_close(raw)
      throw error
    }
    pointer = unsafe EnvironmentPointer(raw)
  }

  private static func openRaw(
    _ path: String,
    _ fileName: String,
    _ configuration: Environment.Configuration
  ) throws(StorageError) -> OpaquePointer {
    var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS)
    if configuration.access == .readOnly { flags |= UInt32(MDB_RDONLY) }
    if configuration.durability == .deferred { flags |= UInt32(MDB_NOSYNC) }
    var mapByteCount = configuration.mapByteCount
    while true {
      var created: OpaquePointer?
      guard unsafe mdb_env_create(&created) == 0, let raw = unsafe created else {
        throw StorageError(status: ENOMEM, doing: "open the file", place: fileName)
      }
      unsafe mdb_env_set_maxdbs(raw, UInt32(max(configuration.tables.count, 1)))
      unsafe mdb_env_set_maxreaders(raw, Limits.readerCountMax)
      unsafe mdb_env_set_mapsize(raw, mapByteCount)
      let status = unsafe mdb_env_open(raw, path, flags, 0o600)
      if status == 0 { return unsafe raw }
      unsafe mdb_env_close(raw)
      if status == ENOMEM && mapByteCount / 2 >= Limits.mapByteCountMin {
        mapByteCount /= 2
      } else if configuration.access == .readOnly && flags & UInt32(MDB_NOLOCK) == 0
        && (status == EACCES || status == EROFS || status == EPERM)
      {
        // The lock file cannot be made or written here, so no writer of ours can run either.
        flags |= UInt32(MDB_NOLOCK)
      } else {
        throw StorageError(status: status, doing: "open the file", place: fileName)
      }
    }
  }
}
