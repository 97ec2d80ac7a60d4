import Cairn
public import Foundation

/// The domain of errors that queries make.
public let CSSearchQueryErrorDomain = "CSSearchQueryErrorDomain"

/// Why a query failed.
public struct CSSearchQueryError: CustomNSError, Hashable, Sendable {
  /// The number of an error.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// Something else went wrong.
    case unknown = -2000
    /// The store cannot be used.
    case indexUnreachable = -2001
    /// The query cannot be read.
    case invalidQuery = -2002
    /// The query was cancelled.
    case cancelled = -2003
  }

  /// The number.
  public let code: Code
  private let reason: String?

  /// Makes an error.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    reason = userInfo[NSLocalizedDescriptionKey] as? String
  }

  init(_ code: Code, reason: String) {
    self.code = code
    self.reason = reason
  }

  /// `CSSearchQueryErrorDomain`.
  public static var errorDomain: String { CSSearchQueryErrorDomain }
  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// What happened, in words, where it is known.
  public var errorUserInfo: [String: Any] { reason.map { [NSLocalizedDescriptionKey: $0] } ?? [:] }
  /// What happened, in words.
  public var localizedDescription: String { reason ?? "The query failed (\(code.rawValue))." }

  /// Equal when the codes are.
  public static func == (one: CSSearchQueryError, other: CSSearchQueryError) -> Bool {
    one.code == other.code
  }
  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// The number of a query's error.
public typealias CSSearchQueryErrorCode = CSSearchQueryError.Code

extension CSSearchQueryError {
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

extension CSSearchQueryError.Code {
  /// Whether an error has this code, for `catch CSSearchQueryError.cancelled`.
  public static func ~= (code: Self, error: any Error) -> Bool {
    (error as? CSSearchQueryError)?.code == code
  }
}
