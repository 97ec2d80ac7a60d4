/// What is wrong with a query, by words of its message.
enum Fault: String, Sendable {
  case emptyQuery = "is empty"
  case expectedAttribute = "an attribute name"
  case expectedOperator = "expected one of =="
  case expectedValue = "a quoted string"
  case curvedQuote = "in straight quotes"
  case expectedScalar = "a number or $time"
  case expectedPunctuation = "expected "
  case unterminatedString = "not closed"
  case unknownModifier = "c, d, w, t"
  case malformedNumber = "a number such as"
  case malformedTime = "such as |after $time"
  case unexpectedText = "&& or ||"
  case tooLong = "bytes"
  case tooDeep = "deep"
  case tooManyTerms = "comparisons"

  /// Whether a message tells of this fault.
  func matches(_ message: String) -> Bool {
    rawValue.split(separator: "|").contains { message.contains($0) }
  }
}
