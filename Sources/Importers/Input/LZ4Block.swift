/// Unpacks a block of LZ4, as Firefox packs its backups
/// (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md).
enum LZ4Block {
  /// What a block holds; nil where it is damaged or holds another number of bytes.
  ///
  /// - Complexity: O(`byteCount`).
  static func unpacked(_ block: ArraySlice<UInt8>, byteCount: Int) -> [UInt8]? {
    var rest = block
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    while let token = rest.popFirst() {
      guard let literals = length(token >> 4, &rest), literals <= rest.count,
        bytes.count + literals <= byteCount
      else { return nil }
      bytes += rest.prefix(literals)
      rest = rest.dropFirst(literals)
      // The last sequence has no match.
      if rest.isEmpty { break }
      guard let low = rest.popFirst(), let high = rest.popFirst() else { return nil }
      let offset = Int(high) << 8 | Int(low)
      guard let more = length(token & 15, &rest), offset > 0, offset <= bytes.count,
        bytes.count + more + 4 <= byteCount
      else { return nil }
      // A match may reach into what it makes.
      for _ in 0..<more + 4 { bytes.append(bytes[bytes.count - offset]) }
    }
    return bytes.count == byteCount ? bytes : nil
  }

  /// Four bits of a token, with the bytes that go on where they are all set.
  private static func length(_ bits: UInt8, _ rest: inout ArraySlice<UInt8>) -> Int? {
    var length = Int(bits)
    guard bits == 15 else { return length }
    while let byte = rest.popFirst() {
      length += Int(byte)
      if byte < 255 { return length }
    }
    return nil
  }
}
