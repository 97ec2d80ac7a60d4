import Glibc
import Testing

/// A client that sends exactly what it is told over one connection, and reads answers.
final class HTTPClient {
  /// An answer, its body put together.
  struct Answer {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Connects to a port of this machine.
  convenience init(port: Int) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try self.init(AF_INET, unsafe withUnsafeBytes(of: &address) { unsafe Array($0) })
  }

  /// Connects to a Unix socket.
  convenience init(path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      for (index, byte) in path.utf8.enumerated() { unsafe bytes[index] = byte }
    }
    try self.init(AF_UNIX, unsafe withUnsafeBytes(of: &address) { unsafe Array($0) })
  }

  private init(_ family: Int32, _ address: [UInt8]) throws {
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = descriptor
    let status = unsafe address.withUnsafeBytes { bytes -> Int32 in
      guard let base = bytes.baseAddress else { return -1 }
      return unsafe connect(
        descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    try #require(status == 0)
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends bytes as they are.
  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  private func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe piece.withUnsafeMutableBytes {
      unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count > 0 else { return false }
    buffer += piece[..<count]
    return true
  }

  /// One line without its end; nil at the end of the connection.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        var line = buffer[..<end]
        if line.last == 0x0D { line = line.dropLast() }
        let text = String(decoding: line, as: UTF8.self)
        buffer.removeSubrange(...end)
        return text
      }
      guard fill() else { return nil }
    }
  }

  private func bytes(_ count: Int) -> [UInt8]? {
    while buffer.count < count { guard fill() else { return nil } }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  /// Says that nothing more is sent, as `nc -N` and `socat` do at the end of their input.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Status and headers of the next answer.
  func head() throws -> Answer {
    let first = try #require(line())
    let status = try #require(Int(first.split(separator: " ")[1]))
    var headers: [(name: String, value: String)] = []
    while let line = line(), !line.isEmpty {
      let colon = try #require(line.firstIndex(of: ":"))
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers.append((String(line[..<colon]), String(value)))
    }
    return Answer(status: status, headers: headers, body: [])
  }

  /// The next answer.
  func answer(withBody: Bool = true) throws -> Answer {
    var answer = try head()
    if answer.status == 100 { answer = try head() }
    guard withBody, answer.status != 304, answer.status != 204 else { return answer }
    if let count = answer["content-length"].flatMap({ Int($0) }) {
      answer.body = try #require(bytes(count))
    } else if answer["transfer-encoding"] == "chunked" {
      while let piece = try piece() { answer.body += piece }
    }
    return answer
  }

  /// What stands in the next chunk; nil after the last one.
  func piece() throws -> [UInt8]? {
    guard let count = chunk(), count > 0 else {
      _ = line()
      return nil
    }
    let piece: [UInt8] = try #require(bytes(count))
    _ = line()
    return piece
  }

  /// The size of the next chunk.
  func chunk() -> Int? { line().flatMap { Int($0, radix: 16) } }

  /// Whether the server closed the connection.
  func isClosed() -> Bool {
    while fill() {}
    return true
  }
}
