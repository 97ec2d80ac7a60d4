/// The tokens of one document as term numbers with their places, and its lengths.
///
/// A buffer to be reused for document after document. Term numbers mean whatever the owner says:
/// an index into a vocabulary, or a term id of the dictionary.
struct DocumentTokens: Sendable {
  /// One token: term, kind of field, position inside the field.
  struct Token: Hashable, Sendable {
    var term: UInt32
    var position: UInt32
    var kind: UInt8
  }

  /// A title value: where it begins and how many positions it takes.
  struct Title: Hashable, Sendable {
    var start: UInt32
    var length: UInt32
  }

  /// Whether there is no token: each takes a position of its kind.
  var isEmpty: Bool { lengths == SIMD4() }

  /// Tokens by kind, then position; tokens of one place in the order of the analyzer.
  var tokens: [Token] = []
  /// Those of titles, which come first.
  var titleTokens: ArraySlice<Token> { tokens.prefix { $0.kind == 0 } }
  /// Positions taken by the words of each kind.
  var lengths = SIMD4<UInt32>()
  /// The values of the kind `title`, in order.
  var titles: [Title] = []
  /// By kind, then position: where the weight of its fields changes; none where all is 1.
  var weights: [FieldWeight] = []

  mutating func removeAll() {
    tokens.removeAll(keepingCapacity: true)
    titles.removeAll(keepingCapacity: true)
    weights.removeAll(keepingCapacity: true)
    lengths = SIMD4()
  }

  /// Where a token stands in the titles at best.
  ///
  /// A run of two unspaced characters is one pair and one last character, so a pair is the whole
  /// title when the title takes two positions.
  func place(_ token: Token, isPair: Bool, isPart: Bool) -> TitlePlace {
    Self.place(token, in: titles[...], isPair: isPair, isPart: isPart)
  }

  /// The same for titles that stand elsewhere.
  static func place(_ token: Token, in titles: ArraySlice<Title>, isPair: Bool, isPart: Bool)
    -> TitlePlace
  {
    guard token.kind == 0 else { return .none }
    for title in titles where title.start == token.position {
      let whole: UInt32 = isPair ? 2 : 1
      return title.length == whole && !isPart ? .whole : .start
    }
    return .inside
  }
}
