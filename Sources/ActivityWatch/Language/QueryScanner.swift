typealias QueryText = ArraySlice<Unicode.Scalar>

/// Which token stands at the front of a text.
enum QueryTokenKind {
  case string, integer, function, dictionary, list, variable
}

/// Cuts tokens off a query exactly as aw-core's `check` methods do, its oddities included: after a
/// call, a dictionary and a list one more character is skipped.
struct QueryScanner {
  /// Characters that may still be looked at, so that hostile text costs a bounded time.
  private var work: Int

  init(length: Int) { work = 1_000_000 + 16 * length }

  /// The first token and what follows it; nil for an empty text.
  mutating func token(_ text: QueryText) throws(QueryFailure)
    -> (kind: QueryTokenKind, token: QueryText, rest: QueryText)?
  {
    if text.isEmpty { return nil }
    let text = text.trimmed
    guard let first = text.first else { throw .parse("Expected a value, got nothing.") }
    if first == "\"" || first == "'" {
      let end = try stringEnd(text, quote: first)
      return (.string, text[..<end], text[end...])
    }
    let digits = text.prefix { $0.isPythonDigit }
    if !digits.isEmpty { return (.integer, digits, text[digits.endIndex...]) }
    if let end = try callEnd(text) { return (.function, text[..<end], text.after(end)) }
    if first == "{" {
      let end = try bracketEnd(text, open: "{", close: "}")
      return (.dictionary, text[..<end], text.after(end))
    }
    if first == "[" {
      let end = try bracketEnd(text, open: "[", close: "]")
      return (.list, text[..<end], text.after(end))
    }
    let end = text.nameEnd
    guard end > text.startIndex else { throw .parse("Syntax error.") }
    return (.variable, text[..<end], text[end...])
  }

  private mutating func stringEnd(_ text: QueryText, quote: Unicode.Scalar) throws(QueryFailure)
    -> Int
  {
    var previous: Unicode.Scalar?
    var index = text.startIndex + 1
    while index < text.endIndex {
      let scalar = text[index]
      index += 1
      if scalar == quote, previous != "\\" { break }
      previous = scalar
    }
    try spend(index - text.startIndex)
    guard index - text.startIndex >= 2, text[index - 1] == quote else {
      throw .parse("Failed to parse string")
    }
    return index
  }

  /// Where a call at the front ends, after its closing bracket; nil when there is none.
  private mutating func callEnd(_ text: QueryText) throws(QueryFailure) -> Int? {
    let name = text.nameEnd
    guard name < text.endIndex, text[name] == "(" else { return nil }
    var depth = 1
    let end = try scan(text, from: name + 1) { scalar in
      if scalar == "(" { depth += 1 } else if scalar == ")" { depth -= 1 }
      return depth == 0
    }
    return depth == 0 ? end : nil
  }

  /// Where a dictionary or list at the front ends: the end of the text when it is not closed.
  private mutating func bracketEnd(_ text: QueryText, open: Unicode.Scalar, close: Unicode.Scalar)
    throws(QueryFailure) -> Int
  {
    var depth = 1
    return try scan(text, from: text.startIndex + 1) { scalar in
      if scalar == close { depth -= 1 } else if scalar == open { depth += 1 }
      return depth == 0
    }
  }

  /// Walks over what is outside of quotes until told to stop; the place after the last scalar.
  private mutating func scan(
    _ text: QueryText, from start: Int, until stops: (Unicode.Scalar) -> Bool
  ) throws(QueryFailure) -> Int {
    var quote: Unicode.Scalar?
    var previous: Unicode.Scalar?
    var index = start
    while index < text.endIndex {
      let scalar = text[index]
      index += 1
      if scalar == "'" || scalar == "\"", previous != "\\", quote == nil || quote == scalar {
        quote = quote == nil ? scalar : nil
      } else if quote == nil, stops(scalar) {
        break
      }
      previous = scalar
    }
    try spend(index - start)
    return index
  }

  private mutating func spend(_ count: Int) throws(QueryFailure) {
    work -= count
    guard work >= 0 else { throw .parse("The query has too many brackets left open.") }
  }
}

extension QueryText {
  /// Without the blanks at both ends.
  var trimmed: QueryText {
    var low = startIndex
    var high = endIndex
    while low < high, self[low].isPythonBlank { low += 1 }
    while low < high, self[high - 1].isPythonBlank { high -= 1 }
    return self[low..<high]
  }

  /// What stands behind a place, one character left out.
  func after(_ place: Int) -> QueryText { self[Swift.min(place + 1, endIndex)...] }

  /// Where letters, underscores and, behind the first, digits end.
  var nameEnd: Int {
    var index = startIndex
    while index < endIndex,
      self[index].properties.isPythonLetter || self[index] == "_"
        || (index != startIndex && self[index].isPythonDigit)
    {
      index += 1
    }
    return index
  }

  var string: String {
    var text = ""
    text.unicodeScalars.append(contentsOf: self)
    return text
  }
}

extension Unicode.Scalar.Properties {
  /// What Python's `str.isalpha` says: letters of every kind.
  fileprivate var isPythonLetter: Bool {
    switch generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }
}

extension Unicode.Scalar {
  /// What Python's `str.isdigit` says.
  var isPythonDigit: Bool {
    if value < 0x80 { return (0x30...0x39).contains(value) }
    return properties.numericType == .decimal || properties.numericType == .digit
  }

  /// What Python's `str.strip` and `\s` take away.
  var isPythonBlank: Bool {
    switch value {
    case 0x09...0x0d, 0x1c...0x20, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f,
      0x205f, 0x3000:
      true
    default: false
    }
  }
}
