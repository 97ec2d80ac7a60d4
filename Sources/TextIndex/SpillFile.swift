import Glibc
internal import LMDB
internal import Projections

/// A file for what has no room in memory; whoever made it removes it.
final class SpillFile: Sendable {
  let path: String
  private let descriptor: CInt

  /// Opens a file, making it when it is not there.
  ///
  /// - Throws: `.diskFull`, `.readOnly` or `.io`.
  init(path: String) throws(StorageError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StorageError.system(errno, "cannot be created", path: path)
    }
  }

  deinit { close(descriptor) }

  /// Bytes of the file.
  func byteCount() throws(StorageError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw StorageError.system(errno, "cannot be looked at", path: path)
    }
    return Int(status.st_size)
  }

  /// Writes all of the bytes at an offset.
  ///
  /// - Throws: `.diskFull` or `.io`.
  func write(_ bytes: RawSpan, at offset: Int) throws(StorageError) {
    var done = 0
    while done < bytes.byteCount {
      let wrote = unsafe bytes.withUnsafeBytes { buffer in
        // SAFETY: writes the part of the buffer that is left.
        unsafe pwrite(
          descriptor,
          buffer.baseAddress.map { unsafe $0 + done },
          buffer.count - done,
          offset + done
        )
      }
      guard wrote > 0 else {
        throw StorageError.system(wrote == 0 ? ENOSPC : errno, "cannot be written", path: path)
      }
      done += wrote
    }
  }

  /// Writes all of the bytes at an offset; see the other overload.
  func write(_ bytes: borrowing ByteWriter, at offset: Int) throws(StorageError) {
    try write(bytes.bytes, at: offset)
  }

  /// Fills a range of a buffer from an offset of the file on.
  ///
  /// - Throws: `.corrupt` when the file ends before; `.io`.
  func read(
    into buffer: inout [UInt8],
    _ range: Range<Int>,
    at offset: Int
  ) throws(StorageError) {
    var done = range.lowerBound
    while done < range.upperBound {
      let got = unsafe buffer.withUnsafeMutableBytes { buffer in
        // SAFETY: the slice traps unless the range is inside the buffer, and no more is read.
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done..<range.upperBound])
        return unsafe pread(
          descriptor,
          rest.baseAddress,
          rest.count,
          offset + done - range.lowerBound
        )
      }
      guard got >= 0 else { throw StorageError.system(errno, "cannot be read", path: path) }
      guard got > 0 else { throw Self.damaged }
      done += got
    }
  }

  static var damaged: StorageError {
    StorageError(.corrupt, "the file of an unfinished rebuild is damaged; rebuild again")
  }
}

/// Writes to a file from an offset on, in large pieces.
struct SpillWriter: ~Copyable {
  private let file: SpillFile
  private var buffer = ByteWriter(capacity: SpillWriter.pieceByteCount + 4_096)
  /// Where in the file the buffer begins.
  private var start: Int

  private static let pieceByteCount = 1 << 19

  init(_ file: SpillFile, at offset: Int) {
    self.file = file
    start = offset
  }

  /// Where the next byte goes.
  var offset: Int { start + buffer.count }

  mutating func append(_ bytes: RawSpan) throws(StorageError) {
    buffer.append(bytes)
    if buffer.count >= Self.pieceByteCount { try flush() }
  }

  mutating func append(_ bytes: borrowing ByteWriter) throws(StorageError) {
    try append(bytes.bytes)
  }

  mutating func append(_ numbers: [UInt32]) throws(StorageError) {
    for number in numbers { buffer.appendLittleEndian(number) }
    if buffer.count >= Self.pieceByteCount { try flush() }
  }

  /// Leaves room for bytes that are written later.
  mutating func skip(_ byteCount: Int) throws(StorageError) {
    try flush()
    start += byteCount
  }

  mutating func flush() throws(StorageError) {
    try file.write(buffer.bytes, at: start)
    start += buffer.count
    buffer.removeAll()
  }
}
