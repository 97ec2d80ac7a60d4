import Cairn
import Files
import Glibc

enum UnixSocketFile {
  /// Removes a socket that no server listens at any more.
  /// - Throws: `busy` when one does, `io` when the file is no socket.
  static func clear(_ path: String) throws(CairnError) {
    guard let status = FileStatus(path, followsLinks: false) else { return }
    guard status.isSocket else {
      throw CairnError(.io, "is there and is no socket; name another path", place: path)
    }
    guard !isListenedAt(path) else {
      throw CairnError(.busy, "another server listens there", place: path)
    }
    guard unsafe unlink(path) == 0 || errno == ENOENT else {
      throw CairnError(.io, "cannot be replaced", place: path)
    }
  }

  private static func isListenedAt(_ path: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the path has at most 107 bytes, so that a NUL stays at the end; the pointers are
    // used during the calls only.
    return unsafe withUnsafeMutableBytes(of: &address) { bytes in
      let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
      for (index, byte) in path.utf8.enumerated() where offset + index < bytes.count - 1 {
        unsafe bytes[offset + index] = byte
      }
      guard let base = bytes.baseAddress else { return true }
      let connected = unsafe connect(
        descriptor, base.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size))
      return connected == 0 || errno != ECONNREFUSED
    }
  }
}
