/// Makes texts that count as equal the same: canonical decomposition always, case and diacritics on wish.
struct Folding: Sendable {
  let ignoresCase: Bool
  let ignoresDiacritics: Bool

  init(_ options: TextPattern.Options) {
    ignoresCase = options.contains(.ignoresCase)
    ignoresDiacritics = options.contains(.ignoresDiacritics)
  }

  /// A number for each of the four ways to fold.
  var rawValue: UInt8 { (ignoresCase ? 1 : 0) | (ignoresDiacritics ? 2 : 0) }

  /// Folds an ASCII byte.
  func ascii(_ byte: UInt8) -> UInt8 {
    ignoresCase && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Appends the folded scalars of one character, none if nothing but diacritics is left.
  func append(_ character: some Sequence<Unicode.Scalar>, to units: inout [UInt32]) {
    let start = units.count
    for scalar in character { appendUnordered(scalar, to: &units) }
    CanonicalDecomposition.sort(&units, from: start)
  }

  /// Appends the folded scalars of a character of one scalar.
  func append(_ scalar: Unicode.Scalar, to units: inout [UInt32]) {
    let start = units.count
    appendUnordered(scalar, to: &units)
    if units.count > start + 2 { CanonicalDecomposition.sort(&units, from: start) }
  }

  private func appendUnordered(_ scalar: Unicode.Scalar, to units: inout [UInt32]) {
    CanonicalDecomposition.forEachScalar(of: scalar) { part in
      if ignoresDiacritics && Diacritics.isDiacritic(part) { return }
      let base = ignoresDiacritics ? Diacritics.base(of: part) : part
      guard ignoresCase else {
        units.append(base.value)
        return
      }
      CaseFolding.forEachScalar(of: base) { folded in
        if ignoresDiacritics && Diacritics.isDiacritic(folded) { return }
        units.append(folded.value)
      }
    }
  }
}
