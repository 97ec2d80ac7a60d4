/// Why a query has no answer, by the name that ActivityWatch's clients know.
///
/// The message may name what the query itself says; nothing of the history stands in it.
package struct QueryFailure: Error, Sendable, Equatable {
  /// The exception of aw-core that it stands for.
  package enum Kind: String, Sendable {
    /// The text is no query.
    case parse = "QueryParseException"
    /// A name means nothing, or a call has the wrong arguments.
    case interpret = "QueryInterpretException"
    /// A function cannot do what it is asked.
    case function = "QueryFunctionException"
  }

  package let kind: Kind
  package let message: String

  static func parse(_ message: String) -> Self { Self(kind: .parse, message: message) }
  static func interpret(_ message: String) -> Self { Self(kind: .interpret, message: message) }
  /// A function cannot do what it is asked.
  package static func function(_ message: String) -> Self {
    Self(kind: .function, message: message)
  }
}
