import Compression
import Files
import Glibc
package import Values

/// The bytes of a file, a piece at a time, unpacked where it is gzip, xz or a backup of Firefox.
package final class ByteStream {
  /// The piece that is at hand; replaced by ``next()``.
  package private(set) var chunk: [UInt8] = []
  /// Bytes of the file itself that were read so far, packed as they are.
  package private(set) var fileByteCount: Int64 = 0

  private let path: String
  private let descriptor: Int32
  private let isOwned: Bool
  private var unpacker: Unpacker?
  private let unpacks: Bool
  private var isAtStart = true
  private var pending: [UInt8] = []

  private static let pieceByteCount = 1 << 17

  /// Opens a file; `-` is standard input.
  package init(path: String, unpacks: Bool = true) throws(CairnError) {
    self.path = path
    self.unpacks = unpacks
    if path == "-" {
      descriptor = STDIN_FILENO
      isOwned = false
      return
    }
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(.missing, "cannot be read") }
    if FileStatus(descriptor: descriptor)?.isFolder == true {
      close(descriptor)
      throw CairnError(.missing, "is a folder; name a file in it")
    }
    self.descriptor = descriptor
    isOwned = true
  }

  deinit { if isOwned { close(descriptor) } }

  /// The same file from its beginning.
  func again() throws(CairnError) -> ByteStream { try ByteStream(path: path, unpacks: unpacks) }

  /// Gives these bytes again before all others; only what ``chunk`` held last.
  package func unread() {
    pending = chunk
    chunk = []
  }

  /// Whether ``next()`` has to wait for whoever writes what it reads.
  package var isPausing: Bool {
    if !pending.isEmpty || unpacker?.hasMore ?? false { return false }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, as the count says.
    return unsafe poll(&entry, 1, 0) == 0
  }

  /// Whether what ``next()`` gave stands packed in the file.
  var isUnpacking: Bool { unpacker != nil }

  /// Whether something was passed over that stands behind what is packed in the file.
  package var hasRest: Bool { unpacker?.hasRest ?? false }

  /// Reads the next piece; false at the end.
  package func next() throws(CairnError) -> Bool {
    if !pending.isEmpty {
      chunk = pending
      pending = []
      return true
    }
    while true {
      if let unpacker, try unpacker.next(into: &chunk) { return true }
      let piece = try readPiece()
      if piece.isEmpty {
        if let unpacker, !unpacker.isComplete {
          throw CairnError(.malformed, "ends in the middle of what is packed in it")
        }
        return false
      }
      if isAtStart {
        isAtStart = false
        if unpacks, let tool = Self.unpackers.first(where: { piece.starts(with: $0.mark) })?.tool {
          throw CairnError(.malformed, "is compressed; unpack it first: \(tool) FILE")
        }
        if unpacks, let form = Unpacker.form(of: piece) { unpacker = try Unpacker(form) }
        if unpacks, Self.isBackup(piece) {
          chunk = try backup(piece)
          return !chunk.isEmpty
        }
      }
      guard let unpacker else {
        chunk = piece
        return true
      }
      unpacker.feed(piece)
    }
  }

  /// Goes on to the next piece where a place in ``chunk`` is at its end; false at the end of all.
  func fill(_ place: inout Int) throws(CairnError) -> Bool {
    while place >= chunk.count {
      place = 0
      guard try next() else {
        place = chunk.count
        return false
      }
    }
    return true
  }

  /// All of it, where it is small.
  /// - Throws: `CairnError` where it is larger than `most` bytes.
  func whole(most: Int) throws(CairnError) -> [UInt8] {
    var bytes: [UInt8] = []
    while try next() {
      bytes += chunk
      guard bytes.count <= most else {
        throw CairnError(.malformed, "is larger than \(most >> 20) MiB, which none is")
      }
    }
    return bytes
  }

  /// What unpacks files that begin like this.
  private static let unpackers: [(mark: [UInt8], tool: String)] = [
    ([0x28, 0xB5, 0x2F, 0xFD], "zstdcat"), ([0x42, 0x5A, 0x68], "bzcat"),
  ]

  /// What a backup of Firefox begins with; the count of its bytes and a block of LZ4 follow.
  private static let backupMark = Array("mozLz40\0".utf8)
  private static let backupByteCountMax = 64 << 20

  /// Whether a file that begins so is a backup of Firefox.
  static func isBackup(_ beginning: [UInt8]) -> Bool { beginning.starts(with: backupMark) }

  private func backup(_ first: [UInt8]) throws(CairnError) -> [UInt8] {
    var packed = first
    while true {
      let piece = try readPiece()
      if piece.isEmpty { break }
      packed += piece
      guard packed.count <= Self.backupByteCountMax else { break }
    }
    var reader = BinaryReader(Array(packed.prefix(12)))
    guard reader.skip(Self.backupMark.count), let count = reader.unsigned(4, .little),
      count <= Self.backupByteCountMax,
      let bytes = LZ4Block.unpacked(packed.dropFirst(12), byteCount: Int(count))
    else { throw CairnError(.malformed, "what is packed in it is damaged") }
    return bytes
  }

  private func readPiece() throws(CairnError) -> [UInt8] {
    while true {
      // Without zeros before: a line that is typed takes less time to read than to make room for.
      var got = 0
      // SAFETY: reads at most what the buffer holds, and tells how much that was.
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceByteCount) {
        (buffer, count) in
        got = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        count = max(0, got)
      }
      guard got < 0 else {
        fileByteCount += Int64(got)
        return piece
      }
      guard errno == EINTR else { throw .system(.missing, "cannot be read") }
    }
  }
}

extension CairnError {
  /// What a system call would not do; `errno` says why.
  static func system(_ code: Code, _ what: String) -> CairnError {
    let number = errno
    let isFull = number == ENOSPC || number == EDQUOT
    return CairnError(isFull ? .diskFull : code, "\(what): \(reason(of: number))")
  }
}
