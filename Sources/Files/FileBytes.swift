import Glibc
package import Values

package enum FileBytes {
  /// The bytes of a file, or nil when there is none.
  /// - Throws: `.corrupt` when it has more than `limit` bytes or is no file; what the disk says.
  package static func read(_ path: String, limit: Int) throws(CairnError) -> [UInt8]? {
    // What is no file is refused at once, also a pipe that nobody writes.
    guard let file = try OpenFile(reading: path, O_NONBLOCK) else { return nil }
    guard try file.byteCount() != nil else {
      throw CairnError(
        .corrupt, "is no file; move what has its name", place: SmallFile.name(of: path))
    }
    var bytes: [UInt8] = []
    // Most files are a line; for some of its own the system takes as much memory as is asked for.
    var piece = [UInt8](repeating: 0, count: 512)
    while bytes.count <= limit {
      let got = try file.read(into: &piece, piece.indices)
      bytes += piece[..<got]
      if got < piece.count, bytes.count <= limit { return bytes }
      if piece.count < 1 << 18 { piece += piece }
    }
    throw CairnError(.corrupt, "is larger than it can be", place: SmallFile.name(of: path))
  }

  /// Writes a file, in folders that are made where they are missing; not flushed.
  package static func write(_ bytes: [UInt8], to path: String) throws(CairnError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    let file: OpenFile
    do throws(CairnError) { file = try OpenFile(path, flags) } catch {
      guard let end = SmallFile.lastSlash(of: path), end > path.startIndex else { throw error }
      try makeDirectory(String(path[..<end]))
      file = try OpenFile(path, flags)
    }
    try file.write(bytes.rawSpan)
  }

  /// The names in a folder, or nil when there is none.
  package static func names(in directory: String) throws(CairnError) -> [String]? {
    guard let status = FileStatus(directory) else {
      if errno == ENOENT { return nil }
      throw CairnError.system(errno, "cannot be looked at", path: directory)
    }
    guard status.isFolder else {
      throw CairnError(.badArgument, "is no directory that could be filled", place: directory)
    }
    return try SmallFile.names(in: directory)
  }

  /// Makes a folder and those above it.
  ///
  /// Into a private one its owner alone may look; those above it are as others are.
  package static func makeDirectory(_ path: String, isPrivate: Bool = false) throws(CairnError) {
    // What stands before a slash at the end is the folder itself, and none above it.
    if path.count > 1, path.hasSuffix("/") {
      return try makeDirectory(String(path.dropLast()), isPrivate: isPrivate)
    }
    let mode: mode_t = isPrivate ? 0o700 : 0o755
    // SAFETY: the call reads the text it is lent and keeps nothing.
    if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
    if errno == ENOENT, let end = SmallFile.lastSlash(of: path), end > path.startIndex {
      try makeDirectory(String(path[..<end]))
      if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
    }
    let code = CairnError.system(errno, "", path: path).code
    // The folders above it decide, so that its name alone says nothing.
    throw CairnError(code, "cannot be made; check the folders above it", place: path)
  }

  /// Makes all that was written to the file system of a directory survive a power cut.
  ///
  /// One flush of everything costs less than one for each of thousands of small files.
  package static func flush(fileSystemOf directory: String) throws(CairnError) {
    try OpenFile(directory, O_RDONLY | O_DIRECTORY).flushFileSystem()
  }
}
