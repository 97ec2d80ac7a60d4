public import Events
import Values

/// The rules that a declaration makes for values.
public enum AttributeRule: String, Sendable, Hashable, CaseIterable {
  /// A value of another type.
  case type
  /// An array where one value belongs.
  case multi
  /// No value where there must be one.
  case required
  /// More Unicode scalars than allowed.
  case maxLength
  /// A number, a time or a place beyond its bounds.
  case range
  /// A key that nothing declares.
  case unknown

  /// What is wrong, without the value.
  package var words: String {
    switch self {
    case .type: "the value is of another type than declared"
    case .multi: "an array stands where one value belongs"
    case .required: "the schema requires a value"
    case .maxLength: "the text is longer than declared"
    case .range: "the value is out of its bounds"
    case .unknown: "the schema declares no such attribute"
    }
  }
}

extension AttributeDeclaration {
  /// The rule that a value breaks; nil for none, and for null, which is no value.
  /// - Complexity: O(bytes).
  public func fault(of value: AttributeValue) -> AttributeRule? {
    switch value {
    case .null: return nil
    case .array(let elements):
      guard isMulti else { return .multi }
      for element in elements { if let fault = elementFault(element) { return fault } }
      return nil
    default: return elementFault(value)
    }
  }

  private func elementFault(_ value: AttributeValue) -> AttributeRule? {
    switch (type, value) {
    case (.text, .string(let text)), (.keyword, .string(let text)):
      guard let maxLength else { return nil }
      return text.unicodeScalars.count > maxLength ? .maxLength : nil
    case (.integer, .integer): return nil
    case (.integer, .double(let number)):
      guard number == number.rounded() else { return .type }
      // Beyond the bounds no double is told from its neighbours.
      return Int64(exactly: number) == nil ? .range : nil
    case (.decimal, .integer), (.decimal, .double): return nil
    case (.boolean, .bool): return nil
    case (.time, .string(let text)): return DeclaredValue.timeFault(text)
    case (.place, .string(let text)): return DeclaredValue.placeFault(text)
    default: return .type
    }
  }
}

/// Texts that stand for something else.
enum DeclaredValue {
  /// A text of the form of a time that is none is out of range, any other of another type.
  static func timeFault(_ text: String) -> AttributeRule? {
    if Timestamp(rfc3339: text) != nil { return nil }
    return hasTimeForm(text) ? .range : .type
  }

  /// Whether a text is written as RFC 3339 §5.6 says, whatever its numbers.
  private static func hasTimeForm(_ text: String) -> Bool {
    var form = DigitScanner(text)
    guard form.number(4) != nil, form.take("-"), form.number(2) != nil, form.take("-"),
      form.number(2) != nil, form.take("T") || form.take("t") || form.take(" "),
      form.number(2) != nil, form.take(":"), form.number(2) != nil, form.take(":"),
      form.number(2) != nil
    else { return false }
    if form.take("."), form.digits().isEmpty { return false }
    if form.take("Z") || form.take("z") { return form.isAtEnd }
    guard form.take("+") || form.take("-"), form.number(2) != nil, form.take(":"),
      form.number(2) != nil
    else { return false }
    return form.isAtEnd
  }

  /// `LAT,LON`, each a JSON number, within ±90 and ±180 degrees.
  static func placeFault(_ text: String) -> AttributeRule? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = degrees(parts[0]), let longitude = degrees(parts[1])
    else { return .type }
    return latitude.magnitude <= 90 && longitude.magnitude <= 180 ? nil : .range
  }

  private static func degrees(_ part: Substring) -> Double? {
    let text = part.utf8.drop { $0 == UInt8(ascii: " ") }
    let bytes = Array(text)
    guard let first = bytes.first, first == UInt8(ascii: "-") || first.isASCIIDigit,
      bytes.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) })
    else { return nil }
    return Double(String(decoding: bytes, as: UTF8.self))
  }
}
