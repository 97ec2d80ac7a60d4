internal import CICU

/// What each code point is and folds to, asked of ICU once per code point and buffer.
///
/// Not shared between threads: every `TokenBuffer` that meets non-ASCII text has its own.
final class CharacterTable {
  /// Where the block of 128 entries of a code point begins, plus one; 0 when nobody asked yet.
  private var blocks = [UInt32](repeating: 0, count: 0x110000 >> 7)
  private var entries: [CharacterEntry] = []
  private var expansions: [[UInt32]] = []
  private var scratch: [UInt32] = []
  private var normalizer = Normalizer()
  /// The run being read, so that its storage is reused.
  var run = CharacterRun()
  /// The dictionary, when a Thai-like run has been met.
  lazy var words = WordBreaker()
  /// Where its words begin.
  var wordStarts: [Int] = []

  /// The entry of a code point.
  ///
  /// - Complexity: O(1); the first time per code point some calls of ICU.
  func entry(_ scalar: UInt32) -> CharacterEntry {
    let block = Int(scalar >> 7)
    if blocks[block] == 0 {
      blocks[block] = UInt32(truncatingIfNeeded: entries.count + 1)
      entries.append(contentsOf: repeatElement(CharacterEntry(bits: 0), count: 128))
    }
    let index = Int(blocks[block] - 1 + scalar & 127)
    if entries[index].bits == 0 { entries[index] = makeEntry(scalar) }
    return entries[index]
  }

  /// The scalars an expanded entry stands for, maybe none.
  func expansion(_ entry: CharacterEntry) -> [UInt32] { expansions[Int(entry.payload)] }

  /// Folds scalars that belong together: a letter and the marks that compose with it.
  func foldSegment(_ scalars: inout [UInt32]) {
    normalizer.casefold(&scalars)
    if let first = scalars.first, ScriptTraits(first).dropsMarks {
      dropMarks(&scalars)
    }
    for index in scalars.indices { scalars[index] = Self.digit(scalars[index]) ?? scalars[index] }
  }

  private func makeEntry(_ scalar: UInt32) -> CharacterEntry {
    let traits = ScriptTraits(scalar)
    scratch.removeAll(keepingCapacity: true)
    scratch.append(scalar)
    normalizer.casefold(&scratch)
    let characterClass = traits.characterClass(foldsToItself: scratch == [scalar])
    let foldedTraits = scratch.first.map { ScriptTraits($0) } ?? traits
    let isWord =
      characterClass == .letter || characterClass == .upper || characterClass == .digit
    let drops = characterClass == .digit || isWord && foldedTraits.dropsMarks
    if let digit = Self.digit(scalar) {
      scratch = [digit]
    } else if isWord {
      if drops && foldedTraits.dropsMarks {
        dropMarks(&scratch)
        scratch.removeAll { !ScriptTraits($0).isWordCharacter }
      } else if !scratch.allSatisfy({ ScriptTraits($0).isWordCharacter }) {
        // ½ is 1⁄2 in NFKC and ﷺ a sentence; a word stays one word.
        scratch = [scalar]
      }
      for index in scratch.indices { scratch[index] = Self.digit(scratch[index]) ?? scratch[index] }
    }
    return makeEntry(scalar, characterClass, traits, drops)
  }

  private func makeEntry(
    _ scalar: UInt32,
    _ characterClass: CharacterClass,
    _ traits: ScriptTraits,
    _ drops: Bool
  ) -> CharacterEntry {
    var entry: CharacterEntry
    if scratch.count == 1 {
      entry = CharacterEntry(characterClass, payload: scratch[0])
      entry.isStable = scratch[0] == scalar && normalizer.isStable(scalar)
    } else {
      entry = CharacterEntry(
        characterClass,
        payload: UInt32(truncatingIfNeeded: expansions.count)
      )
      entry.isExpanded = true
      expansions.append(scratch)
    }
    entry.hasBoundaryBefore = normalizer.hasBoundaryBefore(scalar)
    entry.dropsMarks = drops
    entry.hasVariant = scratch.contains { LetterTable.letters($0) != nil }
    entry.isDroppable = characterClass == .mark && traits.isDroppableMark
    return entry
  }

  /// Decomposes and drops the marks.
  private func dropMarks(_ scalars: inout [UInt32]) {
    normalizer.decompose(&scalars)
    scalars.removeAll { ScriptTraits($0).isDroppableMark }
  }

  /// The ASCII digit of the same value, for a decimal digit of any script.
  private static func digit(_ scalar: UInt32) -> UInt32? {
    let value = cairn_digit_value(Int32(bitPattern: scalar))
    return value >= 0 ? 0x30 + UInt32(value) : nil
  }
}
