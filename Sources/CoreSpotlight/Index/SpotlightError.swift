/// The numbers of one domain of errors.
public protocol SpotlightErrorCode: RawRepresentable<Int>, Hashable, Sendable {
  /// The name of the domain, as `NSError` has it.
  static var errorDomain: String { get }
  /// What failed, in words, where nothing more is known.
  static var failure: String { get }
}

/// An error of one domain: ``CSIndexError`` or ``CSSearchQueryError``.
public struct SpotlightError<Code: SpotlightErrorCode>: CustomNSError, CustomStringConvertible,
  Hashable, Sendable
{
  /// The number of an error.
  public typealias Code = Code

  /// The number.
  public let code: Code
  /// Keeps what it is made with, which need not be Sendable and never changes.
  private let details: NSError

  /// Makes an error.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    details = NSError(domain: Code.errorDomain, code: code.rawValue, userInfo: userInfo)
  }

  init(_ code: Code, reason: String) {
    self.init(code, userInfo: [NSLocalizedDescriptionKey: reason])
  }

  /// The domain of the code.
  public static var errorDomain: String { Code.errorDomain }
  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// What it was made with: what happened, in words, where it is known.
  public var errorUserInfo: [String: Any] { userInfo }
  /// The same, by its name in Apple's interface.
  public var userInfo: [String: Any] { details.userInfo }
  /// What happened, in words.
  public var localizedDescription: String {
    errorUserInfo[NSLocalizedDescriptionKey] as? String ?? "\(Code.failure) (\(code.rawValue))."
  }
  /// Domain, code and what happened.
  public var description: String {
    "\(Code.errorDomain) \(code) (\(code.rawValue)): \(localizedDescription)"
  }

  /// Equal when the codes are.
  public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SpotlightErrorCode {
  /// Whether an error has this code, for `catch CSIndexError.quotaExceeded`.
  public static func ~= (code: Self, error: any Error) -> Bool {
    (error as? SpotlightError<Self>)?.code == code
  }
}
