/// Why a URL was not answered, or its answer not taken.
package struct FetchFault: Error, Sendable, Equatable {
  /// What that means for the URL.
  package enum Kind: Sendable, Equatable {
    /// No answer now; it may come later.
    case unanswered
    /// The address is not on the public network.
    case privateAddress
    /// The answer is larger than wanted.
    case tooLarge
    /// Redirects lead in a circle, or too far.
    case redirects
    /// It is no URL that can be fetched, or what is answered cannot be read.
    case unfit
  }

  package var kind: Kind
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
