/// Why an event was refused, or why stored bytes are no event.
///
/// The message says what is wrong and what to do, and never quotes what the user wrote. Two errors
/// are equal when their codes are.
public struct EventError: Error, Sendable, Equatable {
  /// The stable reason, for programs.
  public enum Code: Sendable, Hashable {
    /// The text is not JSON.
    case syntax
    /// The text is not UTF-8, or an escape stands for no character.
    case encoding
    /// Nested deeper than a limit.
    case depth
    /// A number that cannot be held.
    case number
    /// A key that has to be there is not.
    case missing
    /// A value of the wrong type or out of its range.
    case value
    /// Longer than a limit.
    case size
    /// A kind nobody knows, or one that only the engine writes.
    case kind
    /// Written for a newer shape than this program knows.
    case schema
    /// Stored bytes that do not decode.
    case payload
  }

  /// The stable reason.
  public var code: Code
  /// One line: what, and what to do.
  public var message: String
  /// Where in the line or payload, in bytes from its start.
  public var byteOffset: Int?

  /// An error with a reason that quotes nothing the user wrote.
  public init(_ code: Code, _ message: String, at byteOffset: Int? = nil) {
    self.code = code
    self.message = message
    self.byteOffset = byteOffset
  }

  /// Equal by code.
  public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

extension EventError: CustomStringConvertible {
  /// The message followed by the offset.
  public var description: String {
    guard let byteOffset else { return message }
    return "\(message) (byte \(byteOffset))"
  }
}
