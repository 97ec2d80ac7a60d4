import Events
import Values

/// Values read as values of another type.
enum Conversion {
  /// The value as one of a type; itself where it does not read as such.
  static func of(_ value: AttributeValue, to type: DeclaredType) -> AttributeValue {
    let converted: AttributeValue? =
      switch type {
      case .integer: integer(value)
      case .decimal: decimal(value)
      case .boolean: boolean(value)
      case .text, .keyword: text(value)
      // A time is its text; whether one is there changes nothing.
      case .time, .place: value
      }
    return converted ?? value
  }

  private static func integer(_ value: AttributeValue) -> AttributeValue? {
    switch value {
    case .integer: value
    case .double(let number): Int64(exactly: number).map { .integer($0) }
    case .string(let text): number(text).flatMap { integer($0) }
    default: nil
    }
  }

  private static func decimal(_ value: AttributeValue) -> AttributeValue? {
    switch value {
    case .double: return value
    case .integer(let whole):
      // One that no double tells from its neighbours stays what it is.
      return Int64(exactly: Double(whole)) == whole ? .double(Double(whole)) : nil
    case .string("-0"): return .double(-0.0)
    case .string(let text): return number(text).flatMap { decimal($0) }
    default: return nil
    }
  }

  private static func boolean(_ value: AttributeValue) -> AttributeValue? {
    switch value {
    case .string("true"): .bool(true)
    case .string("false"): .bool(false)
    default: nil
    }
  }

  private static func text(_ value: AttributeValue) -> AttributeValue? {
    switch value {
    case .integer, .bool: value.lookupText.map { .string($0) }
    case .double(let number): .string(JSONText.text(number))
    default: nil
    }
  }

  /// The number that a text is in JSON's spelling.
  private static func number(_ text: String) -> AttributeValue? {
    // A text that JSON would not take as a number is none.
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || first.isASCIIDigit,
      case .number(let number)? = try? JSONValue(parsing: Array(text.utf8).span),
      text.utf8.last?.isASCIIDigit == true
    else { return nil }
    if let whole = Int64(number) { return .integer(whole) }
    return Double(number).flatMap { $0.isFinite ? .double($0) : nil }
  }
}
