/// A pattern of an association file: `*`, `?`, `$(name)`, all else itself.
struct LinkPattern {
  enum Part {
    case scalar(Unicode.Scalar)
    case anyRun
    case anyOne
    case oneOf(@Sendable (Unicode.Scalar) -> Bool)
    case language
    case region
    case choice([LinkPattern])
  }

  /// How many parts the patterns of a file may have together.
  ///
  /// A variable counts with all its values wherever it is used: a small file could have billions
  /// of parts by that.
  static let partCountMax = 1 << 18

  private var parts: [Part] = []
  let foldsCase: Bool
  /// Whether it may begin behind the slash that a path begins with.
  private let isUnrooted: Bool
  /// Why it never matches: a variable that nobody defines, or more parts than are read.
  private(set) var fault: String?

  /// Where `variables` are nil, a `$` is itself; `room` is how many more parts are read.
  ///
  /// A path needs no slash in front: Apple's reference has `abc` match the path `/abc`.
  init(
    _ text: String, variables: [String: [String]]?, foldsCase: Bool, isPath: Bool = false,
    room: inout Int
  ) {
    self.foldsCase = foldsCase
    isUnrooted = isPath && !text.isEmpty && !["/", "*", "?"].contains { text.hasPrefix($0) }
    var rest = Array(text.unicodeScalars)[...]
    // An empty one takes room, too.
    room -= 1
    while fault == nil, let scalar = rest.popFirst() {
      room -= 1
      guard room >= 0 else {
        fault = "a rule has more parts than are read; it never matches"
        return
      }
      switch scalar {
      case "*": parts.append(.anyRun)
      case "?": parts.append(.anyOne)
      case "$" where variables != nil && rest.first == "(":
        guard let close = rest.firstIndex(of: ")") else {
          parts.append(.scalar(scalar))
          continue
        }
        let name = String(String.UnicodeScalarView(rest[(rest.startIndex + 1)..<close]))
        rest = rest[(close + 1)...]
        add(variable: name, variables?[name], &room)
      default: parts.append(.scalar(foldsCase ? LinkText.folded(scalar) : scalar))
      }
    }
  }

  private mutating func add(variable name: String, _ values: [String]?, _ room: inout Int) {
    if let values {
      var choices: [LinkPattern] = []
      for value in values where fault == nil {
        // Values hold wildcards and no variables.
        let choice = LinkPattern(value, variables: nil, foldsCase: foldsCase, room: &room)
        fault = choice.fault
        choices.append(choice)
      }
      parts.append(.choice(choices))
      return
    }
    switch name {
    case "alpha": parts.append(.oneOf { Self.isLetter($0) })
    case "upper": parts.append(.oneOf { ("A"..."Z").contains($0) })
    case "lower": parts.append(.oneOf { ("a"..."z").contains($0) })
    case "digit": parts.append(.oneOf { ("0"..."9").contains($0) })
    case "alnum": parts.append(.oneOf { Self.isLetter($0) || ("0"..."9").contains($0) })
    case "xdigit":
      parts.append(
        .oneOf {
          ("0"..."9").contains($0) || ("a"..."f").contains($0) || ("A"..."F").contains($0)
        })
    case "lang": parts.append(.language)
    case "region": parts.append(.region)
    default: fault = "$(\(name)) is not defined; the rule never matches"
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  /// Whether it matches all of a text; grows with the product of both lengths.
  func matches(_ text: LinkText) -> Bool {
    if fault != nil { return false }
    let end = text.scalars.count
    var start = PlaceSet(upTo: end)
    start.insert(0)
    if isUnrooted, text.scalars.first == "/" { start.insert(1) }
    return advance(start, text).contains(end)
  }

  /// From the places that may be reached before the pattern to those behind it.
  private func advance(_ start: PlaceSet, _ text: LinkText) -> PlaceSet {
    var reached = start
    for part in parts where !reached.isEmpty {
      var next = PlaceSet(upTo: text.scalars.count)
      switch part {
      case .scalar(let scalar):
        if let places = text.places(of: scalar) { next = reached.steps(where: places) }
      case .anyOne: next = reached.steps(where: text.inside)
      case .anyRun: next = reached.onward()
      case .choice(let patterns):
        for pattern in patterns { next.formUnion(pattern.advance(reached, text)) }
      case .oneOf, .language, .region:
        for place in text.scalars.indices where reached.contains(place) {
          for count in 1...3 where takes(part, text.scalars[place...].prefix(count), count) {
            next.insert(place + count)
          }
        }
      }
      reached = next
    }
    return reached
  }

  /// Whether a part stands for the next so many scalars, which may be fewer at the end of a text.
  private func takes(_ part: Part, _ text: ArraySlice<Unicode.Scalar>, _ count: Int) -> Bool {
    guard text.count == count, let first = text.first else { return false }
    switch part {
    case .oneOf(let isIn): return count == 1 && (isIn(first) || foldsCase && isIn(swapped(first)))
    case .language: return LinkCodes.hasLanguage(text)
    case .region: return LinkCodes.hasRegion(text, first: foldsCase ? "a" : "A")
    case .scalar, .anyOne, .anyRun, .choice: return false
    }
  }

  private func swapped(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard Self.isLetter(scalar) else { return scalar }
    return Unicode.Scalar(scalar.value ^ 0x20) ?? scalar
  }
}
