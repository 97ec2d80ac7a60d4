/// The value of an attribute.
public enum AttributeValue: Sendable {
  /// Nothing: in an update, takes the attribute away.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number written without point or exponent.
  case integer(Int64)
  /// Any other number; always finite.
  case double(Double)
  /// A text, kept byte for byte.
  case string(String)
  /// Bytes, in JSON `{"base64":"…"}`.
  case data([UInt8])
  /// Several values, none of them an array.
  case array([AttributeValue])
}

extension AttributeValue: Hashable {
  /// Equal in type and bits: texts by their bytes, doubles by their bit pattern.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)): a.hasBytes(of: b)
    case (.data(let a), .data(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.bitPattern)
    case .string(let value): value.hashBytes(into: &hasher)
    case .data(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    }
  }
}

/// The attributes of an item by name, in canonical order.
public typealias Attributes = KeyOrdered<AttributeValue>
