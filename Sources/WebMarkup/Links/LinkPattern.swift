internal import CICU

/// A pattern of an association file: `*`, `?`, `$(name)`, all else itself.
struct LinkPattern {
  indirect enum Part {
    case scalar(Unicode.Scalar)
    case anyRun
    case anyOne
    case oneOf(@Sendable (Unicode.Scalar) -> Bool)
    case language
    case region
    case choice([LinkPattern])
  }

  private var parts: [Part] = []
  private let foldsCase: Bool
  /// The first variable that nobody defines; the pattern never matches then.
  private(set) var unknownVariable: String?

  /// Where `variables` are nil, a `$` is itself.
  init(_ text: String, variables: [String: [String]]?, foldsCase: Bool) {
    self.foldsCase = foldsCase
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
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
        add(variable: name, variables?[name])
      default: parts.append(.scalar(Self.folded(scalar, foldsCase)))
      }
    }
  }

  private mutating func add(variable name: String, _ values: [String]?) {
    if let values {
      // Values hold wildcards and no variables.
      let choices = values.map { LinkPattern($0, variables: nil, foldsCase: foldsCase) }
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
    default: unknownVariable = unknownVariable ?? name
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func folded(_ scalar: Unicode.Scalar, _ folds: Bool) -> Unicode.Scalar {
    guard folds else { return scalar }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower.first ?? scalar : scalar
  }

  /// Whether it matches all of a text; grows with the product of both lengths.
  func matches(_ text: String) -> Bool {
    if unknownVariable != nil { return false }
    let scalars = Array(text.unicodeScalars)
    var reached = [Bool](repeating: false, count: scalars.count + 1)
    reached[0] = true
    return advance(reached, scalars)[scalars.count]
  }

  /// From the places that may be reached before the pattern to those behind it.
  private func advance(_ start: [Bool], _ text: [Unicode.Scalar]) -> [Bool] {
    var reached = start
    for part in parts {
      var next = [Bool](repeating: false, count: reached.count)
      switch part {
      case .anyRun:
        guard let first = reached.firstIndex(of: true) else { return reached }
        for place in first..<next.count { next[place] = true }
      case .choice(let patterns):
        for pattern in patterns {
          for (place, isIn) in pattern.advance(reached, text).enumerated() where isIn {
            next[place] = true
          }
        }
      default:
        for place in reached.indices where reached[place] {
          for count in lengths(part, text[place...]) { next[place + count] = true }
        }
      }
      reached = next
    }
    return reached
  }

  private func lengths(_ part: Part, _ text: ArraySlice<Unicode.Scalar>) -> [Int] {
    guard let first = text.first else { return [] }
    switch part {
    case .scalar(let scalar): return Self.folded(first, foldsCase) == scalar ? [1] : []
    case .anyOne: return [1]
    case .oneOf(let isIn): return isIn(first) || (foldsCase && isIn(swapped(first))) ? [1] : []
    case .language: return [2, 3].filter { isCode(text.prefix($0), $0, isRegion: false) }
    case .region: return isCode(text.prefix(2), 2, isRegion: true) ? [2] : []
    case .anyRun, .choice: return []
    }
  }

  private func swapped(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard Self.isLetter(scalar) else { return scalar }
    return Unicode.Scalar(scalar.value ^ 0x20) ?? scalar
  }

  private func isCode(_ text: ArraySlice<Unicode.Scalar>, _ count: Int, isRegion: Bool) -> Bool {
    guard text.count == count, text.allSatisfy(Self.isLetter) else { return false }
    var code = String(String.UnicodeScalarView(text))
    if foldsCase { code = isRegion ? code.uppercased() : code.lowercased() }
    // SAFETY: ICU compares the NUL-ended copy with its own constants.
    return unsafe (isRegion ? cairn_is_region(code) : cairn_is_language(code)) != 0
  }
}
