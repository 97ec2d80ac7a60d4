import COpenSSL
import Glibc

/// A connection to a server: bytes in and out until a time; plain or by TLS.
@safe final class Connection {
  private let descriptor: Int32
  private var session: OpaquePointer?

  /// Connects to the first address that answers.
  ///
  /// The server must prove that it is `name`; nil for no TLS.
  init(_ addresses: [HostAddress], tlsName name: String?, until deadline: ContinuousClock.Instant)
    throws(FetchFault)
  {
    var found: Int32?
    for address in addresses {
      found = Self.connect(address, until: deadline)
      if found != nil { break }
    }
    guard let found else { throw FetchFault(.unanswered, "nobody answers there") }
    descriptor = found
    unsafe session = nil
    if let name { try beginTLS(name, until: deadline) }
  }

  deinit {
    // SAFETY: made by `beginTLS`, and nobody has it any more.
    if let session = unsafe session { unsafe SSL_free(session) }
    close(descriptor)
  }

  private static func connect(_ address: HostAddress, until deadline: ContinuousClock.Instant)
    -> Int32?
  {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(address.family, kind | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    // SAFETY: the bytes are a whole address of its family, and live for the call.
    let status = unsafe address.bytes.withUnsafeBytes { bytes in
      unsafe bytes.withMemoryRebound(to: sockaddr.self) { address in
        unsafe Glibc.connect(descriptor, address.baseAddress, socklen_t(bytes.count))
      }
    }
    var error = status == 0 ? 0 : errno
    if error == EINPROGRESS, wait(descriptor, Int16(POLLOUT), until: deadline) {
      var length = socklen_t(MemoryLayout<Int32>.size)
      error = 0
      // SAFETY: the call writes the one number it is given.
      if unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) != 0 { error = errno }
    }
    guard error == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Waits until a socket is ready; false when the time is over.
  private static func wait(
    _ descriptor: Int32, _ events: Int16, until deadline: ContinuousClock.Instant
  ) -> Bool {
    while true {
      let left = deadline - .now
      guard left > .zero else { return false }
      let parts = left.components
      let whole = min(parts.seconds, 3_600) * 1_000
      let milliseconds = whole + parts.attoseconds / 1_000_000_000_000_000 + 1
      var entry = pollfd(fd: descriptor, events: events, revents: 0)
      // SAFETY: one entry, which lives for the call.
      let count = unsafe poll(&entry, 1, Int32(milliseconds))
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
    }
  }

  // MARK: TLS

  /// One for all connections: it holds the certificates that the system trusts, or those that
  /// `SSL_CERT_FILE` and `SSL_CERT_DIR` name instead.
  nonisolated(unsafe) private static let context: OpaquePointer? = {
    // SAFETY: lives as long as the process.
    guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { return nil }
    unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    unsafe SSL_CTX_set_default_verify_paths(context)
    let isNamed = unsafe getenv("SSL_CERT_FILE") != nil || getenv("SSL_CERT_DIR") != nil
    for path in ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"] {
      // A static executable may look elsewhere than the system keeps them.
      if !isNamed, unsafe access(path, R_OK) == 0 {
        unsafe SSL_CTX_load_verify_locations(context, path, nil)
      }
    }
    unsafe cairn_tls_from_1_2(context)
    return unsafe context
  }()

  private func beginTLS(_ host: String, until deadline: ContinuousClock.Instant) throws(FetchFault)
  {
    guard let context = unsafe Self.context, let made = unsafe SSL_new(context) else {
      throw FetchFault(.unanswered, "TLS cannot be begun")
    }
    unsafe session = unsafe made
    // SAFETY: the session is this connection's; the names are NUL-ended copies.
    unsafe SSL_set_fd(made, descriptor)
    let isAddress =
      host.hasPrefix("[") || host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
    let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    // A server is told which name is meant, never an address (RFC 6066, section 3).
    if !isAddress { unsafe cairn_tls_set_name(made, name) }
    guard unsafe SSL_set1_host(made, name) == 1 else {
      throw FetchFault(.unanswered, "no certificate can be for that name")
    }
    while true {
      let status = Self.call { unsafe SSL_connect(made) }
      if status == 1 { return }
      guard try waitForTLS(status, until: deadline) else {
        let result = unsafe SSL_get_verify_result(made)
        var reason = "the server does not speak TLS"
        if result != Int(X509_V_OK) {
          // SAFETY: the text is NUL-ended and lives as long as the process.
          let why = unsafe String(cString: X509_verify_cert_error_string(result))
          reason = "its certificate does not hold: \(why)"
        }
        throw FetchFault(.unanswered, reason)
      }
    }
  }

  /// Calls OpenSSL, which judges by what errors are left of earlier calls, and whose writes to a
  /// closed connection would end the process by SIGPIPE.
  private static func call(_ body: () -> Int32) -> Int32 {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    // SAFETY: the calls read and write the sets they are given.
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before)
    unsafe sigpending(&pending)
    let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
    ERR_clear_error()
    let status = body()
    if !wasPending {
      var none = timespec()
      // SAFETY: the same; the call takes the signal away where it came, and does not wait.
      while unsafe sigtimedwait(&pipe, nil, &none) < 0, errno == EINTR {}
    }
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    return status
  }

  /// Waits for what TLS waits for; false where it has ended or failed.
  private func waitForTLS(_ status: Int32, until deadline: ContinuousClock.Instant)
    throws(FetchFault) -> Bool
  {
    let events: Int32
    switch unsafe SSL_get_error(session, status) {
    case SSL_ERROR_WANT_READ: events = Int32(POLLIN)
    case SSL_ERROR_WANT_WRITE: events = Int32(POLLOUT)
    default: return false
    }
    guard Self.wait(descriptor, Int16(events), until: deadline) else { throw Self.timeout }
    return true
  }

  // MARK: Bytes

  private static let timeout = FetchFault(.unanswered, "the answer takes too long")

  func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(FetchFault) {
    var sent = 0
    while sent < bytes.count {
      // SAFETY: the buffer lives for the call, which is told what is left of it.
      let count = unsafe bytes[sent...].withUnsafeBytes { rest in
        if let session = unsafe session {
          let count = Int32(min(rest.count, 1 << 20))
          return Int(Self.call { unsafe SSL_write(session, rest.baseAddress, count) })
        }
        return unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
        continue
      }
      let mayGoOn =
        unsafe session != nil
        ? try waitForTLS(Int32(count), until: deadline)
        : try waitForSocket(Int16(POLLOUT), until: deadline)
      guard mayGoOn else { throw FetchFault(.unanswered, "the connection was closed") }
    }
  }

  /// Whether nothing has come since the last answer: a server that closed the connection, or said
  /// that it waited too long, answers nothing here any more.
  var isQuiet: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, which lives for the call.
    return unsafe poll(&entry, 1, 0) == 0
  }

  /// Receives the next bytes; none at the end.
  func receive(until deadline: ContinuousClock.Instant) throws(FetchFault) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      guard deadline > .now else { throw Self.timeout }
      // SAFETY: receives at most what the buffer holds.
      let count = unsafe buffer.withUnsafeMutableBytes { space in
        if let session = unsafe session {
          let count = Int32(space.count)
          return Int(Self.call { unsafe SSL_read(session, space.baseAddress, count) })
        }
        return unsafe recv(descriptor, space.baseAddress, space.count, 0)
      }
      if count > 0 { return Array(buffer[..<count]) }
      if unsafe session != nil {
        guard try waitForTLS(Int32(count), until: deadline) else { return [] }
      } else {
        if count == 0 { return [] }
        guard try waitForSocket(Int16(POLLIN), until: deadline) else { return [] }
      }
    }
  }

  private func waitForSocket(_ events: Int16, until deadline: ContinuousClock.Instant)
    throws(FetchFault) -> Bool
  {
    guard errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR else { return false }
    guard Self.wait(descriptor, events, until: deadline) else { throw Self.timeout }
    return true
  }
}
