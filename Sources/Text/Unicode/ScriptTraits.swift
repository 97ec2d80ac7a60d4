internal import CICU

/// What Unicode says about a code point, as far as the analyzer asks.
struct ScriptTraits {
  private let scalar: UInt32
  private let category: UInt32
  private let script: Int

  init(_ scalar: UInt32) {
    self.scalar = scalar
    let signed = Int32(bitPattern: scalar)
    category = UInt32(cairn_general_category(signed))
    script = Int(cairn_script(signed))
  }

  /// The class, given whether the scalar is its own NFKC_Casefold form.
  func characterClass(foldsToItself: Bool) -> CharacterClass {
    if isIgnorable { return .ignorable }
    switch category {
    case Category.decimalDigit: return .digit
    case Category.letterNumber where isUnspacedScript: return .unspaced
    case Category.letterNumber, Category.otherNumber: return .digit
    case Category.upper, Category.title: return .upper
    case Category.lower, Category.modifier, Category.otherLetter: return letterClass
    case Category.nonSpacingMark, Category.enclosingMark, Category.spacingMark:
      if isComplexScript { return isNonStarter ? .complexMark : .complex }
      // The Greek iota subscript folds to a letter.
      return scalar == 0x0345 ? .letter : .mark
    case Category.privateUse: return .letter
    case Category.otherSymbol, Category.unassigned: return symbolClass(foldsToItself)
    default: return .separator
    }
  }

  /// Whether a word may hold it once folded.
  var isWordCharacter: Bool {
    category >= Category.upper && category <= Category.otherNumber
      || category == Category.privateUse
  }

  /// Scripts whose marks people leave out when they type.
  ///
  /// Japanese voicing marks and the vowel signs of Indic scripts are not of this kind.
  var dropsMarks: Bool {
    switch script {
    case CAIRN_SCRIPT_LATIN, CAIRN_SCRIPT_GREEK, CAIRN_SCRIPT_CYRILLIC, CAIRN_SCRIPT_ARMENIAN,
      CAIRN_SCRIPT_HEBREW, CAIRN_SCRIPT_ARABIC, CAIRN_SCRIPT_COPTIC, CAIRN_SCRIPT_GLAGOLITIC:
      true
    default: false
    }
  }

  /// A mark that decorates a letter of such a script.
  var isDroppableMark: Bool {
    (category == Category.nonSpacingMark || category == Category.enclosingMark)
      && (dropsMarks || script == CAIRN_SCRIPT_INHERITED || script == CAIRN_SCRIPT_COMMON)
      && scalar != 0x0345
  }

  /// Stretches an Arabic word without meaning anything.
  static let tatweel: UInt32 = 0x0640

  private var isIgnorable: Bool {
    // Zero width space parts words (UAX 29); the tatweel only stretches them.
    if scalar == 0x200B { return false }
    return scalar == Self.tatweel || cairn_is_ignorable(Int32(bitPattern: scalar)) != 0
  }

  private var isNonStarter: Bool { cairn_combining_class(Int32(bitPattern: scalar)) != 0 }

  private var letterClass: CharacterClass {
    if isUnspacedScript || Self.isKanaSign(scalar) { return .unspaced }
    return isComplexScript ? .complex : .letter
  }

  private func symbolClass(_ foldsToItself: Bool) -> CharacterClass {
    if script == CAIRN_SCRIPT_HAN { return .unspaced }  // radicals
    if scalar >= 0x1F1E6, scalar <= 0x1F1FF { return .flag }
    // ™ and Ⓜ are letters in disguise; © and ® are print.
    guard foldsToItself, scalar > 0xAE else { return .separator }
    return cairn_is_pictograph(Int32(bitPattern: scalar)) != 0 ? .emoji : .separator
  }

  private var isUnspacedScript: Bool {
    switch script {
    case CAIRN_SCRIPT_HAN, CAIRN_SCRIPT_HIRAGANA, CAIRN_SCRIPT_KATAKANA, CAIRN_SCRIPT_HANGUL,
      CAIRN_SCRIPT_BOPOMOFO, CAIRN_SCRIPT_YI, CAIRN_SCRIPT_NUSHU, CAIRN_SCRIPT_TANGUT:
      true
    default: false
    }
  }

  private var isComplexScript: Bool {
    switch script {
    case CAIRN_SCRIPT_THAI, CAIRN_SCRIPT_LAO, CAIRN_SCRIPT_KHMER, CAIRN_SCRIPT_MYANMAR: true
    default: false
    }
  }

  /// Letters shared by hiragana and katakana, which belong to no script: length, iteration and
  /// half-width voicing marks.
  private static func isKanaSign(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3006, 0x3031...0x3035, 0x303C, 0x30FC, 0xFF70, 0xFF9E, 0xFF9F: true
    default: false
    }
  }

  /// General categories, in ICU's numbers.
  private enum Category {
    static let unassigned: UInt32 = 0
    static let upper: UInt32 = 1
    static let lower: UInt32 = 2
    static let title: UInt32 = 3
    static let modifier: UInt32 = 4
    static let otherLetter: UInt32 = 5
    static let nonSpacingMark: UInt32 = 6
    static let enclosingMark: UInt32 = 7
    static let spacingMark: UInt32 = 8
    static let decimalDigit: UInt32 = 9
    static let letterNumber: UInt32 = 10
    static let otherNumber: UInt32 = 11
    static let privateUse: UInt32 = 17
    static let otherSymbol: UInt32 = 27
  }
}
