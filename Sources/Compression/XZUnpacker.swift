import CLZMA
package import Values

/// Unpacks xz, a piece at a time (liblzma).
@safe package final class XZUnpacker: Unpacker {
  // Allocated, since liblzma remembers where it is.
  private let stream: UnsafeMutablePointer<lzma_stream>
  private var input: [UInt8] = []
  private var consumed = 0
  /// Whether the last piece had no room for all that liblzma had unpacked.
  private var isFull = false
  /// Whether the last stream of the file has ended.
  package private(set) var isComplete = false

  private static let pieceByteCount = 1 << 17
  /// What `xz -9` needs to unpack, and some.
  private static let memoryByteCountMax: UInt64 = 80 << 20
  /// What such a file begins with.
  package static let mark: [UInt8] = [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]

  /// Begins with the first stream.
  package init() throws(CairnError) {
    // SAFETY: one structure, zeroed as liblzma asks, freed by deinit.
    unsafe stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: lzma_stream())
    try begin()
  }

  deinit {
    // SAFETY: initialised by init, and nobody has it any more.
    unsafe lzma_end(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  private func begin() throws(CairnError) {
    guard unsafe lzma_stream_decoder(stream, Self.memoryByteCountMax, 0) == LZMA_OK else {
      throw CairnError(.io, "there is no memory to unpack with")
    }
    isComplete = false
  }

  /// Takes the next packed bytes; those before are used up by then.
  package func feed(_ bytes: [UInt8]) {
    input = bytes
    consumed = 0
  }

  /// Whether more may come without more packed bytes.
  package var hasMore: Bool { consumed < input.count || isFull }

  /// Unpacks the next piece; false when more packed bytes are needed.
  package func next(into output: inout [UInt8]) throws(CairnError) -> Bool {
    while hasMore {
      if isComplete {
        // A file may be several, one after the other; what else follows is padding.
        guard consumed < input.count, input[consumed] == Self.mark[0] else {
          consumed = input.count
          return false
        }
        try begin()
      }
      var piece = [UInt8](repeating: 0, count: Self.pieceByteCount)
      let (status, used, made) = unpackPiece(&piece)
      consumed += used
      switch status {
      case LZMA_OK, LZMA_STREAM_END, LZMA_BUF_ERROR: isComplete = status == LZMA_STREAM_END
      case LZMA_MEMLIMIT_ERROR:
        throw CairnError(
          .malformed, "needs more than \(Self.memoryByteCountMax >> 20) MiB to unpack")
      default: throw CairnError(.malformed, "what is packed in it is damaged")
      }
      isFull = made == piece.count && !isComplete
      if made > 0 {
        piece.removeLast(piece.count - made)
        output = piece
        return true
      }
      if status == LZMA_BUF_ERROR { break }
    }
    return false
  }

  private func unpackPiece(_ piece: inout [UInt8]) -> (status: lzma_ret, used: Int, made: Int) {
    let start = consumed
    // SAFETY: both buffers live for the call, and liblzma is told how long they are.
    return unsafe input.withUnsafeBufferPointer { source in
      unsafe piece.withUnsafeMutableBufferPointer { target in
        let count = source.count - start
        unsafe stream.pointee.next_in = unsafe source.baseAddress.map { unsafe $0 + start }
        unsafe stream.pointee.avail_in = count
        unsafe stream.pointee.next_out = target.baseAddress
        unsafe stream.pointee.avail_out = target.count
        let status = unsafe lzma_code(stream, LZMA_RUN)
        return unsafe (
          status, count - stream.pointee.avail_in, target.count - stream.pointee.avail_out
        )
      }
    }
  }
}
