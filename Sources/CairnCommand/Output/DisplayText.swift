/// Text as a terminal shows it.
enum DisplayText {
  /// Columns that the text takes in a terminal of fixed width.
  static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width(of: $1) } }

  /// The text cut to a number of columns, with `…` where something was cut off, and without
  /// characters that would steer the terminal.
  static func fit(_ text: String, _ columns: Int?) -> String {
    let shown = harmless(text)
    guard let columns, width(shown) > columns else { return shown }
    var cut = ""
    var used = 0
    for character in shown {
      let next = width(of: character)
      if used + next > columns - 1 { break }
      cut.append(character)
      used += next
    }
    return columns > 0 ? cut + "…" : ""
  }

  /// A title with the identifier behind it, cut so that of both something is seen.
  ///
  /// Who found an item has to be able to name it.
  static func named(_ title: String, _ id: String, _ columns: Int?) -> String {
    let (title, id) = (harmless(title), harmless(id))
    guard let columns, width(title) + width(id) + 4 > columns else { return "\(title)  (\(id))" }
    let room = columns - 4
    let titleColumns = min(width(title), max(room / 2, room - width(id)))
    return "\(fit(title, titleColumns))  (\(fit(id, room - titleColumns)))"
  }

  /// An identifier as a word of a command that is shown: not too long, and quoted for shells.
  static func word(_ id: String) -> String { ShellWord.quoted(fit(id, 60)) }

  /// A path or a URL as such a word, whatever its length.
  static func word(path: String) -> String { ShellWord.quoted(harmless(path)) }

  /// The text fitted and filled up with blanks to exactly that many columns.
  static func pad(_ text: String, _ columns: Int) -> String {
    let fitted = fit(text, columns)
    return fitted + String(repeating: " ", count: max(0, columns - width(fitted)))
  }

  static func padLeft(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - width(text))) + text
  }

  /// Control characters become blanks and direction marks go, so that nothing stored can move
  /// the cursor, change colours or turn a line around.
  static func harmless(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isControl($0) || isDirection($0) }) else {
      return text
    }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !isDirection(scalar) {
      scalars.append(isControl(scalar) ? " " : scalar)
    }
    return String(scalars)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028
      || scalar.value == 0x2029
  }

  private static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }

  private static func width(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.isASCII { return 1 }
    if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(first) ? 2 : 1
    }
  }

  /// East Asian Wide and Fullwidth (UAX #11), by blocks, and emoji that are shown as pictures.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08,
      0x1AFF0...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }
}
