import Cairn
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
  private let stream: ByteStream
  private var lines = LineBuffer(byteCountMax: Self.lineByteCountMax)
  private var hasEnded = false
  private var mayPause = false

  /// Memory for one line; an event is refused long before.
  static let lineByteCountMax = 1 << 28

  /// Opens a file; `-` is standard input.
  init(_ path: String) throws(Failure) {
    name = path
    TypedInput.tell(of: path)
    do { stream = try ByteStream(path: path) } catch { throw Failure(error, place: path) }
  }

  /// Of the line that came last, from 1.
  var lineNumber: Int { lines.lineNumber }

  /// Bytes of the file itself that were read so far, packed as they are.
  var fileByteCount: Int { Int(stream.fileByteCount) }

  /// - Complexity: one search for the newline and no copy; the slice is good until the next call.
  mutating func next() throws(Failure) -> Step {
    while true {
      if let line = lines.next(last: hasEnded) {
        guard !line.isTooLong else { return .tooLong }
        return .line(lineNumber == 1 ? ByteOrderMark.dropped(from: line.bytes) : line.bytes)
      }
      if hasEnded { return .end }
      if mayPause, stream.isPausing {
        mayPause = false
        return .pause
      }
      do throws(CairnError) { try fill() } catch { throw Failure(error, place: name) }
    }
  }

  private mutating func fill() throws(CairnError) {
    let isAtStart = stream.fileByteCount == 0
    hasEnded = try !stream.next()
    if isAtStart { try Self.requireLines(stream.chunk) }
    if !hasEnded { lines.append(stream.chunk) }
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
