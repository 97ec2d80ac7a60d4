/// Makes texts that count as equal the same: canonical decomposition always, case and diacritics on wish.
struct Folding: Sendable {
  let ignoresCase: Bool
  let ignoresDiacritics: Bool

  init(_ options: TextPattern.Options) {
    ignoresCase = options.contains(.ignoresCase)
    ignoresDiacritics = options.contains(.ignoresDiacritics)
  }

  /// Appends the folded scalars of one character, none if nothing but diacritics is left.
  func append(_ character: Character, to units: inout [UInt32]) {
    let start = units.count
    for scalar in character.unicodeScalars {
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
    CanonicalDecomposition.sort(&units, from: start)
  }
}
