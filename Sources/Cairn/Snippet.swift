import Events
import Text

/// A piece of an item's text around the first word that a query found.
struct Snippet {
  /// The piece, on one line.
  var text: String
  /// Where words of the query stand in it, as offsets of Unicode scalars.
  var highlights: [Range<Int>] = []

  private static let attributes = ["contentDescription", "textContent", "comment", "subject"]
  private static let scannedByteCountMax = 65_536
  private static let byteCount = 160
  private static let leadByteCount = 48

  /// The piece, or nil when the item has no text beside its title.
  ///
  /// - Complexity: O(text), of which at most 64 KiB are looked at.
  static func of(_ item: Item, _ query: QueryTokens, _ stemmer: Stemmer?) -> Snippet? {
    var buffer = TokenBuffer()
    let words = WantedWords(query, stemmer)
    var fallback: [UInt8]?
    for name in attributes {
      guard let text = item.text(of: name), !text.isEmpty else { continue }
      var bytes = Array(text.utf8.prefix(scannedByteCountMax))
      let isCut = bytes.count < text.utf8.count
      if isCut {
        // The cut may have left a part of a character.
        while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        // What comes after it shows as blank, so that the piece says that there is more.
        bytes += Array(repeating: UInt8(ascii: " "), count: byteCount)
      }
      if fallback == nil { fallback = bytes }
      Analyzer().analyze(bytes, into: &buffer)
      for token in buffer.tokens where words.contains(token, buffer.bytes[token.byteRange]) {
        var snippet = Snippet(text: piece(bytes, around: token.sourceRange.lowerBound))
        snippet.highlight(words, &buffer)
        return snippet
      }
    }
    return fallback.map { Snippet(text: piece($0, around: 0)) }
  }

  /// Finds the words in the piece itself, whose blanks are not those of the text.
  private mutating func highlight(_ words: WantedWords, _ buffer: inout TokenBuffer) {
    let bytes = Array(text.utf8)
    Analyzer().analyze(bytes, into: &buffer)
    var scalarCount = 0
    var byte = 0
    func offset(of end: Int) -> Int {
      while byte < end {
        if bytes[byte] & 0xC0 != 0x80 { scalarCount += 1 }
        byte += 1
      }
      return scalarCount
    }
    var ranges: [Range<Int>] = []
    for token in buffer.tokens where words.contains(token, buffer.bytes[token.byteRange]) {
      ranges.append(token.sourceRange)
    }
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var merged: [Range<Int>] = []
    for range in ranges {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    for range in merged {
      let start = offset(of: range.lowerBound)
      highlights.append(start..<offset(of: range.upperBound))
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

/// Which words of a text a query is about.
private struct WantedWords {
  private var whole: Set<[UInt8]> = []
  /// Characters of unspaced scripts, and the last word while it is being typed.
  private var beginnings: [(space: TermSpace, bytes: [UInt8])] = []
  private var stems: Set<[UInt8]> = []
  private let stemmer: Stemmer?

  init(_ query: QueryTokens, _ stemmer: Stemmer?) {
    self.stemmer = stemmer
    let last = query.isOpen ? query.clauses.last?.terms.last : nil
    for term in query.clauses.flatMap(\.terms) {
      whole.insert([term.space.rawValue] + term.bytes)
      if term.isPrefix || term == last { beginnings.append((term.space, term.bytes)) }
      if let stemmer, term.space == .word { stems.insert(stemmer.stem(term.bytes)) }
    }
    for part in query.clauses.flatMap(\.parts) { whole.insert([TermSpace.word.rawValue] + part) }
  }

  func contains(_ token: Token, _ bytes: ArraySlice<UInt8>) -> Bool {
    // A part of a camel-case word is a word of the query in its own right.
    let space = token.space == .part ? TermSpace.word : token.space
    if whole.contains([space.rawValue] + bytes) { return true }
    if beginnings.contains(where: { $0.space == space && bytes.starts(with: $0.bytes) }) {
      return true
    }
    guard let stemmer, space == .word else { return false }
    return stems.contains(stemmer.stem(Array(bytes)))
  }
}
