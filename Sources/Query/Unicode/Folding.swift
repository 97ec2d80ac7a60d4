/// Makes texts that count as equal the same: canonical decomposition always, case and diacritics on
/// wish.
struct Folding: Sendable {
  let ignoresCase: Bool
  let ignoresDiacritics: Bool

  init(_ options: TextPattern.Options) {
    ignoresCase = options.contains(.ignoresCase)
    ignoresDiacritics = options.contains(.ignoresDiacritics)
  }

  /// A number for each of the four ways to fold.
  var rawValue: UInt8 { (ignoresCase ? 1 : 0) | (ignoresDiacritics ? 2 : 0) }

  func ascii(_ byte: UInt8) -> UInt8 {
    ignoresCase && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
