/// Steps through the lines of a text; a line without its line feed at the end does not count.
struct LineSplitter {
  /// What follows the lines that were read.
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next line without its line feed, or `nil` when there is no further line feed.
  mutating func next() -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: 0x0A) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }

  /// Lines of base64, one hash each, up to and including an empty line.
  ///
  /// `nil` when a line is no hash, the empty line is missing, or there are more than `count`.
  mutating func hashes(upTo count: Int) -> [Hash32]? {
    var hashes: [Hash32] = []
    while let line = next() {
      if line.isEmpty { return hashes }
      guard hashes.count < count, let bytes = Base64.decode(line), let hash = Hash32(bytes: bytes)
      else { return nil }
      hashes.append(hash)
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  /// What follows a fixed beginning, or `nil` when the line begins otherwise.
  func value(after prefix: StaticString) -> ArraySlice<UInt8>? {
    let prefix = Array(prefix.description.utf8)
    return starts(with: prefix) ? dropFirst(prefix.count) : nil
  }
}
