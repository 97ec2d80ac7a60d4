import Glibc
import Rows

/// Standard output through one buffer: a line at a time costs no system call each.
///
/// Whoever writes must call `flush()` before the command ends.
struct Output: ~Copyable {
  private var buffer: [UInt8] = []

  private static let flushByteCount = 1 << 16

  init() { buffer.reserveCapacity(Self.flushByteCount + 4096) }

  /// Writes text and a newline.
  mutating func line(_ text: String) throws(Failure) {
    buffer.append(contentsOf: text.utf8)
    buffer.append(UInt8(ascii: "\n"))
    try flushIfFull()
  }

  mutating func object(_ body: (inout JSONLine) throws(Failure) -> Void) throws(Failure) {
    buffer += try JSONLine.line(body)
    try flushIfFull()
  }

  /// Writes a row: its text for people, its fields for programs.
  mutating func row(
    _ text: @autoclosure () -> String, json: Bool,
    _ fields: (inout JSONLine) throws(Failure) -> Void
  ) throws(Failure) {
    if json { try object(fields) } else { try line(text()) }
  }

  /// Writes an answer that is one row.
  static func answer(
    _ text: @autoclosure () -> String, json: Bool,
    _ fields: (inout JSONLine) throws(Failure) -> Void
  ) throws(Failure) {
    var output = Output()
    try output.row(text(), json: json, fields)
    try output.flush()
  }

  /// Lets the caller write into the buffer itself.
  mutating func bytes(_ body: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) {
    try body(&buffer)
    try flushIfFull()
  }

  /// Hands everything written so far to the system.
  mutating func flush() throws(Failure) {
    try Self.write(buffer, to: STDOUT_FILENO, name: "standard output")
    buffer.removeAll(keepingCapacity: true)
  }

  /// Ends the process where nobody reads standard output any more, as the next write would.
  static func endIfAbandoned() {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    // SAFETY: the call reads and writes the one structure it is given.
    guard unsafe poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR) != 0 else { return }
    raise(SIGPIPE)
  }

  private mutating func flushIfFull() throws(Failure) {
    if buffer.count >= Self.flushByteCount { try flush() }
  }

  /// Writes all bytes to a descriptor, however many calls that takes.
  static func write(_ bytes: [UInt8], to descriptor: Int32, name: String) throws(Failure) {
    var written = 0
    while written < bytes.count {
      // SAFETY: the pointer is used during the call only, within its own count.
      let count = unsafe bytes[written...].withUnsafeBytes { part in
        unsafe Glibc.write(descriptor, part.baseAddress, part.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(.disk, "cannot write: \(Failure.systemMessage())", place: name)
      }
      written += count
    }
  }
}
