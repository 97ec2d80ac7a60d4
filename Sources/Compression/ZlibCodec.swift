import CZlib
import Values

/// Unpacks gzip and deflate (zlib).
@safe final class ZlibCodec: Codec {
  // Allocated, since zlib remembers where it is.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Begins with the first member, which has a header of gzip or of zlib, or none.
  init(hasHeader: Bool) throws(CairnError) {
    // SAFETY: one structure, zeroed as zlib asks, freed by deinit.
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe cairn_inflate_begin(stream, hasHeader ? 47 : -15)
    guard status == Z_OK else { throw CairnError(.io, "there is no memory to unpack with") }
  }

  deinit {
    // SAFETY: initialised by init, and nobody has it any more.
    unsafe inflateEnd(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  func restart() { unsafe inflateReset(stream) }

  func unpack(_ input: inout [UInt8], from start: Int, into piece: inout [UInt8])
    throws(CairnError) -> CodecStep
  {
    // SAFETY: both buffers live for the call, and zlib is told how long they are.
    let (status, used, made) = unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe piece.withUnsafeMutableBufferPointer { target in
        let count = source.count - start
        unsafe stream.pointee.next_in = unsafe source.baseAddress.map { unsafe $0 + start }
        unsafe stream.pointee.avail_in = UInt32(count)
        unsafe stream.pointee.next_out = target.baseAddress
        unsafe stream.pointee.avail_out = UInt32(target.count)
        let status = unsafe inflate(stream, Z_NO_FLUSH)
        let used = count - Int(unsafe stream.pointee.avail_in)
        return (status, used, target.count - Int(unsafe stream.pointee.avail_out))
      }
    }
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
      throw CairnError(.malformed, "what is packed in it is damaged")
    }
    return CodecStep(
      used: used, made: made, isEnd: status == Z_STREAM_END, needsMore: status == Z_BUF_ERROR)
  }
}
