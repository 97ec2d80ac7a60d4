internal import Files
import Glibc
internal import LMDB

/// A file for what has no room in memory; whoever made it removes it.
final class SpillFile: Sendable {
  let path: String
  private let file: OpenFile

  /// Opens a file, making it when it is not there.
  /// - Throws: `.diskFull`, `.readOnly` or `.io`.
  init(path: String) throws(CairnError) {
    self.path = path
    file = try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
  }

  func byteCount() throws(CairnError) -> Int { try file.byteCount() ?? 0 }

  /// Writes all of the bytes at an offset.
  /// - Throws: `.diskFull` or `.io`.
  func write(_ bytes: RawSpan, at offset: Int) throws(CairnError) {
    try file.write(bytes, at: offset)
  }

  /// Writes all of the bytes at an offset; see the other overload.
  func write(_ bytes: borrowing ByteWriter, at offset: Int) throws(CairnError) {
    try write(bytes.bytes, at: offset)
  }

  /// Fills a range of a buffer from an offset of the file on.
  /// - Throws: `.corrupt` when the file ends before; `.io`.
  func read(into buffer: inout [UInt8], _ range: Range<Int>, at offset: Int) throws(CairnError) {
    guard try file.read(into: &buffer, range, at: offset) == range.count else { throw Self.damaged }
  }

  static var damaged: CairnError {
    CairnError(.corrupt, "the file of an unfinished rebuild is damaged; rebuild again")
  }
}

/// Reads a part of a file from front to back; the same file is given each time, as several threads
/// that count who refers to it would slow each other down.
struct SpillReader: Sendable {
  /// What is still to be read.
  private var rest: Range<Int>
  private(set) var buffer: [UInt8]
  /// What of the buffer was read and not passed.
  private(set) var held = 0..<0

  init(_ range: Range<Int>, bufferByteCount: Int) {
    rest = range
    buffer = [UInt8](repeating: 0, count: min(bufferByteCount, range.count))
  }

  /// Whether everything was passed.
  var isAtEnd: Bool { held.isEmpty && rest.isEmpty }

  /// Makes sure that so many bytes are held, or as many as are left when `isPartial`.
  /// - Throws: `.corrupt` when there are fewer.
  @inline(__always) mutating func hold(
    _ byteCount: Int, of file: SpillFile, isPartial: Bool = false
  ) throws(CairnError) { if held.count < byteCount { try fill(byteCount, file, isPartial) } }

  private mutating func fill(_ byteCount: Int, _ file: SpillFile, _ isPartial: Bool)
    throws(CairnError)
  {
    guard isPartial || byteCount <= held.count + rest.count else { throw SpillFile.damaged }
    if rest.isEmpty { return }
    if held.lowerBound > 0 {
      buffer.replaceSubrange(0..<held.count, with: buffer[held])
      held = 0..<held.count
    }
    let wanted = min(byteCount, held.count + rest.count)
    if wanted > buffer.count {
      buffer.append(contentsOf: repeatElement(0, count: wanted - buffer.count))
    }
    let count = min(buffer.count - held.count, rest.count)
    try file.read(into: &buffer, held.upperBound..<held.upperBound + count, at: rest.lowerBound)
    held = 0..<held.count + count
    rest = rest.lowerBound + count..<rest.upperBound
  }

  /// Passes bytes that are held.
  @inline(__always) mutating func pass(_ byteCount: Int) {
    held = held.lowerBound + byteCount..<held.upperBound
  }
}
