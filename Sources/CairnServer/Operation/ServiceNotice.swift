import Files
import Glibc

/// Tells systemd how a service stands (sd_notify(3)); does nothing where nobody asked.
package struct ServiceNotice: Sendable {
  private let path: String?
  /// How often it wants to hear that the service lives.
  package let watchdog: Duration?

  package init() {
    path = Variables.get("NOTIFY_SOCKET")
    let micros = Variables.get("WATCHDOG_USEC")
    let isMine = Variables.getEvenEmpty("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
    watchdog = isMine ? micros.flatMap { Int64($0) }.map { .microseconds($0 / 2) } : nil
  }

  /// Sends `READY=1`, `STOPPING=1` or `WATCHDOG=1`.
  package func send(_ state: String) {
    guard let path, path.utf8.count <= 107, ["/", "@"].contains(path.prefix(1)) else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    let bytes = Array(state.utf8)
    // SAFETY: the path has at most 107 bytes; an abstract name begins with NUL. The pointers are
    // used during the calls only.
    unsafe withUnsafeMutableBytes(of: &address) { target in
      for (index, byte) in path.utf8.enumerated() {
        unsafe target[offset + index] = index == 0 && byte == UInt8(ascii: "@") ? 0 : byte
      }
      guard let base = target.baseAddress else { return }
      _ = unsafe bytes.withUnsafeBytes { message in
        unsafe sendto(
          descriptor, message.baseAddress, message.count, Int32(MSG_NOSIGNAL),
          base.assumingMemoryBound(to: sockaddr.self), socklen_t(offset + path.utf8.count))
      }
    }
  }
}
