import LMDB

/// What went wrong, where, and what to do about it.
///
/// Errors are values: compare them by `code`. Neither `message` nor `place` ever holds an item's
/// identifier, a title, a query or anything else that users wrote.
public struct CairnError: Error, Sendable {
  /// The kind of an error; stable across releases.
  public enum Code: String, Sendable, CaseIterable {
    /// The store, or a file of it, is not there.
    case missing
    /// The path holds something that is no store.
    case notAStore
    /// The store was written by a release this one does not know.
    case unsupportedFormat
    /// Another process held the writer for longer than the caller would wait.
    case busy
    /// Stored bytes are damaged; nothing damaged was served.
    case corrupt
    /// The disk is full; what was committed stays.
    case diskFull
    /// The disk failed, or the system refused.
    case io
    /// The store may only be read.
    case readOnly
    /// The call's arguments make no sense.
    case badArgument
    /// A filter or a query cannot be read; `message` names the place.
    case badQuery
    /// An event is not one; `message` names the reason.
    case badEvent
    /// The point in time does not exist: beyond the head, in the future, or an unknown name.
    case noSuchPoint
    /// A snapshot of that name exists already.
    case nameTaken
    /// The log moved on from the sequence that the caller expected.
    case conflict
    /// A checkpoint, a proof or a witness's request is not written as its format says.
    case malformed
    /// A signature, a proof or a tile does not show what it should.
    case notVerified
    /// A defect of Cairn itself.
    case `internal`
  }

  /// The kind of the error.
  public var code: Code
  /// What happened and what to do, in one line.
  public var message: String
  /// The file, table or argument concerned, when there is one.
  public var place: String?

  /// Makes an error.
  public init(_ code: Code, _ message: String, place: String? = nil) {
    self.code = code
    self.message = message
    self.place = place
  }
}

extension CairnError: Equatable {
  /// Errors are equal when their codes are.
  public static func == (one: CairnError, other: CairnError) -> Bool { one.code == other.code }
}

extension CairnError: CustomStringConvertible {
  /// One line: the place, then what happened and what to do.
  public var description: String {
    guard let place else { return message }
    return "\(place): \(message)"
  }
}

extension CairnError {
  /// The public form of an error from inside.
  init(_ error: StorageError) {
    let code: Code =
      switch error.code {
      case .missing: .missing
      case .notAStore: .notAStore
      case .unsupportedFormat: .unsupportedFormat
      case .busy: .busy
      case .corrupt: .corrupt
      case .diskFull, .mapFull: .diskFull
      case .io, .readersFull: .io
      case .readOnly: .readOnly
      case .badArgument: .badArgument
      case .aborted: .conflict
      case .internal: .internal
      }
    self.init(code, error.message, place: error.place)
  }
}

/// Runs storage code and turns its errors into public ones.
func publicly<R: ~Copyable>(_ body: () throws(StorageError) -> R) throws(CairnError) -> R {
  do { return try body() } catch { throw CairnError(error) }
}
