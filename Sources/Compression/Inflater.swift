import CZlib
package import Values

/// Unpacks gzip and deflate, a piece at a time (zlib).
@safe package final class Inflater: Unpacker {
  package enum Form { case gzip, deflate }

  // Allocated, since zlib remembers where it is.
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8] = []
  private var consumed = 0
  /// Whether the last piece had no room for all that zlib had unpacked.
  private var isFull = false
  private let form: Form
  /// Whether the last member of the file has ended.
  package private(set) var isComplete = false

  private static let pieceByteCount = 1 << 17

  package init(_ form: Form) throws(CairnError) {
    self.form = form
    // SAFETY: one structure, zeroed as zlib asks, freed by deinit.
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe cairn_inflate_begin(stream, form == .gzip ? 47 : -15)
    guard status == Z_OK else { throw CairnError(.io, "there is no memory to unpack with") }
  }

  deinit {
    // SAFETY: initialised by init, and nobody has it any more.
    unsafe inflateEnd(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
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
        // A gzip file may be several, one after the other; what else follows is padding.
        guard form == .gzip, consumed < input.count, input[consumed] == 0x1F else {
          consumed = input.count
          return false
        }
        unsafe inflateReset(stream)
        isComplete = false
      }
      var piece = [UInt8](repeating: 0, count: Self.pieceByteCount)
      let (status, used, made) = inflatePiece(&piece)
      consumed += used
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
        throw CairnError(.malformed, "what is packed in it is damaged")
      }
      isComplete = status == Z_STREAM_END
      isFull = made == piece.count && !isComplete
      if made > 0 {
        piece.removeLast(piece.count - made)
        output = piece
        return true
      }
      if status == Z_BUF_ERROR { break }
    }
    return false
  }

  private func inflatePiece(_ piece: inout [UInt8]) -> (status: Int32, used: Int, made: Int) {
    let start = consumed
    // SAFETY: both buffers live for the call, and zlib is told how long they are.
    return unsafe input.withUnsafeMutableBufferPointer { source in
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
  }
}
