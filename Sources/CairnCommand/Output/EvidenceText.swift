import Files
import Glibc

/// Writes evidence as files and to standard output.
enum EvidenceText {
  /// Text as it is, without a newline of its own.
  static func print(_ text: String) throws(Failure) {
    var output = Output()
    try output.bytes { (bytes: inout [UInt8]) throws(Failure) in bytes += Array(text.utf8) }
    try output.flush()
  }

  /// Refuses a path that cannot be written, or that names a file which holds something, before what
  /// the file is to tell of is done.
  static func checkWritable(_ path: String) throws(Failure) {
    guard path != "-" else { return }
    let status = FileStatus(path)
    if status?.isFolder == true {
      errno = EISDIR
      throw Failure.file(path, "cannot be written")
    }
    if let status, status.isFile, status.byteCount > 0 {
      throw Failure(.usage, "would be overwritten; name another file", place: path)
    }
    // SAFETY: the path is a NUL-ended copy for the time of each call.
    if unsafe access(path, W_OK) == 0 { return }
    let isAbsent = errno == ENOENT && !path.isEmpty
    guard isAbsent, unsafe access(SmallFile.directory(of: path), W_OK) == 0 else {
      throw Failure.file(path, "cannot be written")
    }
  }

  /// Writes a file, or standard output for `-`.
  static func write(_ text: String, to path: String) throws(Failure) {
    if path == "-" { return try print(text) }
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure.file(path, "cannot be written") }
    defer { close(descriptor) }
    try Output.write(Array(text.utf8), to: descriptor, name: path)
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Failure(.disk, "cannot be flushed: \(Failure.systemMessage())", place: path)
    }
  }
}
