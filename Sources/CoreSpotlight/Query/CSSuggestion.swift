/// A completion of what a person typed.
open class CSSuggestion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Safe to share: nothing changes.
  /// Where a suggestion comes from.
  public enum SuggestionKind: Int, Sendable {
    /// Nowhere.
    case none = 0
    /// The application.
    case custom = 1
    /// What is indexed and was searched for.
    case `default` = 2
  }

  /// Where it comes from.
  public let suggestionKind: SuggestionKind
  let text: String
  private let typed: String
  private let rank: Int

  init(_ text: String, typed: String, rank: Int, kind: SuggestionKind = .default) {
    self.text = text
    self.typed = typed
    self.rank = rank
    suggestionKind = kind
    super.init()
  }

  /// The text, with ``CSSuggestionHighlightAttribute`` on what was typed, or on each word of that.
  open var localizedAttributedSuggestion: AttributedString {
    let words = typed.split(whereSeparator: \.isWhitespace).map { String($0) }
    let whole = place(of: words.joined(separator: " "))
    let places = whole.map { [$0] } ?? words.compactMap { place(of: $0) }
    var marked = AttributedString()
    var end = text.startIndex
    for range in places.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= end
    {
      var part = AttributedString(text[range])
      part[CSSuggestionHighlightAttribute.self] = text
      marked.append(AttributedString(text[end..<range.lowerBound]))
      marked.append(part)
      end = range.upperBound
    }
    marked.append(AttributedString(text[end...]))
    return marked
  }

  /// Where a word of the text begins so; else where it first stands.
  private func place(of typed: String) -> Range<String.Index>? {
    var first: Range<String.Index>?
    var start = text.startIndex
    while let range = text.range(
      of: typed, options: [.caseInsensitive, .diacriticInsensitive], range: start..<text.endIndex),
      !range.isEmpty
    {
      let before = text[..<range.lowerBound].last
      if !(before.map { $0.isLetter || $0.isNumber } ?? false) { return range }
      first = first ?? range
      start = range.upperBound
    }
    return first
  }

  /// Its order before or after another suggestion in the alphabet.
  open func compare(_ other: CSSuggestion) -> ComparisonResult { text.compare(other.text) }

  /// Its order before or after another suggestion of the same query.
  open func compare(byRank other: CSSuggestion) -> ComparisonResult {
    rank < other.rank ? .orderedAscending : rank > other.rank ? .orderedDescending : .orderedSame
  }

  /// The same suggestion.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the suggestion.
  open func encode(with coder: NSCoder) {
    coder.encode(text as NSString, forKey: "text")
    coder.encode(typed as NSString, forKey: "typed")
    coder.encode(rank, forKey: "rank")
    coder.encode(suggestionKind.rawValue, forKey: "kind")
  }

  /// Reads what `encode(with:)` wrote.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "text") else { return nil }
    self.text = text as String
    typed = coder.decodeObject(of: NSString.self, forKey: "typed") as String? ?? ""
    rank = coder.decodeInteger(forKey: "rank")
    suggestionKind = SuggestionKind(rawValue: coder.decodeInteger(forKey: "kind")) ?? .default
    super.init()
  }
}

/// Marks the part of a suggestion that was typed; its value is the whole suggestion.
public enum CSSuggestionHighlightAttribute: AttributedStringKey {
  /// The text of the suggestion.
  public typealias Value = String
  /// The attribute's name, in attributed strings of either kind.
  public static let name = CSSuggestionHighlightAttributeName
}
