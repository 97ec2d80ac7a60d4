/// One value of a declared attribute as it is compared and counted.
enum ColumnValue: Hashable, Sendable {
  case bool(Bool)
  /// Every whole number in the bounds, also of a decimal attribute.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  case time(Timestamp)
  case text([UInt8])

  /// Nil for a value that is not of the type.
  init?(_ value: AttributeValue, _ type: DeclaredType) {
    switch (type, value) {
    case (.boolean, .bool(let value)): self = .bool(value)
    case (.integer, .integer(let value)), (.decimal, .integer(let value)): self = .integer(value)
    case (.integer, .double(let value)), (.decimal, .double(let value)):
      if let whole = Int64(exactly: value) {
        self = .integer(whole)
      } else if type == .decimal {
        self = .number(value)
      } else {
        return nil
      }
    case (.time, .string(let text)):
      guard let time = Timestamp(rfc3339: text) else { return nil }
      self = .time(time)
    case (.text, .string(let text)), (.keyword, .string(let text)): self = .text(Array(text.utf8))
    default: return nil
    }
  }

  /// As an answer gives it: times in UTC.
  var attribute: AttributeValue {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .double(value)
    case .time(let time): .string(time.rfc3339)
    case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    }
  }
}

extension ColumnValue: Comparable {
  /// Numbers by value, times by instant, false before true, texts by bytes.
  static func < (one: ColumnValue, other: ColumnValue) -> Bool {
    switch (one, other) {
    case (.bool(let one), .bool(let other)): !one && other
    case (.integer(let one), .integer(let other)): one < other
    case (.number(let one), .number(let other)): one < other
    case (.integer(let whole), .number(let number)): isLess(whole, number)
    // A number that is not whole equals no whole one.
    case (.number(let number), .integer(let whole)): !isLess(whole, number)
    case (.time(let one), .time(let other)): one < other
    case (.text(let one), .text(let other)): one.rawSpan.lexicographicallyPrecedes(other.rawSpan)
    // Values of one attribute are of one type.
    default: one.rank < other.rank
    }
  }

  /// Exact where a double cannot hold the whole number: from 2⁵³ on all doubles are whole, so that
  /// the other one is at or beyond the bounds of 64 bits.
  private static func isLess(_ whole: Int64, _ number: Double) -> Bool {
    if number >= 0x1p63 { return true }
    if number < -0x1p63 { return false }
    return whole <= Int64(number.rounded(.down))
  }

  private var rank: Int {
    switch self {
    case .bool: 0
    case .integer, .number: 1
    case .time: 2
    case .text: 3
    }
  }
}
