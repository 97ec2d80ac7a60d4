/// Full default case folding (Unicode §3.13, CaseFolding.txt statuses C and F), derived from the case
/// mappings the standard library has.
enum CaseFolding {
  /// Visits the folded scalars of a scalar.
  static func forEachScalar(of scalar: Unicode.Scalar, _ visit: (Unicode.Scalar) -> Void) {
    if scalar.isASCII {
      let value = UInt8(truncatingIfNeeded: scalar.value)
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(value)
      return visit(Unicode.Scalar(isUpper ? value | 0x20 : value))
    }
    let properties = scalar.properties
    guard properties.changesWhenCaseFolded else { return visit(scalar) }
    // Cherokee folds to its older, upper-case letters.
    if (0x13F8...0x13FD).contains(scalar.value) || (0xAB70...0xABBF).contains(scalar.value) {
      return properties.uppercaseMapping.unicodeScalars.forEach(visit)
    }
    for lower in properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars {
        for folded in upper.properties.lowercaseMapping.unicodeScalars {
          CanonicalDecomposition.forEachScalar(of: folded, visit)
        }
      }
    }
  }
}
