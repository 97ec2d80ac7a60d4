import Glibc
package import Values

/// A file without a name: it is gone when nobody has it open, whatever ends the program.
package final class ScratchFile {
  private let descriptor: Int32
  package private(set) var byteCount = 0

  package init(in scratch: String) throws(CairnError) {
    _ = unsafe mkdir(scratch, 0o700)
    var template = Array("\(scratch)/cairn-member-XXXXXX".utf8CString)
    // SAFETY: the template is NUL-ended, and the call writes only its last six letters.
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else {
      throw .system(.io, "\(scratch): no scratch file can be made there")
    }
    unsafe unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    self.descriptor = descriptor
  }

  /// Takes all there is of a file that can be read once.
  convenience init(keeping path: String, in scratch: String) throws(CairnError) {
    try self.init(in: scratch)
    let stream = try ByteStream(path: path, inflates: false)
    while try stream.next() { try write(stream.chunk) }
  }

  /// Makes a descriptor, of what can be read once, one of a file that opens from its beginning.
  ///
  /// - Throws: `io` or `diskFull` where nothing can be kept, `missing` where it cannot be read.
  package static func keep(_ descriptor: Int32, in scratch: String) throws(CairnError) {
    let path = descriptor == STDIN_FILENO ? "-" : "/dev/fd/\(descriptor)"
    let file = try ScratchFile(keeping: path, in: scratch)
    guard dup2(file.descriptor, descriptor) >= 0 else { throw .system(.io, "cannot be kept") }
  }

  deinit { close(descriptor) }

  /// Where it can be opened while this lives.
  package var path: String { "/proc/self/fd/\(descriptor)" }

  package func write(_ bytes: [UInt8]) throws(CairnError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        // SAFETY: writes what is left of the buffer, which lives for the call.
        unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system(.io, "the scratch folder cannot be written") }
      done += count
    }
    byteCount += bytes.count
  }
}
