import Text

/// A language whose endings a search can look through.
///
/// Documents keep their words as they are, so that a search may look through the endings of any
/// language, or of none, without a rebuild.
public struct SearchLanguage: Sendable, Hashable {
  let stems: StemLanguage

  /// The language of an ISO 639-1 code such as `en`; nil for one whose endings are not known.
  public init?(_ code: String) {
    guard let stems = StemLanguage(rawValue: code) else { return nil }
    self.stems = stems
  }

  /// Its ISO 639-1 code.
  public var code: String { stems.rawValue }

  /// The codes of all languages known, in the order of the alphabet.
  public static var codes: [String] { StemLanguage.allCases.map(\.rawValue).sorted() }
}
