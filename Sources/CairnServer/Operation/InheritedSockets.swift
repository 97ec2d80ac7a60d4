package import Cairn
import Files
import Glibc

/// Sockets that systemd opened and passes on (sd_listen_fds(3)).
package struct InheritedSockets: Sendable {
  /// One of them, and what its unit calls it.
  package struct Socket: Sendable {
    var descriptor: Int32
    package var name: String
    package var address: ListenAddress

    /// Whether it is where watchers look for ActivityWatch.
    package var isForWatchers: Bool {
      if case .ip(_, 5_600) = address { return true }
      return name == "activitywatch"
    }
  }

  package let sockets: [Socket]

  private static let first: Int32 = 3

  /// Those that were passed to this very process; none when it was started otherwise.
  /// - Throws: `badArgument` for a descriptor that is no stream socket that is listened at, or is
  ///   open to other machines.
  package init() throws(CairnError) {
    guard let owner = Variables.get("LISTEN_PID"), Int32(owner) == getpid(),
      let count = Variables.get("LISTEN_FDS").flatMap({ Int32($0) }), (1...16).contains(count)
    else {
      sockets = []
      return
    }
    let names = (Variables.get("LISTEN_FDNAMES") ?? "").split(
      separator: ":", omittingEmptySubsequences: false
    ).map(String.init)
    var found: [Socket] = []
    for index in 0..<count {
      let descriptor = Self.first + index
      let name = names.indices.contains(Int(index)) ? names[Int(index)] : ""
      // SAFETY: sets a flag of a descriptor.
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      guard Self.isListening(descriptor), let address = Self.address(of: descriptor) else {
        throw CairnError(
          .badArgument, "is no stream socket that is listened at", place: "LISTEN_FDS \(descriptor)"
        )
      }
      found.append(Socket(descriptor: descriptor, name: name, address: address))
    }
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
    sockets = found
  }

  private static func isListening(_ descriptor: Int32) -> Bool {
    for (option, wanted) in [(SO_TYPE, Int32(SOCK_STREAM.rawValue)), (SO_ACCEPTCONN, 1)] {
      var value: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      // SAFETY: the call fills the one number it is given.
      guard unsafe getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0, value == wanted
      else { return false }
    }
    return true
  }

  private static func address(of descriptor: Int32) -> ListenAddress? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // SAFETY: the call fills at most the bytes of the structure; each reading of it goes by the
    // family that it names.
    return unsafe withUnsafeMutablePointer(to: &storage) { pointer -> ListenAddress? in
      let raw = UnsafeMutableRawPointer(pointer)
      guard unsafe getsockname(descriptor, raw.assumingMemoryBound(to: sockaddr.self), &size) == 0
      else { return nil }
      switch Int32(unsafe pointer.pointee.ss_family) {
      case AF_INET:
        let address = unsafe raw.assumingMemoryBound(to: sockaddr_in.self).pointee
        let bytes = UInt32(bigEndian: address.sin_addr.s_addr)
        let host = [24, 16, 8, 0].map { String(bytes >> $0 & 255) }.joined(separator: ".")
        return .ip(host: host, port: Int(UInt16(bigEndian: address.sin_port)))
      case AF_INET6:
        let address = unsafe raw.assumingMemoryBound(to: sockaddr_in6.self).pointee
        let bytes = unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe Array($0) }
        let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        return .ip(host: isLoopback ? "::1" : "::", port: Int(UInt16(bigEndian: address.sin6_port)))
      case AF_UNIX:
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let bytes = unsafe UnsafeRawBufferPointer(start: raw, count: Int(size)).dropFirst(offset)
        let path = unsafe bytes.prefix { $0 != 0 }
        return .unix(path: unsafe String(decoding: path, as: UTF8.self))
      default: return nil
      }
    }
  }
}
