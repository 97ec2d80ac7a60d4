import Text

/// The piece of an item's text that has most of what a query found: a phrase, else most of its
/// words.
struct Snippet: Sendable {
  var text: String
  /// Where words of the query stand in it, as offsets of Unicode scalars.
  var highlights: [Range<Int>] = []

  private static let attributes = ["contentDescription", "textContent", "comment", "subject"]
  private static let scannedByteCountMax = 65_536
  private static let stepByteCount = 256
  private static let byteCount = 160
  private static let leadByteCount = 48
  private static let ellipsis = Array("…".utf8)

  /// The piece, or nil when the item has no text beside its title.
  /// - Complexity: O(text), of which at most 64 KiB are looked at; one word ends that where it is.
  static func of(_ item: Item, _ words: QueryTermMatcher, _ buffer: inout TokenBuffer) -> Snippet? {
    var best: (bytes: [UInt8], place: QueryTermMatcher.Place)?
    var fallback: [UInt8]?
    for name in attributes {
      guard let text = item.bytes(of: name), !text.isEmpty else { continue }
      var bytes = Array(text.prefix(scannedByteCountMax))
      if bytes.count < text.count {
        // The cut may have left a part of a character.
        while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        // What comes after it shows as blank, so that the piece says that there is more.
        bytes += Array(repeating: UInt8(ascii: " "), count: byteCount)
      }
      if fallback == nil { fallback = bytes }
      if let place = place(of: words, in: bytes, &buffer), place.worth > best?.place.worth ?? 0 {
        best = (bytes, place)
        if place.worth == words.greatestWorth { break }
      }
    }
    guard let best else {
      return fallback.map { Snippet(text: String(decoding: piece($0, around: 0), as: UTF8.self)) }
    }
    let bytes = piece(best.bytes, around: best.place.start)
    var snippet = Snippet(text: String(decoding: bytes, as: UTF8.self))
    snippet.highlight(words, in: bytes, &buffer)
    return snippet
  }

  /// The best place of a text; where one word is wanted, what follows it is not looked at.
  private static func place(
    of words: QueryTermMatcher, in bytes: [UInt8], _ buffer: inout TokenBuffer
  ) -> QueryTermMatcher.Place? {
    let step = words.greatestWorth == 1 ? stepByteCount : bytes.count
    var start = 0
    while start < bytes.count {
      var end = min(start + step, bytes.count)
      // A blank ends every word.
      while end < bytes.count, bytes[end] != UInt8(ascii: " ") { end += 1 }
      Analyzer().analyze(bytes.span.extracting(start..<end), into: &buffer)
      if var place = words.bestPlace(in: buffer, span: byteCount - leadByteCount) {
        place.start += start
        return place
      }
      start = end
    }
    return nil
  }

  /// Finds the words in the piece itself, whose blanks are not those of the text.
  private mutating func highlight(
    _ words: QueryTermMatcher, in bytes: [UInt8], _ buffer: inout TokenBuffer
  ) {
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
    for token in buffer.tokens where words.place(of: token, in: buffer) != nil {
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
  private static func piece(_ bytes: [UInt8], around place: Int) -> [UInt8] {
    var start = max(0, place - leadByteCount)
    if start > 0 { while start < place, bytes[start] != UInt8(ascii: " ") { start += 1 } }
    var end = min(bytes.count, start + byteCount)
    if end < bytes.count {
      let limit = max(place, end - 40)
      var cut = end
      while cut > limit, bytes[cut] != UInt8(ascii: " ") { cut -= 1 }
      if cut > limit { end = cut }
    }
    while start < end, bytes[start] & 0xC0 == 0x80 { start += 1 }
    while end < bytes.count, end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    var line: [UInt8] = []
    line.reserveCapacity(end - start + 2 * ellipsis.count + 2)
    if start > 0 { line += ellipsis }
    var isBlank = start > 0
    for byte in bytes[start..<end] {
      if byte <= 0x20 {
        isBlank = true
      } else {
        if isBlank, !line.isEmpty { line.append(0x20) }
        isBlank = false
        line.append(byte)
      }
    }
    if end < bytes.count { line += [0x20] + ellipsis }
    return line
  }
}
