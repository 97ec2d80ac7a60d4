/// Why a URL was not answered, or its answer not taken.
public struct FetchFault: Error, Sendable, Equatable {
  /// What that means for the URL.
  public enum Kind: Sendable, Equatable {
    /// No answer now; it may come later.
    case unanswered
    /// The address is not on the public network.
    case privateAddress
    /// The answer is larger than wanted.
    case tooLarge
    /// Redirects lead in a circle, or too far.
    case redirects
    /// It is no URL that can be fetched.
    case unfit
  }

  /// What it means.
  public var kind: Kind
  /// Plain words.
  public var message: String

  /// A fault in plain words.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
