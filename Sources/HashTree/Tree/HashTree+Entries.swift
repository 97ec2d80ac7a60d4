extension HashTree {
  /// The root of the tree whose entries are these byte strings.
  /// - Complexity: O(n) hashes, O(log n) memory.
  package static func root(ofEntries entries: some Sequence<[UInt8]>) -> Hash32 {
    var frontier = Frontier()
    for entry in entries { frontier.append(leaf(entry)) }
    return frontier.root
  }

  /// The root of the tree whose entries are the lines of a text, each without its line feed.
  ///
  /// What follows the last line feed is a line of its own unless it is empty.
  /// - Complexity: O(n) hashes, O(log n) memory; no line is copied.
  package static func root(ofLines text: RawSpan) -> Hash32 {
    var frontier = Frontier()
    var start = 0
    for offset in 0..<text.byteCount {
      // SAFETY: a byte may have any bit pattern, and the offset is within the span.
      guard unsafe text.unsafeLoad(fromByteOffset: offset, as: UInt8.self) == 0x0A else { continue }
      frontier.append(leaf(text.extracting(start..<offset)))
      start = offset + 1
    }
    if start < text.byteCount { frontier.append(leaf(text.extracting(start..<text.byteCount))) }
    return frontier.root
  }

  /// The root of the tree whose entries are the lines of a text, each without its line feed.
  package static func root(ofLines text: [UInt8]) -> Hash32 {
    root(ofLines: unsafe text.span.bytes)  // SAFETY: bytes have no padding.
  }
}
