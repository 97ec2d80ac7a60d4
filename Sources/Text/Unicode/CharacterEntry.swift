/// How the scanner treats a code point.
enum CharacterClass: UInt8 {
  case separator = 1
  case letter = 2
  case upper = 3
  case digit = 4
  case mark = 5
  /// Han, kana, hangul and the like: runs without spaces, indexed by pairs.
  case unspaced = 6
  /// Thai, Lao, Khmer, Burmese: unspaced too, but a dictionary knows their words.
  case complex = 7
  case emoji = 8
  case flag = 9
  /// Joiners, soft hyphens, variation selectors: as if not there.
  case ignorable = 10
  /// A mark of such a script that attaches to whatever precedes it, and begins a run where it can.
  case complexMark = 11

  /// The same in terms of `ByteKind`, for finding parts.
  var byteKind: UInt8 {
    switch self {
    case .upper: ByteKind.upper
    case .digit: ByteKind.digit
    default: ByteKind.lower
    }
  }
}

/// What the analyzer knows about a code point, in 32 bits: its class, what it folds to, and whether
/// its neighbours have a say in that.
struct CharacterEntry {
  var bits: UInt32

  private static let payloadMask: UInt32 = 0x1F_FFFF

  init(bits: UInt32) { self.bits = bits }

  init(_ characterClass: CharacterClass, payload: UInt32) {
    bits = UInt32(characterClass.rawValue) << 21 | payload & Self.payloadMask
  }

  var characterClass: CharacterClass {
    CharacterClass(rawValue: UInt8(truncatingIfNeeded: (bits >> 21) & 15)) ?? .separator
  }

  /// The scalar it folds to, or where its expansion stands.
  var payload: UInt32 { bits & Self.payloadMask }

  /// Nothing before it composes with it or changes places with it.
  var hasBoundaryBefore: Bool {
    get { bits & 1 << 25 != 0 }
    set { set(25, newValue) }
  }

  /// Folds to itself whatever precedes it, but for the order of marks.
  var isStable: Bool {
    get { bits & 1 << 26 != 0 }
    set { set(26, newValue) }
  }

  /// Folds to several scalars or none: the payload is an index of the expansions.
  var isExpanded: Bool {
    get { bits & 1 << 27 != 0 }
    set { set(27, newValue) }
  }

  /// A letter or digit whose marks are decoration: é is found as e, but が never as か.
  var dropsMarks: Bool {
    get { bits & 1 << 28 != 0 }
    set { set(28, newValue) }
  }

  /// A mark that is dropped after such a letter.
  var isDroppable: Bool {
    get { bits & 1 << 29 != 0 }
    set { set(29, newValue) }
  }

  /// People type it with other letters: `LetterTable` knows which.
  var hasVariant: Bool {
    get { bits & 1 << 30 != 0 }
    set { set(30, newValue) }
  }

  private mutating func set(_ bit: UInt32, _ value: Bool) {
    bits = value ? bits | 1 << bit : bits & ~(1 << bit)
  }
}
