internal import CZlib

/// Content codings of HTTP (RFC 9110, section 8.4): gzip and deflate.
public enum ContentCoding {
  /// Why a content cannot be decoded.
  public enum Fault: Error, Sendable {
    /// A coding that is not asked for.
    case unknown
    /// The bytes are no such coding, or end too early.
    case damaged
    /// More comes out than is wanted.
    case tooLarge
  }

  /// Undoes the codings of a `Content-Encoding` field, the last one first.
  ///
  /// No more than `limit` bytes may come out; nothing beyond them is unpacked.
  /// - Complexity: O(bytes out).
  public static func decode(_ bytes: [UInt8], _ field: String?, limit: Int) throws(Fault) -> [UInt8]
  {
    var bytes = bytes
    for coding in (field ?? "").split(separator: ",").reversed() {
      switch String(coding).strippedSpace.loweredASCII {
      case "", "identity": continue
      case "gzip", "x-gzip": bytes = try inflate(bytes, limit: limit, windowBits: 47)
      case "deflate":
        // The standard means zlib's form; servers that send the bare stream are as many.
        do throws(Fault) { bytes = try inflate(bytes, limit: limit, windowBits: 47) } catch {
          guard error == .damaged else { throw error }
          bytes = try inflate(bytes, limit: limit, windowBits: -15)
        }
      default: throw .unknown
      }
    }
    guard bytes.count <= limit else { throw .tooLarge }
    return bytes
  }

  /// Unpacks gzip, of several members too, zlib's form or bare deflate.
  static func inflate(_ bytes: [UInt8], limit: Int, windowBits: Int32) throws(Fault) -> [UInt8] {
    var bytes = bytes
    var result: [UInt8] = []
    var stream = unsafe z_stream()
    guard unsafe cairn_inflate_begin(&stream, windowBits) == Z_OK else { throw .damaged }
    // SAFETY: begun above, and ended once.
    defer { unsafe inflateEnd(&stream) }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var consumed = 0
    while consumed < bytes.count {
      let (status, used, made) = unsafe step(&stream, &bytes, from: consumed, into: &piece)
      consumed += used
      result += piece[..<made]
      guard result.count <= limit else { throw .tooLarge }
      if status == Z_STREAM_END {
        // Members follow each other; anything else behind them is padding.
        guard consumed + 1 < bytes.count, bytes[consumed] == 0x1f, bytes[consumed + 1] == 0x8b
        else { return result }
        unsafe inflateReset(&stream)
      } else if status != Z_OK || (used == 0 && made == 0) {
        throw .damaged
      }
    }
    throw .damaged
  }

  private static func step(
    _ stream: inout z_stream, _ bytes: inout [UInt8], from start: Int, into piece: inout [UInt8]
  ) -> (status: Int32, used: Int, made: Int) {
    // SAFETY: both buffers live for the call, and zlib is told how long they are.
    unsafe bytes.withUnsafeMutableBufferPointer { source in
      unsafe piece.withUnsafeMutableBufferPointer { target in
        let count = min(source.count - start, 1 << 30)
        unsafe stream.next_in = unsafe source.baseAddress.map { unsafe $0 + start }
        unsafe stream.avail_in = UInt32(count)
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = UInt32(target.count)
        let status = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
        return unsafe (status, count - Int(stream.avail_in), target.count - Int(stream.avail_out))
      }
    }
  }
}
