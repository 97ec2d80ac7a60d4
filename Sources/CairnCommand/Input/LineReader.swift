import Cairn
import Glibc
import Importers

/// Lines of a file or of standard input, unpacked where they are gzip, and when the input pauses.
struct LineReader: ~Copyable {
  enum Step {
    /// A line without its newline; a carriage return before it stays.
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

  private let stream: ByteStream
  private var buffer: [UInt8] = []
  private var unread = 0
  /// Up to here there is no newline.
  private var searched = 0
  private var hasEnded = false
  private var isSkipping = false
  private var mayPause = false

  /// Memory for one line; an event is refused long before.
  static let lineByteCountMax = 1 << 28

  /// Opens a file; `-` is standard input.
  init(_ path: String) throws(Failure) {
    name = path
    TypedInput.tell(of: path)
    do { stream = try ByteStream(path: path) } catch { throw Failure(error, place: path) }
  }

  /// Bytes of the file itself that were read so far, packed as they are.
  var fileByteCount: Int { Int(stream.fileByteCount) }

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
      if mayPause, stream.isPausing {
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
    lineNumber == 1 ? ByteOrderMark.dropped(from: line) : line
  }

  private func newline(from start: Int) -> Int? {
    // SAFETY: memchr looks at the bytes from `start` to the end of the buffer it is given.
    unsafe buffer.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return nil }
      let found = unsafe memchr(base + start, 0x0A, bytes.count - start)
      return unsafe found.map { unsafe UnsafeRawPointer($0) - base }
    }
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
    let isAtStart = lineNumber == 0 && buffer.isEmpty && !isSkipping
    do throws(CairnError) {
      if try stream.next() { buffer += stream.chunk } else { hasEnded = true }
      if isAtStart { try Self.requireLines(buffer) }
    } catch { throw Failure(error, place: name) }
    mayPause = true
  }

  /// Refuses at once what holds no lines, each of which would be refused.
  private static func requireLines(_ head: [UInt8]) throws(CairnError) {
    let isDatabase = InputFile.isDatabase(head)
    guard !isDatabase, !Archive.recognises(head) else {
      let what = isDatabase ? "a SQLite database; a history" : "an archive; what is"
      throw CairnError(.malformed, "is \(what) in one comes in with: cairn import FILE")
    }
    guard !InputFile.isUTF16(head) else { throw InputFile.utf16 }
  }
}
