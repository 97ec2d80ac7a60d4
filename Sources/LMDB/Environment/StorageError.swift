/// What went wrong below the event log, with a remedy a person can act on.
///
/// Two errors are equal when their codes are equal, so tests and callers compare codes and
/// the wording stays free to improve. No message ever holds bytes a user wrote.
package struct StorageError: Error, Sendable {
  /// The kinds of failure a caller may want to tell apart.
  package enum Code: String, Sendable {
    /// Nothing is at that path.
    case missing
    /// Something is there, but it is not one of our files.
    case notAStore
    /// Written by a newer or foreign version.
    case unsupportedFormat
    /// Somebody else holds what was asked for.
    case busy
    /// The address space reserved for the file is used up.
    case mapFull
    /// Every reader slot is taken.
    case readersFull
    /// Bytes on disk are not the bytes that were written.
    case corrupt
    /// No room left on the device.
    case diskFull
    /// The device failed.
    case io
    /// Writing is not permitted here.
    case readOnly
    /// The caller asked for something that cannot be.
    case badArgument
    /// The caller gave up on purpose.
    case aborted
    /// A rule of this program was broken.
    case `internal`
  }

  /// The kind of failure.
  package var code: Code
  /// What happened and what to do about it.
  package var message: String
  /// Where: file name and, when known, table.
  package var place: String?

  /// Makes an error; `message` must name a remedy and no user text.
  package init(_ code: Code, _ message: String, place: String? = nil) {
    self.code = code
    self.message = message
    self.place = place
  }
}

extension StorageError: Equatable {
  package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}

extension StorageError: CustomStringConvertible {
  package var description: String {
    guard let place else { return "\(code.rawValue): \(message)" }
    return "\(code.rawValue) in \(place): \(message)"
  }
}
