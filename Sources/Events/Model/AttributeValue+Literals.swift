extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension AttributeValue: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension AttributeValue: ExpressibleByFloatLiteral {
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension AttributeValue: ExpressibleByBooleanLiteral {
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AttributeValue: ExpressibleByArrayLiteral {
  /// Several values.
  public init(arrayLiteral elements: AttributeValue...) { self = .array(elements) }
}
