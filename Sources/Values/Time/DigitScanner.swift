/// Takes the digits and marks of a time off the front of a text.
package struct DigitScanner {
  private var rest: ArraySlice<UInt8>

  package init(_ text: some StringProtocol) { rest = Array(text.utf8)[...] }

  package var isAtEnd: Bool { rest.isEmpty }

  package mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest.removeFirst()
    return true
  }

  package mutating func take(word: String) -> Bool {
    guard rest.starts(with: word.utf8) else { return false }
    rest.removeFirst(word.utf8.count)
    return true
  }

  /// A number of exactly so many digits.
  package mutating func number(_ count: Int) -> Int? { number(count...count) }

  /// A number of at least and at most so many digits, at most 18.
  package mutating func number(_ counts: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix(counts.upperBound).prefix(while: \.isASCIIDigit)
    guard digits.count >= counts.lowerBound else { return nil }
    rest.removeFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// The digits that stand here, none or more.
  package mutating func digits() -> String {
    let digits = rest.prefix(while: \.isASCIIDigit)
    rest.removeFirst(digits.count)
    return String(decoding: digits, as: UTF8.self)
  }

  /// The microseconds of a fraction, whose further digits do not count; nil where there is none.
  package mutating func microseconds() -> Int? {
    let digits = digits()
    return digits.isEmpty ? nil : Int((digits + "00000").prefix(6))
  }

  /// Seconds east of UTC of `+01:00`, `+0100` or `+01`.
  package mutating func offset() -> Int? {
    let isWest = take("-")
    guard isWest || take("+"), let hours = number(2), hours < 24 else { return nil }
    var minutes = 0
    if take(":") || !isAtEnd {
      guard let number = number(2), number < 60 else { return nil }
      minutes = number
    }
    return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }
}

extension UInt8 {
  @inlinable package var isASCIIDigit: Bool { self &- 0x30 < 10 }

  /// Whether it is a letter, a digit or the underscore in ASCII.
  @inlinable package var isASCIIWord: Bool {
    isASCIIDigit || self == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
