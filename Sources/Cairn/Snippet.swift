import Events
import Text

/// A piece of an item's text around the first word that a query found.
enum Snippet {
  private static let attributes = ["contentDescription", "textContent", "comment", "subject"]
  private static let scannedByteCountMax = 65_536
  private static let byteCount = 160
  private static let leadByteCount = 48

  /// The piece, or nil when the item has no text beside its title.
  ///
  /// - Complexity: O(text), of which at most 64 KiB are looked at.
  static func of(_ item: Item, _ query: QueryTokens) -> String? {
    var buffer = TokenBuffer()
    var fallback: [UInt8]?
    for name in attributes {
      guard let text = item.text(of: name), !text.isEmpty else { continue }
      let bytes = Array(text.utf8.prefix(scannedByteCountMax))
      if fallback == nil { fallback = bytes }
      Analyzer().analyze(bytes, into: &buffer)
      for token in buffer.tokens where isWanted(buffer.bytes[token.byteRange], query) {
        return piece(bytes, around: token.sourceRange.lowerBound)
      }
    }
    return fallback.map { piece($0, around: 0) }
  }

  private static func isWanted(_ term: ArraySlice<UInt8>, _ query: QueryTokens) -> Bool {
    query.clauses.contains { clause in
      clause.terms.contains { term.starts(with: $0.bytes) }
    }
  }

  /// About 160 bytes on one line, cut between words where there are any.
  private static func piece(_ bytes: [UInt8], around place: Int) -> String {
    var start = max(0, place - leadByteCount)
    if start > 0 {
      while start < place, bytes[start] != UInt8(ascii: " ") { start += 1 }
    }
    var end = min(bytes.count, start + byteCount)
    if end < bytes.count {
      let limit = max(place, end - 40)
      var cut = end
      while cut > limit, bytes[cut] != UInt8(ascii: " ") { cut -= 1 }
      if cut > limit { end = cut }
    }
    while start < end, bytes[start] & 0xC0 == 0x80 { start += 1 }
    while end < bytes.count, end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    let words = bytes[start..<end].split { $0 <= 0x20 }
    let line = String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
    return (start > 0 ? "… " : "") + line + (end < bytes.count ? " …" : "")
  }
}
