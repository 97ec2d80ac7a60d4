/// Any JSON value, numbers as they were written.
public enum JSONValue: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number, by its text.
  case number(String)
  /// A text, kept byte for byte.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Values by name, in canonical order.
  case object(JSONObject)
}

/// JSON values by name, in canonical order.
public typealias JSONObject = KeyOrdered<JSONValue>

extension JSONValue: Hashable {
  /// Equal in type and bytes: `1` and `1.0` differ.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.hasBytes(of: b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): value.hashBytes(into: &hasher)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}
