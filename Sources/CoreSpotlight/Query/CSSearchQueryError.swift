import Cairn

/// The domain of errors that queries make.
public let CSSearchQueryErrorDomain = "CSSearchQueryErrorDomain"

/// Why a query failed.
public typealias CSSearchQueryError = SpotlightError<CSSearchQueryErrorCode>

/// The number of a query's error.
public enum CSSearchQueryErrorCode: Int, SpotlightErrorCode, CaseIterable {
  /// Something else went wrong.
  case unknown = -2000
  /// The store cannot be used.
  case indexUnreachable = -2001
  /// The query cannot be read.
  case invalidQuery = -2002
  /// The query was cancelled.
  case cancelled = -2003

  /// `CSSearchQueryErrorDomain`.
  public static var errorDomain: String { CSSearchQueryErrorDomain }
  /// What failed.
  public static var failure: String { "The query failed" }
}

extension SpotlightError where Code == CSSearchQueryErrorCode {
  /// Something else went wrong.
  public static var unknown: Code { .unknown }
  /// The store cannot be used.
  public static var indexUnreachable: Code { .indexUnreachable }
  /// The query cannot be read.
  public static var invalidQuery: Code { .invalidQuery }
  /// The query was cancelled.
  public static var cancelled: Code { .cancelled }

  /// The form in which an error of the engine reaches an application.
  static func of(_ error: any Error) -> CSSearchQueryError {
    if let error = error as? CSSearchQueryError { return error }
    if let error = error as? CSIndexError {
      return CSSearchQueryError(.indexUnreachable, reason: error.localizedDescription)
    }
    guard let error = error as? CairnError else { return CSSearchQueryError(.unknown) }
    let code: Code =
      switch error.code {
      case .badQuery: .invalidQuery
      case .internal, .badArgument: .unknown
      default: .indexUnreachable
      }
    return CSSearchQueryError(code, reason: error.description)
  }
}
