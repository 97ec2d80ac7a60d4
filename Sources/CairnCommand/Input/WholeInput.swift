import Glibc

/// Small files read whole: checkpoints, proofs, requests.
enum WholeInput {
  /// More than any note or proof may have.
  static let byteCountMax = 4 << 20

  /// The bytes of a file; `-` is standard input.
  static func read(_ path: String, limit: Int = byteCountMax, what: String = "evidence")
    throws(Failure) -> [UInt8]
  {
    let name = path == "-" ? "standard input" : path
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure.file(name, "cannot be read") }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      // SAFETY: reads at most what the buffer holds.
      let count = unsafe chunk.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      }
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure.file(name, "cannot be read")
      }
      bytes += chunk[..<count]
    }
    throw Failure(.data, "is too large for \(what): more than \(limit) bytes", place: name)
  }

  /// Whether a path names what can be read once only; `-` is standard input.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    // SAFETY: the call fills the one structure it is given; the path is a NUL-ended copy.
    guard path != "-", unsafe stat(path, &status) == 0 else { return path == "-" }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Whether a path is a directory.
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    // SAFETY: the call fills the one structure it is given; the path is a NUL-ended copy.
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// How much there is to read.
enum InputSize {
  /// The size of some files; nil where one of them is no file, such as a pipe.
  static func total(_ paths: [String]) -> Int? {
    var total = 0
    for path in paths {
      var status = stat()
      // SAFETY: both calls fill the one structure they are given; the path is a NUL-ended copy.
      let code = unsafe path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
      guard code == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      total += Int(status.st_size)
    }
    return total
  }
}
