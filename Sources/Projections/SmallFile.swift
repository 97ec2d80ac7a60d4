import Glibc
package import LMDB

/// Whole small files, replaced atomically.
package enum SmallFile {
  private static let byteCountMax = 65_536
  /// Most files are a line; for some of its own the system takes as much memory as is asked for.
  private static let pieceByteCount = 512

  /// The text of a file, or nil when there is none.
  ///
  /// - Throws: `.io` when it exists and cannot be read, `.corrupt` when it is over 64 KiB.
  package static func read(_ path: String) throws(StorageError) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw StorageError.system(errno, "cannot be opened", path: path)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: pieceByteCount)
    while bytes.count < byteCountMax {
      let got = unsafe piece.withUnsafeMutableBytes { buffer in
        // SAFETY: reads at most what the buffer holds.
        unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      }
      guard got >= 0 else { throw StorageError.system(errno, "cannot be read", path: path) }
      if got == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(contentsOf: piece[..<got])
    }
    throw StorageError(.corrupt, "is larger than it can be", place: name(of: path))
  }

  /// Replaces a file: temporary file, flush, rename, flush of the directory.
  ///
  /// A secret one may be read by its owner alone, from its first byte on.
  package static func replace(_ path: String, with text: String, isSecret: Bool = false)
    throws(StorageError)
  {
    let temporary = path + ".new"
    // One that a crash left behind would keep its own permissions.
    if isSecret { try remove(temporary) }
    let mode: mode_t = isSecret ? 0o600 : 0o644
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw StorageError.system(errno, "cannot be created", path: path) }
    let bytes = Array(text.utf8)
    let written = unsafe bytes.withUnsafeBytes { buffer in
      // SAFETY: writes the buffer's own extent.
      unsafe write(descriptor, buffer.baseAddress, buffer.count)
    }
    let failure = written == bytes.count && fsync(descriptor) == 0 ? 0 : errno
    close(descriptor)
    guard failure == 0, written == bytes.count else {
      throw StorageError.system(failure == 0 ? ENOSPC : failure, "cannot be written", path: path)
    }
    guard unsafe Glibc.rename(temporary, path) == 0 else {
      throw StorageError.system(errno, "cannot be replaced", path: path)
    }
    try flushDirectory(of: path)
  }

  /// Gives a file another name, atomically and durably.
  package static func rename(_ path: String, to name: String) throws(StorageError) {
    guard unsafe Glibc.rename(path, name) == 0 else {
      throw StorageError.system(errno, "cannot be renamed", path: path)
    }
    try flushDirectory(of: name)
  }

  /// Bytes of a file of any size, nil when there is none.
  package static func byteCount(_ path: String) throws(StorageError) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw StorageError.system(errno, "cannot be looked at", path: path)
    }
    return Int(status.st_size)
  }

  /// Deletes a file; one that is not there is fine.
  package static func remove(_ path: String) throws(StorageError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else {
      throw StorageError.system(errno, "cannot be deleted", path: path)
    }
  }

  /// The names in a directory.
  package static func names(in directory: String) throws(StorageError) -> [String] {
    guard let stream = unsafe opendir(directory) else {
      throw StorageError.system(errno, "cannot be listed", path: directory)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // SAFETY: `d_name` is a NUL-terminated string inside the entry, copied before the next call.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func flushDirectory(of path: String) throws(StorageError) {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let directory = end == path.startIndex ? "." : String(path[..<end])
    let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StorageError.system(errno, "cannot be opened", path: directory)
    }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw StorageError.system(errno, "cannot be flushed", path: directory)
    }
  }

  fileprivate static func name(of path: String) -> String {
    String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
  }
}

extension StorageError {
  /// A failed system call on a file of the store.
  package static func system(_ number: CInt, _ what: String, path: String) -> StorageError {
    let place = SmallFile.name(of: path)
    switch number {
    case ENOSPC, EDQUOT:
      return StorageError(
        .diskFull, "\(what): the disk is full; free some space and try again", place: place)
    case EROFS, EACCES, EPERM:
      return StorageError(
        .readOnly, "\(what): no permission to write; check the store's owner and mount",
        place: place)
    default:
      let reason = unsafe String(cString: strerror(number))
      return StorageError(.io, "\(what): \(reason)", place: place)
    }
  }
}
