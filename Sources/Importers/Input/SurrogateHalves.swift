/// Halves of surrogate pairs in JSON, `\ud83d` without its `\ude00`: they stand for no character,
/// but programs that cut a title after so many units of UTF-16 write them.
enum SurrogateHalves {
  private static let high: Range<UInt32> = 0xD800..<0xDC00
  private static let low: Range<UInt32> = 0xDC00..<0xE000
  private static let escapeByteCount = 6

  /// The same JSON with U+FFFD for each half that stands alone.
  static func replaced(in bytes: [UInt8]) -> [UInt8] {
    var replaced = bytes
    var at = 0
    while at < bytes.count, let start = bytes[at...].firstIndex(of: UInt8(ascii: "\\")) {
      guard let unit = code(bytes, at: start) else {
        // Of two backslashes the second begins no escape.
        at = start + 2
        continue
      }
      at = start + escapeByteCount
      if high.contains(unit), let next = code(bytes, at: at), low.contains(next) {
        at += escapeByteCount
      } else if high.contains(unit) || low.contains(unit) {
        replaced.replaceSubrange(start + 2..<at, with: "FFFD".utf8)
      }
    }
    return replaced
  }

  /// The unit of UTF-16 of an escape that begins at a place; nil where none does.
  private static func code(_ bytes: [UInt8], at start: Int) -> UInt32? {
    guard start + escapeByteCount <= bytes.count, bytes[start] == UInt8(ascii: "\\"),
      bytes[start + 1] == UInt8(ascii: "u")
    else { return nil }
    let digits = bytes[start + 2..<start + escapeByteCount]
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
