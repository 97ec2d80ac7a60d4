import Cairn
public import Foundation

/// The domain of errors that indexing makes.
public let CSIndexErrorDomain = "CSIndexErrorDomain"

/// Why indexing failed.
public struct CSIndexError: CustomNSError, Hashable, Sendable {
  /// The number of an error.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// Something else went wrong.
    case unknownError = -1
    /// The store cannot be used.
    case indexUnavailableError = -1000
    /// An item cannot be indexed.
    case invalidItemError = -1001
    /// The client state is longer than 250 bytes.
    case invalidClientStateError = -1002
    /// The indexer cannot be reached.
    case remoteConnectionError = -1003
    /// The disk, or the room for one batch, is full.
    case quotaExceeded = -1004
    /// The index cannot do this.
    case indexingUnsupported = -1005
    /// The stored client state is not the expected one.
    case mismatchedClientState = -1006
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

  /// `CSIndexErrorDomain`.
  public static var errorDomain: String { CSIndexErrorDomain }
  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// What happened, in words, where it is known.
  public var errorUserInfo: [String: Any] { reason.map { [NSLocalizedDescriptionKey: $0] } ?? [:] }
  /// What happened, in words.
  public var localizedDescription: String { reason ?? "Indexing failed (\(code.rawValue))." }

  /// Equal when the codes are.
  public static func == (one: CSIndexError, other: CSIndexError) -> Bool { one.code == other.code }
  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// The number of an indexing error.
public typealias CSIndexErrorCode = CSIndexError.Code

extension CSIndexError {
  /// Something else went wrong.
  public static var unknownError: Code { .unknownError }
  /// The store cannot be used.
  public static var indexUnavailableError: Code { .indexUnavailableError }
  /// An item cannot be indexed.
  public static var invalidItemError: Code { .invalidItemError }
  /// The client state is longer than 250 bytes.
  public static var invalidClientStateError: Code { .invalidClientStateError }
  /// The indexer cannot be reached.
  public static var remoteConnectionError: Code { .remoteConnectionError }
  /// The disk, or the room for one batch, is full.
  public static var quotaExceeded: Code { .quotaExceeded }
  /// The index cannot do this.
  public static var indexingUnsupported: Code { .indexingUnsupported }
  /// The stored client state is not the expected one.
  public static var mismatchedClientState: Code { .mismatchedClientState }

  /// The form in which an error of the engine reaches an application.
  static func of(_ error: any Error) -> CSIndexError {
    if let error = error as? CSIndexError { return error }
    guard let error = error as? CairnError else { return CSIndexError(.unknownError) }
    let code: Code =
      switch error.code {
      case .missing, .notAStore, .unsupportedFormat, .corrupt, .io, .readOnly, .busy,
        .readersFull:
        .indexUnavailableError
      case .diskFull, .mapFull: .quotaExceeded
      case .badArgument, .badEvent, .badQuery: .invalidItemError
      case .conflict: .mismatchedClientState
      default: .unknownError
      }
    return CSIndexError(code, reason: error.description)
  }
}

extension CSIndexError.Code {
  /// Whether an error has this code, for `catch CSIndexError.quotaExceeded`.
  public static func ~= (code: Self, error: any Error) -> Bool {
    (error as? CSIndexError)?.code == code
  }
}

extension CSIndexError {
  /// Says on standard error why a change failed that no handler waits for.
  static func tellOfUnheard(_ error: (any Error)?) {
    guard let error else { return }
    let line = "CoreSpotlight: a change without a completion handler failed: "
    FileHandle.standardError.write(Data((line + of(error).localizedDescription + "\n").utf8))
  }
}
