internal import CICU

/// A text that patterns of an association file are compared with.
struct LinkText {
  let scalars: [Unicode.Scalar]
  /// All places but the end.
  let inside: PlaceSet
  /// Where each scalar stands.
  private let standing: [Unicode.Scalar: PlaceSet]

  init(_ text: String, foldsCase: Bool) {
    scalars = text.unicodeScalars.map { foldsCase ? Self.folded($0) : $0 }
    var standing: [Unicode.Scalar: PlaceSet] = [:]
    let none = PlaceSet(upTo: scalars.count)
    var inside = none
    for (place, scalar) in scalars.enumerated() {
      standing[scalar, default: none].insert(place)
      inside.insert(place)
    }
    (self.standing, self.inside) = (standing, inside)
  }

  /// The places where a scalar stands; nil where it does not.
  func places(of scalar: Unicode.Scalar) -> PlaceSet? { standing[scalar] }

  /// A scalar as it is compared where case does not count.
  static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower.first ?? scalar : scalar
  }
}

/// The texts of one URL, each read once for all rules.
struct LinkTexts {
  private struct Key: Hashable {
    let text: String
    let foldsCase: Bool
  }

  private var known: [Key: LinkText] = [:]

  mutating func text(_ text: String, foldsCase: Bool) -> LinkText {
    let key = Key(text: text, foldsCase: foldsCase)
    if let found = known[key] { return found }
    let made = LinkText(text, foldsCase: foldsCase)
    known[key] = made
    return made
  }
}

/// Places in a text, a bit for each: before every scalar, and the end.
///
/// Bits behind the end mean nothing.
struct PlaceSet {
  private var words: [UInt64]

  init(upTo end: Int) { words = [UInt64](repeating: 0, count: end / 64 + 1) }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  func contains(_ place: Int) -> Bool { words[place / 64] >> UInt64(place % 64) & 1 == 1 }

  mutating func insert(_ place: Int) { words[place / 64] |= UInt64(1) << UInt64(place % 64) }

  mutating func formUnion(_ other: PlaceSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  /// The places one further on from those that another set has, too.
  func steps(where other: PlaceSet) -> PlaceSet {
    var result = self
    var carry: UInt64 = 0
    for index in words.indices {
      let met = words[index] & other.words[index]
      result.words[index] = met << 1 | carry
      carry = met >> 63
    }
    return result
  }

  /// The first of these places and all behind it.
  func onward() -> PlaceSet {
    guard let first = words.firstIndex(where: { $0 != 0 }) else { return self }
    var result = self
    result.words[first] = UInt64.max << UInt64(words[first].trailingZeroBitCount)
    for index in words.indices where index > first { result.words[index] = UInt64.max }
    return result
  }
}

/// The codes that `$(lang)` and `$(region)` stand for, in tables: a pattern may ask for them at
/// every place of a text.
enum LinkCodes {
  private static let languagesOfTwo = LinkCodes.table(2) { LinkCodes.isLanguage($0) }
  private static let languagesOfThree = LinkCodes.table(3) { LinkCodes.isLanguage($0) }
  private static let regions = LinkCodes.table(2) { LinkCodes.isRegion($0) }

  /// Whether two or three small letters are a code of ISO 639.
  static func hasLanguage(_ letters: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let number = number(letters, first: "a") else { return false }
    switch letters.count {
    case 2: return languagesOfTwo[number]
    case 3: return languagesOfThree[number]
    default: return false
    }
  }

  /// Whether two letters, the first of the alphabet being `first`, are a code of ISO 3166.
  static func hasRegion(_ letters: ArraySlice<Unicode.Scalar>, first: Unicode.Scalar) -> Bool {
    guard letters.count == 2, let number = number(letters, first: first) else { return false }
    return regions[number]
  }

  private static func number(_ letters: ArraySlice<Unicode.Scalar>, first: Unicode.Scalar) -> Int? {
    var number = 0
    for letter in letters {
      guard letter.value >= first.value, letter.value < first.value + 26 else { return nil }
      number = number * 26 + Int(letter.value - first.value)
    }
    return number
  }

  /// Which of all words of so many letters, in their order, are codes.
  private static func table(_ length: Int, _ isCode: (String) -> Bool) -> [Bool] {
    let letters = "abcdefghijklmnopqrstuvwxyz".map { String($0) }
    var words = [""]
    for _ in 0..<length { words = words.flatMap { word in letters.map { word + $0 } } }
    return words.map(isCode)
  }

  private static func isLanguage(_ code: String) -> Bool {
    // SAFETY: ICU compares the NUL-ended copy with its own constants.
    unsafe cairn_is_language(code) != 0
  }

  private static func isRegion(_ code: String) -> Bool {
    // SAFETY: the same.
    unsafe cairn_is_region(code.uppercased()) != 0
  }
}
