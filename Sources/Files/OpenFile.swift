package import Glibc
package import Values

/// An open file, closed with the value.
///
/// What an interrupt cut short is taken up again, and a short write goes on where it stopped.
package struct OpenFile: ~Copyable, Sendable {
  /// Open as long as the value lives.
  package let descriptor: CInt
  private let path: String

  /// Opens a file with the flags of `open(2)`; it is closed in programs that this one starts.
  /// - Throws: `.diskFull`, `.readOnly` or `.io`.
  package init(_ path: String, _ flags: CInt, mode: mode_t = 0o644) throws(CairnError) {
    self.path = path
    descriptor = Self.open(path, flags, mode)
    guard descriptor >= 0 else {
      let what = flags & O_CREAT != 0 ? "cannot be created" : "cannot be opened"
      throw CairnError.system(errno, what, path: path)
    }
  }

  /// Opens a file for reading; nil where there is none.
  ///
  /// A pipe with a name waits for who writes it, unless the flags of `open(2)` say otherwise.
  /// - Throws: `.readOnly` where it may not be read, else `.io`.
  package init?(reading path: String, _ flags: CInt = 0) throws(CairnError) {
    self.path = path
    descriptor = Self.open(path, O_RDONLY | flags, 0)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw CairnError.system(errno, "cannot be opened", path: path)
    }
  }

  /// Makes a file without a name in a folder, which is made where it is missing: it is gone when
  /// nobody has it open, whatever ends the program.
  package init(scratchIn folder: String) throws(CairnError) {
    path = folder
    _ = unsafe mkdir(folder, 0o700)
    var template = Array("\(folder)/cairn-XXXXXX".utf8CString)
    // SAFETY: the template is NUL-ended, and the call writes only its last six letters.
    descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else {
      throw CairnError.system(errno, "no scratch file can be made there", path: folder)
    }
    unsafe unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  private static func open(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt {
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    again { unsafe Glibc.open(path, flags | O_CLOEXEC, mode) }
  }

  /// Calls until no signal interrupts it.
  private static func again<Count: SignedInteger>(_ call: () -> Count) -> Count {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// How many bytes a regular file has; nil for anything else.
  package func byteCount() throws(CairnError) -> Int? {
    guard let status = FileStatus(descriptor: descriptor) else {
      throw CairnError.system(errno, "cannot be looked at", path: path)
    }
    return status.isFile ? status.byteCount : nil
  }

  /// Fills a range of a buffer, from an offset of the file or from where the last read ended.
  /// - Returns: How many bytes it read: fewer than the range has only at the end of the file.
  package func read(into buffer: inout [UInt8], _ range: Range<Int>, at offset: Int? = nil)
    throws(CairnError) -> Int
  {
    var done = 0
    while done < range.count {
      let got = Self.again {
        unsafe buffer.withUnsafeMutableBytes { buffer in
          // SAFETY: the slice traps unless the range is inside the buffer, and no more is read.
          let rest = unsafe UnsafeMutableRawBufferPointer(
            rebasing: buffer[range.lowerBound + done..<range.upperBound])
          guard let offset else {
            return unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
          }
          return unsafe pread(descriptor, rest.baseAddress, rest.count, offset + done)
        }
      }
      guard got >= 0 else { throw CairnError.system(errno, "cannot be read", path: path) }
      if got == 0 { break }
      done += got
    }
    return done
  }

  /// Writes all of the bytes, at an offset or where the last write ended.
  /// - Throws: `.diskFull` or `.io`; some of the bytes may be written then.
  package func write(_ bytes: RawSpan, at offset: Int? = nil) throws(CairnError) {
    var done = 0
    while done < bytes.byteCount {
      let wrote = Self.again {
        unsafe bytes.withUnsafeBytes { buffer in
          // SAFETY: writes the part of the buffer that is left.
          let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
          guard let offset else {
            return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
          }
          return unsafe pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
        }
      }
      guard wrote > 0 else {
        throw CairnError.system(wrote == 0 ? ENOSPC : errno, "cannot be written", path: path)
      }
      done += wrote
    }
  }

  /// Makes the file, or a directory's names, survive a power cut.
  package func flush() throws(CairnError) { try flush(by: fsync) }

  /// Makes the file's bytes survive a power cut, and its times no more than that takes: where bytes
  /// were written over others, half the work of ``flush()`` (`fdatasync(2)`).
  package func flushBytes() throws(CairnError) { try flush(by: fdatasync) }

  /// Makes everything that was written to its file system survive a power cut.
  package func flushFileSystem() throws(CairnError) { try flush(by: syncfs) }

  private func flush(by call: (CInt) -> CInt) throws(CairnError) {
    guard Self.again({ call(descriptor) }) == 0 else {
      throw CairnError.system(errno, "cannot be flushed", path: path)
    }
  }
}

/// `syncfs(2)`, which glibc declares for programs that ask for GNU's extensions only.
@_silgen_name("syncfs") private func syncfs(_ descriptor: CInt) -> CInt

extension CairnError {
  /// A failed system call on a file of the store.
  package static func system(_ number: CInt, _ what: String, path: String) -> CairnError {
    let place = SmallFile.name(of: path)
    switch number {
    case ENOSPC, EDQUOT:
      return CairnError(
        .diskFull, "\(what): the disk is full; free some space and try again", place: place)
    case EFBIG:
      return CairnError(
        .diskFull, "\(what): a file may not be that large here; raise ulimit -f and try again",
        place: place)
    case EMFILE, ENFILE:
      return CairnError(
        .io, "\(what): too many files are open; raise ulimit -n and try again", place: place)
    case EROFS:
      return CairnError(.readOnly, "\(what): the disk is mounted to be read only", place: place)
    case EACCES, EPERM:
      return CairnError(
        .readOnly, "\(what): no permission; check the owner and the mode", place: place)
    default:
      return CairnError(.io, "\(what): \(reason(of: number))", place: place)
    }
  }

  /// What a value of `errno` means, in the system's words.
  package static func reason(of number: CInt) -> String {
    // SAFETY: strerror gives a NUL-ended string that lives until the thread's next call of it.
    unsafe String(cString: strerror(number))
  }
}
