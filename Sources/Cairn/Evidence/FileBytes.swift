import Glibc
import LMDB
import Projections

/// Whole files of bytes.
enum FileBytes {
  /// The bytes of a file, or nil when there is none.
  ///
  /// - Throws: `.corrupt` when it has more than `limit` bytes; what the disk says.
  static func read(_ path: String, limit: Int) throws(StorageError) -> [UInt8]? {
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw StorageError.system(errno, "cannot be opened", path: path)
    }
    defer { close(descriptor) }
    var status = stat()
    // SAFETY: the call fills the one structure it is given.
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(.badArgument, "is no file", place: path)
    }
    guard status.st_size <= limit else {
      throw StorageError(.corrupt, "is larger than it can be", place: path)
    }
    // One more than there should be, to see whether there is more.
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var count = 0
    while count < bytes.count {
      let start = count
      // SAFETY: reads at most what is left of the buffer behind `start`.
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
      }
      if got == 0 { break }
      guard got > 0 || errno == EINTR else {
        throw StorageError.system(errno, "cannot be read", path: path)
      }
      count += max(0, got)
    }
    guard count < bytes.count else {
      throw StorageError(.busy, "grew while it was read; try again", place: path)
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Writes a file, in folders that are made where they are missing; not flushed.
  static func write(_ bytes: [UInt8], to path: String) throws(StorageError) {
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    var descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0, errno == ENOENT, let end = path.lastIndex(of: "/") {
      try makeDirectory(String(path[..<end]))
      descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    }
    guard descriptor >= 0 else { throw StorageError.system(errno, "cannot be created", path: path) }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      // SAFETY: writes the bytes behind `written`, within their own count.
      let count = unsafe bytes[written...].withUnsafeBytes { part in
        unsafe Glibc.write(descriptor, part.baseAddress, part.count)
      }
      guard count > 0 || errno == EINTR else {
        throw StorageError.system(errno, "cannot be written", path: path)
      }
      written += max(0, count)
    }
  }

  /// The names in a folder, or nil when there is none.
  static func names(in directory: String) throws(StorageError) -> [String]? {
    var status = stat()
    // SAFETY: the call fills the one structure it is given.
    guard unsafe stat(directory, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw StorageError.system(errno, "cannot be looked at", path: directory)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw StorageError(.badArgument, "is no directory that could be filled", place: directory)
    }
    return try SmallFile.names(in: directory)
  }

  /// Makes a folder and those above it.
  static func makeDirectory(_ path: String, mode: mode_t = 0o755) throws(StorageError) {
    // SAFETY: the call reads the text it is lent and keeps nothing.
    if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
    if errno == ENOENT, let end = path.lastIndex(of: "/"), end > path.startIndex {
      try makeDirectory(String(path[..<end]), mode: mode)
      if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
    }
    throw StorageError.system(errno, "cannot be created", path: path)
  }

  /// Makes all that was written survive a power cut.
  ///
  /// One flush of everything costs less than one for each of thousands of small files.
  static func flushAll() { sync() }
}
