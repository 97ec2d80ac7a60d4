/// How a value of a message is shown to who reads the log.
public struct OSLogPrivacy: Sendable {
  enum Kind { case automatic, open, hidden, hashed }

  /// How a hidden value may still be told apart from others.
  public enum Mask: Sendable {
    /// As a hash, which is the same for equal values within a process.
    case hash
    /// Not at all.
    case none
  }

  let kind: Kind

  /// Texts and objects are hidden, numbers and truth values shown.
  public static var auto: OSLogPrivacy { OSLogPrivacy(kind: .automatic) }
  /// Shown.
  public static var `public`: OSLogPrivacy { OSLogPrivacy(kind: .open) }
  /// Hidden.
  public static var `private`: OSLogPrivacy { OSLogPrivacy(kind: .hidden) }
  /// Hidden.
  public static var sensitive: OSLogPrivacy { OSLogPrivacy(kind: .hidden) }
  /// Hidden, or shown as a hash.
  public static func `private`(mask: Mask) -> OSLogPrivacy {
    OSLogPrivacy(kind: mask == .hash ? .hashed : .hidden)
  }

  func shown(_ text: String, isScalar: Bool, _ align: OSLogStringAlignment = .none) -> String {
    switch kind {
    case .open: return align.padded(text)
    case .automatic: return isScalar ? align.padded(text) : "<private>"
    case .hidden: return "<private>"
    case .hashed:
      var hasher = Hasher()
      hasher.combine(text)
      return "<mask.hash: \(String(UInt(bitPattern: hasher.finalize()), radix: 16))>"
    }
  }
}

/// What is logged: a text literal with values in it, of which texts and objects are hidden unless
/// they are said to be public.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  let text: String

  /// A message without values.
  public init(stringLiteral value: String) { text = value }

  /// A message with values.
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The pieces of a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  var text = ""

  /// An empty message.
  public init(literalCapacity: Int, interpolationCount: Int) {
    text.reserveCapacity(literalCapacity)
  }

  /// Adds a part of the literal.
  public mutating func appendLiteral(_ literal: String) { text += literal }

  /// Adds a text, which is hidden unless it is said to be public.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown(value(), isScalar: false, align) }

  /// Adds a whole number.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> some BinaryInteger, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown(format.text(value()), isScalar: true, align) }

  /// Adds a number; without a format with the digits that it needs.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> some BinaryFloatingPoint, format: OSLogFloatFormatting? = nil,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    let number = value()
    let shown = format?.text(Double(number)) ?? "\(number)"
    text += privacy.shown(shown, isScalar: true, align)
  }

  /// Adds true or false.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown(value() ? "true" : "false", isScalar: true) }

  /// Adds what describes itself, which is hidden unless it is said to be public.
  ///
  /// Numbers and texts describe themselves too, and have forms of their own.
  @_disfavoredOverload public mutating func appendInterpolation(
    _ value: @autoclosure () -> some CustomStringConvertible, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown(value().description, isScalar: false) }

  /// Adds a type's name.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> any Any.Type, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown(String(reflecting: value()), isScalar: true) }

  /// Adds an error, which is hidden unless it is said to be public.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto
  ) { text += privacy.shown("\(value())", isScalar: false) }
}
