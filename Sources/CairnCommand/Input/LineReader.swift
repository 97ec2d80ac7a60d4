import Cairn
import Glibc
import Importers

/// Lines of a file or of standard input, unpacked where they are gzip, and when the input pauses.
struct LineReader: ~Copyable {
  /// What comes next.
  enum Step {
    /// A line without its newline (or carriage return and newline).
    case line(ArraySlice<UInt8>)
    /// A line longer than `lineByteCountMax`; its bytes are gone.
    case tooLong
    /// Nothing is there to read just now; the next call waits.
    case pause
    case end
  }

  /// As the user wrote it.
  let name: String
  /// Of the line that came last, from 1.
  private(set) var lineNumber = 0

  /// Bytes of the file itself that were read so far, packed as they are.
  private(set) var fileByteCount = 0

  private let descriptor: Int32
  private var inflater: Inflater?
  private var buffer: [UInt8] = []
  /// Room for what is read at once: a query comes in some bytes, and blanks for more take as long.
  private var chunk = [UInt8](repeating: 0, count: chunkByteCount)
  private var unread = 0
  /// Up to here there is no newline.
  private var searched = 0
  private var hasEnded = false
  private var isSkipping = false
  private var mayPause = false

  /// Memory for one line; an event is refused long before.
  static let lineByteCountMax = 1 << 28
  /// What a pipe gives at once.
  private static let chunkByteCount = 1 << 16

  /// Opens a file; `-` is standard input.
  init(_ path: String) throws(Failure) {
    name = path
    if path == "-" {
      descriptor = STDIN_FILENO
      return
    }
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure.file(path, "cannot be read") }
    var status = stat()
    // SAFETY: the call fills the one structure it is given.
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      errno = EISDIR
      throw Failure.file(path, "cannot be read")
    }
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// - Complexity: one search for the newline and no copy; the slice is good until the next call.
  mutating func next() throws(Failure) -> Step {
    while true {
      if let end = newline(from: searched) {
        let line = buffer[unread..<end]
        unread = end + 1
        searched = unread
        lineNumber += 1
        if isSkipping {
          isSkipping = false
          return .tooLong
        }
        return .line(content(of: line))
      }
      searched = buffer.count
      if hasEnded { return lastLine() }
      if mayPause, !hasInput() {
        mayPause = false
        return .pause
      }
      try fill()
    }
  }

  private mutating func lastLine() -> Step {
    guard unread < buffer.count || isSkipping else { return .end }
    lineNumber += 1
    let line = buffer[unread...]
    unread = buffer.count
    searched = unread
    if isSkipping {
      isSkipping = false
      return .tooLong
    }
    return .line(content(of: line))
  }

  private func content(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let line = lineNumber == 1 ? ByteOrderMark.dropped(from: line) : line
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  private func newline(from start: Int) -> Int? {
    // SAFETY: memchr looks at the bytes from `start` to the end of the buffer it is given.
    unsafe buffer.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return nil }
      let found = unsafe memchr(base + start, 0x0A, bytes.count - start)
      return unsafe found.map { unsafe UnsafeRawPointer($0) - base }
    }
  }

  private func hasInput() -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, as the count says.
    return unsafe poll(&entry, 1, 0) != 0
  }

  private mutating func fill() throws(Failure) {
    if unread > 0 {
      buffer.removeSubrange(..<unread)
      searched -= unread
      unread = 0
    }
    if buffer.count > Self.lineByteCountMax {
      isSkipping = true
      buffer.removeAll(keepingCapacity: true)
      searched = 0
    }
    if let inflater {
      return try fill(by: inflater)
    }
    let start = buffer.count
    try readChunk()
    guard lineNumber == 0, start == 0 else { return }
    if let tool = ByteStream.unpacker(of: buffer) {
      throw Failure(
        .data, "is compressed; unpack it on the way: \(tool) FILE | cairn … -", place: name)
    }
    guard buffer.starts(with: Self.gzipMagic) else { return }
    let inflater: Inflater
    do throws(CairnError) { inflater = try Inflater(.gzip) } catch {
      throw Failure(error, place: name)
    }
    inflater.feed(buffer)
    buffer = []
    self.inflater = inflater
    try fill(by: inflater)
  }

  private static let gzipMagic: [UInt8] = [0x1F, 0x8B]

  /// Unpacks the next piece, and reads what it takes for that.
  private mutating func fill(by inflater: Inflater) throws(Failure) {
    var piece: [UInt8] = []
    do throws(CairnError) {
      if try inflater.next(into: &piece) {
        buffer += piece
        // What is packed in bytes at hand comes before any pause.
        mayPause = false
        return
      }
    } catch { throw Failure(error, place: name) }
    let start = buffer.count
    try readChunk()
    inflater.feed(Array(buffer[start...]))
    buffer.removeSubrange(start...)
    guard !hasEnded || inflater.isComplete else {
      throw Failure(.data, "ends in the middle of what is packed in it", place: name)
    }
  }

  /// Reads what is there, at the end of the buffer.
  private mutating func readChunk() throws(Failure) {
    // SAFETY: reads at most the bytes that the chunk has.
    let count = unsafe chunk.withUnsafeMutableBytes { bytes in
      unsafe read(descriptor, bytes.baseAddress, bytes.count)
    }
    let problem = errno
    if count > 0 { buffer += chunk[..<count] }
    if count == 0 { hasEnded = true }
    if count < 0 && problem != EINTR {
      errno = problem
      throw Failure.file(name, "cannot be read")
    }
    fileByteCount += max(0, count)
    mayPause = true
  }
}
