internal import CICU

/// What each code point is and folds to, asked of ICU once per code point and buffer.
///
/// Empty until the first question; every `TokenBuffer` has its own.
struct CharacterTable {
  /// Where the block of 128 entries of a code point begins, plus one; 0 when nobody asked yet.
  private var blocks: [UInt32] = []
  private var entries: [CharacterEntry] = []
  private var expansions: [[UInt32]] = []
  private var scratch: [UInt32] = []
  private var normalizer = Normalizer()

  /// The entry of a code point.
  /// - Complexity: O(1); the first time per code point some calls of ICU.
  mutating func entry(_ scalar: UInt32) -> CharacterEntry {
    let block = Int(scalar >> 7)
    if block < blocks.count, blocks[block] != 0 {
      let entry = entries[Int(blocks[block] &- 1 &+ scalar & 127)]
      if entry.bits != 0 { return entry }
    }
    return ask(scalar)
  }

  private mutating func ask(_ scalar: UInt32) -> CharacterEntry {
    if blocks.isEmpty { blocks = Array(repeating: 0, count: 0x110000 >> 7) }
    let block = Int(scalar >> 7)
    if blocks[block] == 0 {
      blocks[block] = UInt32(truncatingIfNeeded: entries.count + 1)
      entries.append(contentsOf: repeatElement(CharacterEntry(bits: 0), count: 128))
    }
    let entry = makeEntry(scalar)
    entries[Int(blocks[block] &- 1 &+ scalar & 127)] = entry
    return entry
  }

  /// The scalars an expanded entry stands for, maybe none.
  func expansion(_ entry: CharacterEntry) -> [UInt32] { expansions[Int(entry.payload)] }

  /// Orders and composes a letter and its marks, each folded already.
  ///
  /// NFKC_Casefold is its mapping of each character, then NFC.
  mutating func compose(_ scalars: inout [UInt32]) { normalizer.compose(&scalars) }

  private mutating func makeEntry(_ scalar: UInt32) -> CharacterEntry {
    let traits = ScriptTraits(scalar)
    scratch.removeAll(keepingCapacity: true)
    scratch.append(scalar)
    normalizer.casefold(&scratch)
    var characterClass = traits.characterClass(foldsToItself: scratch == [scalar])
    if characterClass == .letter, scratch.allSatisfy({ ScriptTraits($0).isDroppableMark }) {
      // A presentation form of an Arabic mark.
      characterClass = .mark
    }
    let isOfMarkedScript = scratch.first.map { ScriptTraits($0).dropsMarks } ?? false
    let isWord = characterClass == .letter || characterClass == .upper || characterClass == .digit
    if let digit = Self.digit(scalar) {
      scratch = [digit]
    } else if isWord {
      if isOfMarkedScript {
        normalizer.dropMarks(&scratch)
        scratch.removeAll { !ScriptTraits($0).isWordCharacter }
      } else if !scratch.allSatisfy({ ScriptTraits($0).isWordCharacter }) {
        // ½ is 1⁄2 in NFKC and ﷺ a sentence; a word stays one word.
        scratch = [scalar]
      }
      for index in scratch.indices { scratch[index] = Self.digit(scratch[index]) ?? scratch[index] }
    }
    // Whatever class it is: ℃ ends in a c, and marks after it are marks of the c.
    let endsInLetter =
      scratch.last.map { ScriptTraits($0).dropsMarks || (0x30...0x39).contains($0) } ?? false
    let drops = characterClass == .digit || characterClass != .mark && endsInLetter
    return makeEntry(scalar, characterClass, drops)
  }

  private mutating func makeEntry(
    _ scalar: UInt32, _ characterClass: CharacterClass, _ drops: Bool
  ) -> CharacterEntry {
    var entry: CharacterEntry
    if scratch.count == 1 {
      entry = CharacterEntry(characterClass, payload: scratch[0])
      entry.isStable = scratch[0] == scalar && normalizer.isStable(scalar)
    } else {
      entry = CharacterEntry(characterClass, payload: UInt32(truncatingIfNeeded: expansions.count))
      entry.isExpanded = true
      expansions.append(scratch)
    }
    entry.hasBoundaryBefore =
      normalizer.hasBoundaryBefore(scalar)
      && scratch.first.map { normalizer.hasBoundaryBefore($0) } ?? true
    entry.dropsMarks = drops
    entry.hasVariant = scratch.contains { LetterTable.letters($0) != nil }
    entry.isDroppable =
      characterClass == .mark && scratch.allSatisfy { ScriptTraits($0).isDroppableMark }
    return entry
  }

  /// The ASCII digit of the same value, for a decimal digit of any script.
  private static func digit(_ scalar: UInt32) -> UInt32? {
    let value = cairn_digit_value(Int32(bitPattern: scalar))
    return value >= 0 ? 0x30 + UInt32(value) : nil
  }
}
