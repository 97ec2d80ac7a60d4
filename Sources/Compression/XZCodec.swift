import CLZMA
import Values

/// Unpacks xz (liblzma).
@safe final class XZCodec: Codec {
  // Allocated, since liblzma remembers where it is.
  private let stream: UnsafeMutablePointer<lzma_stream>

  /// What `xz -9` needs to unpack, and some.
  private static let memoryByteCountMax: UInt64 = 80 << 20

  /// Begins with the first stream.
  init() throws(CairnError) {
    // SAFETY: one structure, zeroed as liblzma asks, freed by deinit.
    unsafe stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: lzma_stream())
    try restart()
  }

  deinit {
    // SAFETY: initialised by init, and nobody has it any more.
    unsafe lzma_end(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  func restart() throws(CairnError) {
    guard unsafe lzma_stream_decoder(stream, Self.memoryByteCountMax, 0) == LZMA_OK else {
      throw CairnError(.io, "there is no memory to unpack with")
    }
  }

  func unpack(_ input: inout [UInt8], from start: Int, into piece: inout [UInt8])
    throws(CairnError) -> CodecStep
  {
    // SAFETY: both buffers live for the call, and liblzma is told how long they are.
    let (status, used, made) = unsafe input.withUnsafeBufferPointer { source in
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
    switch status {
    case LZMA_OK, LZMA_STREAM_END, LZMA_BUF_ERROR: break
    case LZMA_MEMLIMIT_ERROR:
      throw CairnError(.malformed, "needs more than \(Self.memoryByteCountMax >> 20) MiB to unpack")
    default: throw CairnError(.malformed, "what is packed in it is damaged")
    }
    return CodecStep(
      used: used, made: made, isEnd: status == LZMA_STREAM_END, needsMore: status == LZMA_BUF_ERROR)
  }
}
