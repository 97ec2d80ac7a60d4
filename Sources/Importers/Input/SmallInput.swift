import Values

/// Files that are read whole.
enum SmallInput {
  /// The bytes of a file.
  /// - Throws: `CairnError` where it cannot be read or is larger than `most` bytes.
  static func read(_ path: String, most: Int) throws(CairnError) -> [UInt8] {
    let stream = try ByteStream(path: path, unpacks: false)
    return try read(stream, most: most)
  }

  static func read(_ stream: ByteStream, most: Int) throws(CairnError) -> [UInt8] {
    var bytes: [UInt8] = []
    while try stream.next() {
      bytes += stream.chunk
      guard bytes.count <= most else {
        throw CairnError(.malformed, "is larger than \(most >> 20) MiB, which none is")
      }
    }
    return bytes
  }
}
