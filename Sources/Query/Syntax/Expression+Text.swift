extension Expression: CustomStringConvertible {
  /// The canonical text: double quotes, `==`, modifiers in the order `cdwt` behind the string, one blank
  /// around operators, and parentheses only where they change the meaning.
  ///
  /// Parsing it gives the same tree for every tree the parser made.
  package var description: String {
    var text = ""
    write(to: &text, within: .top)
    return text
  }

  private enum Surroundings { case top, conjunction }

  private func write(to text: inout String, within surroundings: Surroundings) {
    switch self {
    case .comparison(let comparison): text += comparison.description
    case .inRange(let test): text += test.description
    case .not(let inner):
      text += "!("
      inner.write(to: &text, within: .top)
      text += ")"
    case .all(let members): Self.write(members, " && ", empty: "(** == * || !(** == *))", to: &text)
    case .any(let members):
      if surroundings == .conjunction { text += "(" }
      Self.write(members, " || ", empty: "(** == * && !(** == *))", to: &text)
      if surroundings == .conjunction { text += ")" }
    }
  }

  private static func write(
    _ members: [Expression], _ separator: String, empty: String, to text: inout String
  ) {
    guard !members.isEmpty else {
      text += empty
      return
    }
    for (index, member) in members.enumerated() {
      if index > 0 { text += separator }
      member.write(to: &text, within: separator == " && " ? .conjunction : .top)
    }
  }
}

extension Field: CustomStringConvertible {
  /// The field as a query spells it.
  package var description: String {
    switch self {
    case .attribute(let name): name
    case .metadata: "*"
    case .metadataAndText: "**"
    }
  }
}

extension Comparison: CustomStringConvertible {
  /// The comparison as a query spells it.
  package var description: String { "\(field) \(relation.rawValue) \(value)" }
}

extension Comparison.Value: CustomStringConvertible {
  /// The value as a query spells it.
  package var description: String {
    switch self {
    case .text(let pattern): pattern.description
    case .scalar(let scalar): scalar.description
    case .anything: "*"
    }
  }
}

extension RangeTest: CustomStringConvertible {
  /// The test as a query spells it.
  package var description: String { "InRange(\(field), \(lower), \(upper))" }
}

extension TextPattern: CustomStringConvertible {
  /// The quoted and escaped pattern with its modifiers.
  package var description: String {
    var text = "\""
    for element in elements {
      switch element {
      case .anyCharacter: text += "?"
      case .anyRun: text += "*"
      case .literal(let literal): text += Self.escaped(literal)
      }
    }
    text += "\""
    for (option, letter) in Self.letters where options.contains(option) { text += letter }
    return text
  }

  private static let letters: [(Options, String)] = [
    (.ignoresCase, "c"), (.ignoresDiacritics, "d"), (.words, "w"), (.tokens, "t"),
  ]

  /// `text` with a backslash before every character that means something inside quotes, so that it can
  /// stand in a query as itself.
  package static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "*"),
        UInt8(ascii: "?"):
        bytes.append(UInt8(ascii: "\\"))
      default: break
      }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ScalarValue: CustomStringConvertible {
  /// The scalar as a query spells it.
  package var description: String {
    switch self {
    case .integer(let integer): String(integer)
    case .number(let number): String(number)
    case .time(let time): time.description
    }
  }
}

extension TimeExpression: CustomStringConvertible {
  /// The time as a query spells it.
  package var description: String {
    switch self {
    case .now(let offset): Self.text("now", offset)
    case .today(let offset): Self.text("today", offset)
    case .yesterday: "$time.yesterday"
    case .thisWeek(let offset): Self.text("this_week", offset)
    case .lastWeek: "$time.last_week"
    case .thisMonth(let offset): Self.text("this_month", offset)
    case .thisYear(let offset): Self.text("this_year", offset)
    case .instant(let instant):
      // Only a tree built by hand can leave the years of ISO 8601; its number means the same.
      instant.rfc3339.map { "$time.iso(\($0))" }
        ?? String(instant.seconds.addingSaturating(-Instant.referenceSeconds))
    }
  }

  private static func text(_ name: String, _ offset: Int64?) -> String {
    "$time.\(name)" + (offset.map { "(\($0))" } ?? "")
  }
}
