import Compression
import Values

/// Content codings of HTTP (RFC 9110, section 8.4): gzip and deflate.
package enum ContentCoding {
  /// Why a content cannot be decoded.
  package enum Fault: Error, Sendable {
    /// A coding that is not asked for.
    case unknown
    /// The bytes are no such coding, or end too early.
    case damaged
    /// More comes out than is wanted.
    case tooLarge
  }

  /// Undoes the codings of a `Content-Encoding` field, the last one first; no bytes are in none.
  ///
  /// No more than `limit` bytes may come out; nothing beyond them is unpacked.
  /// - Throws: ``Fault`` for a coding that is not read, for damage, and for what is larger.
  /// - Complexity: O(bytes out).
  package static func decode(_ bytes: [UInt8], _ field: String?, limit: Int) throws(Fault)
    -> [UInt8]
  {
    // Answers without content have the field as well: 304 has what 200 would have.
    guard !bytes.isEmpty else { return [] }
    var bytes = bytes
    for coding in (field ?? "").split(separator: ",").reversed() {
      switch String(coding).strippedSpace.loweredASCII {
      case "", "identity": continue
      case "gzip", "x-gzip": bytes = try inflate(bytes, limit: limit, .gzip)
      case "deflate":
        // The standard means zlib's form; servers that send the bare stream are as many.
        do throws(Fault) { bytes = try inflate(bytes, limit: limit, .gzip) } catch {
          guard error == .damaged else { throw error }
          bytes = try inflate(bytes, limit: limit, .deflate)
        }
      case let other where Self.unread.contains(other): throw .unknown
      // What is no coding says nothing of the bytes: servers write `none` and `UTF-8` here.
      default: continue
      }
    }
    guard bytes.count <= limit else { throw .tooLarge }
    return bytes
  }

  /// The other codings that IANA lists.
  private static let unread: Set = [
    "aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd",
  ]

  /// Unpacks gzip, of several members too, zlib's form or bare deflate.
  private static func inflate(_ bytes: [UInt8], limit: Int, _ form: Unpacker.Form) throws(Fault)
    -> [UInt8]
  {
    var result: [UInt8] = []
    do throws(CairnError) {
      let unpacker = try Unpacker(form)
      unpacker.feed(bytes)
      var piece: [UInt8] = []
      while result.count <= limit {
        guard try unpacker.next(into: &piece) else {
          guard unpacker.isComplete else { break }
          return result
        }
        result += piece
      }
    } catch { throw .damaged }
    throw result.count > limit ? .tooLarge : .damaged
  }
}
