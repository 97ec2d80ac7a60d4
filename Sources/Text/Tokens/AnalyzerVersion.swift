internal import CICU

extension Analyzer {
  /// Changes whenever the same text may give other terms because of this code.
  package static let version: UInt32 = 1

  /// Identity of everything that decides which terms a text has: code, fold tables, ICU, Unicode.
  ///
  /// An index made under another string must be rebuilt. Does not load ICU's data.
  package static var versionString: String {
    var icu: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
    var unicode: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
    // SAFETY: both tuples are four bytes long, which is what ICU fills.
    unsafe withUnsafeMutableBytes(of: &icu) { icuBytes in
      unsafe withUnsafeMutableBytes(of: &unicode) { unicodeBytes in
        unsafe cairn_icu_version(
          icuBytes.assumingMemoryBound(to: UInt8.self).baseAddress,
          unicodeBytes.assumingMemoryBound(to: UInt8.self).baseAddress)
      }
    }
    let table = String(LetterTable.fingerprint, radix: 16)
    return "text-\(version) icu-\(icu.0).\(icu.1) unicode-\(unicode.0).\(unicode.1) table-\(table)"
  }
}
