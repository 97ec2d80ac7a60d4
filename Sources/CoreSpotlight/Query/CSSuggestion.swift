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

  /// The text, with ``CSSuggestionHighlightAttribute`` on the part that was typed.
  open var localizedAttributedSuggestion: AttributedString {
    let range = text.range(of: typed, options: [.caseInsensitive, .diacriticInsensitive])
    guard let range, !range.isEmpty else { return AttributedString(text) }
    var marked = AttributedString(text[range])
    marked[CSSuggestionHighlightAttribute.self] = text
    return AttributedString(text[..<range.lowerBound]) + marked
      + AttributedString(text[range.upperBound...])
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
