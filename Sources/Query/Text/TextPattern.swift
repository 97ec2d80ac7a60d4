/// The quoted side of a comparison: literal text, wildcards and how to compare.
package struct TextPattern: Hashable, Sendable {
  /// One piece of a pattern.
  ///
  /// The initialiser of the pattern never leaves two literals or two `anyRun` side by side.
  package enum Element: Hashable, Sendable {
    case literal(String)
    /// `?`: exactly one character.
    case anyCharacter
    /// `*`: any number of characters, also none.
    case anyRun
  }

  /// The letters behind the closing quote.
  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    /// Makes a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `c`: upper and lower case are alike.
    package static let ignoresCase = Options(rawValue: 1)
    /// `d`: letters with and without diacritics are alike.
    package static let ignoresDiacritics = Options(rawValue: 2)
    /// `w`: matches inside the value, from word boundary to word boundary.
    package static let words = Options(rawValue: 4)
    /// `t`: the pattern is cut into tokens and each has to match on its own.
    package static let tokens = Options(rawValue: 8)
  }

  package var elements: [Element]
  package var options: Options

  /// Makes a pattern; neighbouring literals and neighbouring `anyRun` are merged.
  package init(_ elements: [Element], _ options: Options = []) {
    self.elements = []
    self.options = options
    for element in elements { append(element) }
  }

  /// Whether the pattern is `*` alone, which asks for presence and not for text.
  package var isAnyRun: Bool { elements == [.anyRun] }

  private mutating func append(_ element: Element) {
    switch (elements.last, element) {
    case (_, .literal("")), (.anyRun, .anyRun): return
    case (.literal(let head), .literal(let tail)):
      elements[elements.count - 1] = .literal(head + tail)
    default: elements.append(element)
    }
  }
}
