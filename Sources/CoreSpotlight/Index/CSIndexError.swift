import Cairn

/// The domain of errors that indexing makes.
public let CSIndexErrorDomain = "CSIndexErrorDomain"

/// Why indexing failed.
public typealias CSIndexError = SpotlightError<CSIndexErrorCode>

/// The number of an indexing error.
public enum CSIndexErrorCode: Int, SpotlightErrorCode, CaseIterable {
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

  /// `CSIndexErrorDomain`.
  public static var errorDomain: String { CSIndexErrorDomain }
  /// What failed.
  public static var failure: String { "Indexing failed" }
}

extension SpotlightError where Code == CSIndexErrorCode {
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

  /// Says on standard error why a change failed, where no handler is told.
  static func tellOfUnheard(_ error: (any Error)?) {
    guard let error else { return }
    let line = "CoreSpotlight: a change failed, which no handler is told of: "
    FileHandle.standardError.write(Data((line + of(error).localizedDescription + "\n").utf8))
  }
}
