/// Why a query could not be read, and where.
///
/// Two errors are equal when their codes are. The message says what was expected and never repeats
/// text of the query.
public struct QueryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What went wrong.
  ///
  /// Open: later versions may tell more cases apart.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    private init(_ name: String) { description = name }

    /// Nothing but white space.
    public static let emptyQuery = Code("emptyQuery")
    /// An attribute, `InRange`, `(` or `!` should be here.
    public static let expectedAttribute = Code("expectedAttribute")
    /// A comparison operator should be here.
    public static let expectedOperator = Code("expectedOperator")
    /// A quoted string, number, `$time` or `*` should be here.
    public static let expectedValue = Code("expectedValue")
    /// A number or `$time` should be here.
    public static let expectedScalar = Code("expectedScalar")
    /// A punctuation mark of the grammar should be here.
    public static let expectedPunctuation = Code("expectedPunctuation")
    /// The string that starts here has no closing quote.
    public static let unterminatedString = Code("unterminatedString")
    /// A letter other than `c`, `d`, `w`, `t` modifies the comparison.
    public static let unknownModifier = Code("unknownModifier")
    /// The number is malformed or beyond what can be stored.
    public static let malformedNumber = Code("malformedNumber")
    /// No such `$time` value, or its argument is malformed.
    public static let malformedTime = Code("malformedTime")
    /// The query is complete before this text.
    public static let unexpectedText = Code("unexpectedText")
    /// The query is longer than the limit.
    public static let tooLong = Code("tooLong")
    /// The parentheses are nested deeper than the limit.
    public static let tooDeep = Code("tooDeep")
    /// The query has more comparisons than the limit.
    public static let tooManyTerms = Code("tooManyTerms")
  }

  /// The error number Core Spotlight gives every query it cannot read
  /// (`CSSearchQueryError.Code.invalidQuery`).
  public static let invalidQuery = -2002

  /// What went wrong.
  public var code: Code
  /// Where: offsets into the UTF-8 of the query; empty at its end.
  public var range: Range<Int>
  /// What was expected, in words.
  public var message: String

  /// Makes an error.
  public init(_ code: Code, at range: Range<Int>, _ message: String) {
    self.code = code
    self.range = range
    self.message = message
  }

  /// One line: place and reason.
  public var description: String { "invalid query at byte \(range.lowerBound): \(message)" }

  /// Compares the codes.
  public static func == (a: QueryError, b: QueryError) -> Bool { a.code == b.code }
}
