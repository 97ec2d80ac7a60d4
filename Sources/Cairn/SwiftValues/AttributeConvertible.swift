public import FoundationEssentials

/// A value of Swift that an attribute can hold: texts, numbers, dates, URLs, UUIDs, bytes, and
/// arrays of these.
///
/// ```swift
/// Event(kind: .index, item: id, attributes: ["title": title, "due": Date(), "pages": count])
/// ```
/// A number or a date that is not finite becomes `null`, which takes an attribute away.
public protocol AttributeConvertible {
  /// The value as an attribute has it.
  var attributeValue: AttributeValue { get }
}

extension AttributeValue: AttributeConvertible {
  /// The value itself.
  public var attributeValue: AttributeValue { self }
}

extension String: AttributeConvertible {
  /// A text.
  public var attributeValue: AttributeValue { .string(self) }
}

extension Substring: AttributeConvertible {
  /// A text.
  public var attributeValue: AttributeValue { .string(String(self)) }
}

extension Bool: AttributeConvertible {
  /// True or false.
  public var attributeValue: AttributeValue { .bool(self) }
}

extension Int: AttributeConvertible {
  /// A whole number.
  public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Int64: AttributeConvertible {
  /// A whole number.
  public var attributeValue: AttributeValue { .integer(self) }
}

extension Int32: AttributeConvertible {
  /// A whole number.
  public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Double: AttributeConvertible {
  /// A number; `null` where it is not finite.
  public var attributeValue: AttributeValue { isFinite ? .double(self) : .null }
}

extension Float: AttributeConvertible {
  /// A number; `null` where it is not finite.
  public var attributeValue: AttributeValue { isFinite ? .double(Double(self)) : .null }
}

extension Timestamp: AttributeConvertible {
  /// A time, as RFC 3339.
  public var attributeValue: AttributeValue { .string(rfc3339) }
}

extension Date: AttributeConvertible {
  /// A time, as RFC 3339 to the microsecond; `null` where it is not finite.
  public var attributeValue: AttributeValue {
    timeIntervalSinceReferenceDate.isFinite ? .string(Timestamp(self).rfc3339) : .null
  }
}

extension URL: AttributeConvertible {
  /// A URL, as text.
  public var attributeValue: AttributeValue { .string(absoluteString) }
}

extension UUID: AttributeConvertible {
  /// A UUID, as text in lower case.
  public var attributeValue: AttributeValue { .string(uuidString.lowercased()) }
}

extension Data: AttributeConvertible {
  /// Bytes.
  public var attributeValue: AttributeValue { .data(Array(self)) }
}

extension Array: AttributeConvertible where Element: AttributeConvertible {
  /// Several values.
  public var attributeValue: AttributeValue { .array(map(\.attributeValue)) }
}

extension Optional: AttributeConvertible where Wrapped: AttributeConvertible {
  /// The value, or `null` for none.
  public var attributeValue: AttributeValue { self?.attributeValue ?? .null }
}

extension AttributeConvertible where Self == AttributeValue {
  /// The text, where it is one.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The whole number, where it is one that fits.
  public var integer: Int? {
    if case .integer(let number) = self { Int(exactly: number) } else { nil }
  }

  /// The number, whole or not, where it is one.
  public var double: Double? {
    switch self {
    case .double(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// True or false, where it is one of these.
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The bytes, where these are what it is.
  public var data: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }

  /// The values of a list, or the one value there is; none for `null`.
  public var array: [AttributeValue] {
    switch self {
    case .array(let values): values
    case .null: []
    default: [self]
    }
  }

  /// The time that a text in RFC 3339 names.
  public var date: Date? { string.flatMap { Timestamp(rfc3339: $0) }.map { Date($0) } }

  /// The URL that a text is.
  public var url: URL? { string.flatMap { URL(string: $0) } }
}

extension KeyOrdered where Value == AttributeValue {
  /// Attributes by values of Swift.
  public init(_ values: [String: any AttributeConvertible]) {
    self.init(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.attributeValue) })
  }

  /// An attribute by a value of Swift; nil takes it away.
  @_disfavoredOverload public subscript(key: String) -> (any AttributeConvertible)? {
    get {
      let value: AttributeValue? = self[key]
      return value
    }
    set {
      let value: AttributeValue? = newValue?.attributeValue
      self[key] = value
    }
  }
}
