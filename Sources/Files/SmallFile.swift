import Glibc
package import Values

/// Whole small files, replaced atomically.
package enum SmallFile {
  private static let byteCountMax = 65_535
  /// Behind the name of a file: what is to take its place.
  private static let newSuffix = ".new"

  /// The text of a file, or nil when there is none.
  /// - Throws: `.io` when it exists and cannot be read, `.corrupt` when it is over 64 KiB.
  package static func read(_ path: String) throws(CairnError) -> String? {
    try FileBytes.read(path, limit: byteCountMax).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Replaces a file: temporary file, flush, rename, flush of the directory.
  ///
  /// A secret one may be read by its owner alone, from its first byte on.
  package static func replace(_ path: String, with text: String, isSecret: Bool = false)
    throws(CairnError)
  {
    try replace(path, with: Array(text.utf8), isSecret: isSecret)
  }

  package static func replace(_ path: String, with bytes: [UInt8], isSecret: Bool = false)
    throws(CairnError)
  {
    let temporary = path + newSuffix
    // One that a crash left behind would keep its own permissions.
    if isSecret { try remove(temporary) }
    do throws(CairnError) {
      let file = try OpenFile(
        temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: isSecret ? 0o600 : 0o644)
      try file.write(bytes.rawSpan)
      try file.flush()
      guard unsafe Glibc.rename(temporary, path) == 0 else {
        throw CairnError.system(errno, "cannot be replaced", path: path)
      }
    } catch {
      // What went wrong first is what counts; where even this fails, the next call truncates it.
      unsafe unlink(temporary)
      throw error
    }
    try flushDirectory(of: path)
  }

  /// Gives a file another name, atomically and durably.
  package static func rename(_ path: String, to name: String) throws(CairnError) {
    guard unsafe Glibc.rename(path, name) == 0 else {
      throw CairnError.system(errno, "cannot be renamed", path: path)
    }
    try flushDirectory(of: name)
  }

  /// Bytes of a file of any size, nil when there is none.
  package static func byteCount(_ path: String) throws(CairnError) -> Int? {
    guard let status = FileStatus(path) else {
      if errno == ENOENT { return nil }
      throw CairnError.system(errno, "cannot be looked at", path: path)
    }
    return status.byteCount
  }

  /// Deletes a file; one that is not there is fine.
  package static func remove(_ path: String) throws(CairnError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else {
      throw CairnError.system(errno, "cannot be deleted", path: path)
    }
  }

  /// Deletes a file that is replaced now and then, and what a kill left of the replacing.
  package static func removeReplaced(_ path: String) throws(CairnError) {
    try remove(path)
    try remove(path + newSuffix)
  }

  /// Deletes a file, or a folder with all that is in it; one that is not there is fine.
  ///
  /// A symbolic link goes, what it leads to stays.
  package static func removeTree(_ path: String) throws(CairnError) {
    guard let status = FileStatus(path, followsLinks: false) else { return }
    guard status.isFolder else { return try remove(path) }
    for name in try names(in: path) { try removeTree("\(path)/\(name)") }
    guard unsafe rmdir(path) == 0 || errno == ENOENT else {
      throw CairnError.system(errno, "cannot be deleted", path: path)
    }
  }

  package static func names(in directory: String) throws(CairnError) -> [String] {
    guard let stream = unsafe opendir(directory) else {
      throw CairnError.system(errno, "cannot be listed", path: directory)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      // Only this tells an error from the end.
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno == 0 { return names }
        throw CairnError.system(errno, "cannot be listed", path: directory)
      }
      // SAFETY: `d_name` is a NUL-terminated string inside the entry, copied before the next call.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  private static func flushDirectory(of path: String) throws(CairnError) {
    try OpenFile(directory(of: path), O_RDONLY | O_DIRECTORY).flush()
  }

  /// The directory that a path's last name lies in.
  package static func directory(of path: String) -> String {
    guard let end = lastSlash(of: path) else { return "." }
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  static func name(of path: String) -> String {
    String(path[(lastSlash(of: path).map(path.utf8.index(after:)) ?? path.startIndex)...])
  }

  /// By bytes: a slash with an accent behind it is another character, and a slash all the same.
  package static func lastSlash(of path: String) -> String.Index? {
    path.utf8.lastIndex(of: UInt8(ascii: "/"))
  }
}
